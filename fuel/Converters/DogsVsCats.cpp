// The dogs_vs_cats converter: two zip archives of photographs to sources
// `image_features` (of their own sizes, in colours) and `targets` (n, 1: 1 for
// a dog); splits `train` and `test`, the latter without targets. Photographs
// are shuffled as Fuel does, by the same seed in either archive.
#include "fuel/Converters/BuiltIn.h"

#include "blocks/Error.h"
#include "fuel/Converters/DatasetFile.h"
#include "fuel/Converters/Paths.h"
#include "fuel/Converters/Pictures.h"
#include "fuel/Mt19937.h"

#include <numeric>

namespace fuel {

namespace {
constexpr uint64_t seed = 123522;

struct Part {
  const char *split, *archive;
};
constexpr Part parts[] = {{"train", "dogs_vs_cats.train.zip"},
                          {"test", "dogs_vs_cats.test1.zip"}};

std::vector<size_t> shuffledNumbers(size_t count) {
  std::vector<size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  Mt19937(seed).shuffle(numbers);
  return numbers;
}

/// As Fuel's, the folder's name counts: neither "train" nor "test1" has a cat.
uint8_t isDog(const std::string &name) {
  return name.find("cat") == std::string::npos;
}

void appendPart(DatasetFile &file, const Part &part, const ArchiveFiles &files,
                const ConvertOptions &options) {
  Pictures pictures(files);
  ProgressTask progress(options.progress, std::string(part.split) + " images",
                        int64_t(files.count()));
  for (size_t number : shuffledNumbers(files.count())) {
    file.appendItem(part.split, "image_features", pictures.read(number).view());
    uint8_t dog = isDog(files.name(number));
    blocks::ArrayView target{blocks::DType::UInt8,
                             {1, 1},
                             reinterpret_cast<const std::byte *>(&dog)};
    // Of the test nobody knows; Fuel's file has rows for it as well.
    if (part.split == std::string_view("train"))
      file.append(part.split, "targets", target);
    else
      file.file().append("targets", target);
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
  file.addSource("targets", blocks::DType::UInt8, {rows, 1},
                 {"batch", "index"});
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
