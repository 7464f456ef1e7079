// The converters cifar10 and cifar100: Python pickles in a compressed tar
// archive to sources `features` (n, 3, 32, 32) and `targets` (n, 1), or
// `coarse_labels` and `fine_labels`; splits `train` and `test`.
#include "fuel/Converters/BuiltIn.h"

#include "blocks/Error.h"
#include "fuel/Converters/ArchiveFiles.h"
#include "fuel/Converters/DatasetFile.h"
#include "fuel/Converters/Paths.h"
#include "fuel/Converters/Pickle.h"

namespace fuel {

namespace {
constexpr int64_t channels = 3, side = 32;
constexpr uint64_t mostBytes = uint64_t(1) << 29;

struct Labels {
  const char *entry, *source;
  int64_t classes;
};

struct Kind {
  std::string name, archive, folder;
  std::vector<std::string> train, test;
  std::vector<Labels> labels;
};

Kind cifar10() {
  Kind kind{"cifar10", "cifar-10-python.tar.gz", "cifar-10-batches-py/",
            {},        {"test_batch"},           {{"labels", "targets", 10}}};
  for (int i = 1; i <= 5; ++i)
    kind.train.push_back("data_batch_" + std::to_string(i));
  return kind;
}

Kind cifar100() {
  return {"cifar100",
          "cifar-100-python.tar.gz",
          "cifar-100-python/",
          {"train"},
          {"test"},
          {{"coarse_labels", "coarse_labels", 20},
           {"fine_labels", "fine_labels", 100}}};
}

void appendLabels(DatasetFile &file, const char *split, const Labels &labels,
                  const std::vector<int64_t> &numbers) {
  blocks::Array array(blocks::DType::UInt8, {int64_t(numbers.size()), 1});
  for (size_t i = 0; i < numbers.size(); ++i)
    array.as<uint8_t>()[i] = uint8_t(numbers[i]);
  file.append(split, labels.source, array.view());
}

void appendPart(DatasetFile &file, const char *split, const Kind &kind,
                std::span<const std::byte> bytes, const std::string &where) {
  Pickle pickle(bytes, where);
  blocks::Array pixels = pickle.array(pickle.at(pickle.root(), "data"), "data",
                                      blocks::DType::UInt8);
  int64_t images = pixels.shape().empty() ? 0 : pixels.shape()[0];
  if (pixels.shape() != blocks::Shape{images, channels * side * side})
    throw blocks::InputError("the pixels in " + where + " have the shape " +
                             blocks::formatShape(pixels.shape()) +
                             "; expected lines of 3072");
  pixels.reshape({images, channels, side, side});
  file.append(split, "features", pixels.view());
  for (const Labels &labels : kind.labels) {
    std::vector<int64_t> numbers =
        pickle.integers(pickle.at(pickle.root(), labels.entry), labels.entry, 0,
                        labels.classes - 1);
    if (int64_t(numbers.size()) != images)
      throw blocks::InputError(
          where + " holds " + std::to_string(images) + " images, but " +
          std::to_string(numbers.size()) + " labels in '" + labels.entry + "'");
    appendLabels(file, split, labels, numbers);
  }
}

void declareSources(DatasetFile &file, const Kind &kind) {
  file.addSource("features", blocks::DType::UInt8, {-1, channels, side, side},
                 {"batch", "channel", "height", "width"});
  for (const Labels &labels : kind.labels)
    file.addSource(labels.source, blocks::DType::UInt8, {-1, 1},
                   {"batch", "index"});
}

std::string convert(const Kind &kind, const ConvertOptions &options) {
  std::string path = outputPath(options, kind.name);
  std::string archive = findInputs(options, kind.name, {kind.archive}).front();
  ArchiveFiles files(
      archive, options.outputDirectory,
      [&](std::string_view name) { return name.starts_with(kind.folder); });
  DatasetFile file(path);
  declareSources(file, kind);
  ProgressTask progress(options.progress, kind.name + " files",
                        int64_t(kind.train.size() + kind.test.size()));
  std::vector<std::byte> buffer;
  for (const char *split : {"train", "test"})
    for (const std::string &name :
         split == std::string_view("train") ? kind.train : kind.test) {
      size_t index = files.require(kind.folder + name);
      appendPart(file, split, kind, files.read(index, buffer, mostBytes),
                 files.where(index));
      progress.advance();
    }
  file.commit(options.command);
  return path;
}

Converter converterOf(Kind kind, std::string summary) {
  Converter converter;
  converter.name = converter.outputName = kind.name;
  converter.summary = std::move(summary);
  converter.files = {kind.archive};
  converter.convert = [kind](const ConvertOptions &options) {
    return convert(kind, options);
  };
  return converter;
}
} // namespace

Converter cifar10Converter() {
  return converterOf(cifar10(), "CIFAR-10: the archive for Python");
}

Converter cifar100Converter() {
  return converterOf(cifar100(), "CIFAR-100: the archive for Python");
}

} // namespace fuel
