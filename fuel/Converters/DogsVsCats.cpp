// The dogs_vs_cats converter: two zip archives of photographs to sources
// `image_features` (of their own sizes, in colours) and `targets` (n, 1: 1 for
// a dog, of the training photographs only); splits `train` and `test`. As Fuel
// does, it shuffles the photographs for training by a fixed seed, and takes
// those for the test in the order of their numbers.
#include "fuel/Converters/BuiltIn.h"

#include "blocks/Error.h"
#include "fuel/Converters/DatasetFile.h"
#include "fuel/Converters/Paths.h"
#include "fuel/Converters/Pictures.h"
#include "fuel/Mt19937.h"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace fuel {

namespace {
constexpr uint64_t seed = 123522;

/// In which order the photographs come.
using Order = std::vector<size_t>;

Order shuffled(const ArchiveFiles &files) {
  Order order(files.count());
  std::iota(order.begin(), order.end(), 0);
  Mt19937(seed).shuffle(order);
  return order;
}

/// "test1/12.jpg" has the number 12.
int64_t numberOf(const ArchiveFiles &files, size_t index) {
  std::string_view name = files.name(index);
  name.remove_prefix(name.rfind('/') + 1);
  int64_t number = 0;
  auto [stop, error] =
      std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || *stop != '.')
    throw blocks::InputError(files.where(index) +
                             " has no number for its name; expected names "
                             "like test1/12.jpg");
  return number;
}

Order numbered(const ArchiveFiles &files) {
  std::vector<std::pair<int64_t, size_t>> numbers;
  for (size_t i = 0; i < files.count(); ++i)
    numbers.emplace_back(numberOf(files, i), i);
  std::sort(numbers.begin(), numbers.end());
  Order order;
  for (auto [number, index] : numbers)
    order.push_back(index);
  return order;
}

struct Part {
  const char *split, *archive;
  Order (*order)(const ArchiveFiles &files);
  bool labelled;
};
constexpr Part parts[] = {{"train", "dogs_vs_cats.train.zip", shuffled, true},
                          {"test", "dogs_vs_cats.test1.zip", numbered, false}};

/// The folder's name, "train", is no cat's.
uint8_t isDog(const std::string &name) {
  return name.find("cat") == std::string::npos;
}

void appendTarget(DatasetFile &file, const char *split,
                  const std::string &name) {
  uint8_t dog = isDog(name);
  file.append(split, "targets",
              {blocks::DType::UInt8,
               {1, 1},
               reinterpret_cast<const std::byte *>(&dog)});
}

void appendPart(DatasetFile &file, const Part &part, const ArchiveFiles &files,
                const ConvertOptions &options) {
  Pictures pictures(files);
  ProgressTask progress(options.progress, std::string(part.split) + " images",
                        int64_t(files.count()));
  for (size_t index : part.order(files)) {
    file.appendItem(part.split, "image_features", pictures.read(index).view());
    if (part.labelled)
      appendTarget(file, part.split, files.name(index));
    progress.advance();
  }
}

std::string convert(const ConvertOptions &options) {
  std::string path = outputPath(options, "dogs_vs_cats");
  std::vector<std::string> inputs =
      findInputs(options, "dogs_vs_cats", {parts[0].archive, parts[1].archive});
  std::vector<std::unique_ptr<ArchiveFiles>> archives;
  int64_t rows = 0;
  for (const std::string &input : inputs) {
    archives.push_back(
        std::make_unique<ArchiveFiles>(input, options.outputDirectory));
    if (archives.back()->count() == 0)
      throw blocks::InputError("'" + input + "' holds no photographs");
    rows += int64_t(archives.back()->count());
  }
  DatasetFile file(path);
  file.addRaggedSource("image_features", blocks::DType::UInt8,
                       {"batch", "channel", "height", "width"},
                       blocks::DType::Int32, rows);
  file.addSource("targets", blocks::DType::UInt8,
                 {int64_t(archives[0]->count()), 1}, {"batch", "index"});
  for (size_t i = 0; i < archives.size(); ++i)
    appendPart(file, parts[i], *archives[i], options);
  file.commit(options.command);
  return path;
}
} // namespace

Converter dogsVsCatsConverter() {
  Converter converter;
  converter.name = converter.outputName = "dogs_vs_cats";
  converter.summary = "Kaggle's photographs of dogs and cats";
  converter.files = {parts[0].archive, parts[1].archive};
  converter.convert = convert;
  return converter;
}

} // namespace fuel
