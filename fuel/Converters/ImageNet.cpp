// The converters ilsvrc2010 and ilsvrc2012: archives of JPEG images to sources
// `encoded_images` (their bytes), `targets` (n, 1: class numbers) and
// `filenames` (n, 1); splits `train`, `valid` and `test`. Images for training
// are shuffled, as Fuel does for the same seed: image i goes to the row that a
// permutation names. Of 2012 nobody knows the classes of the images for the
// test, and `targets` ends before them.
#include "fuel/Converters/BuiltIn.h"

#include "blocks/Error.h"
#include "fuel/Config.h"
#include "fuel/Converters/ConvertOptions.h"
#include "fuel/Converters/ImageNetKit.h"
#include "fuel/Converters/ImageNetTar.h"
#include "fuel/Converters/Paths.h"
#include "fuel/Converters/RowBlock.h"
#include "fuel/Mt19937.h"

#include <cstring>
#include <numeric>

namespace fuel {

namespace {
using blocks::DType;
using blocks::InputError;

struct Competition {
  std::string name;
  ImageNetFiles kit;
  std::string train, valid, test;
  std::string patches, testTruth; ///< "" where there are none.

  std::vector<std::string> files() const {
    std::vector<std::string> names{kit.kit, train, valid, test};
    for (const std::string &name : {patches, testTruth})
      if (!name.empty())
        names.push_back(name);
    return names;
  }
};

Competition ilsvrc2010() {
  return {"ilsvrc2010",
          {"ILSVRC2010_devkit-1.0.tar.gz", "devkit-1.0/data/meta.mat",
           "devkit-1.0/data/ILSVRC2010_validation_ground_truth.txt",
           "ILSVRC2010_ID"},
          "ILSVRC2010_images_train.tar",
          "ILSVRC2010_images_val.tar",
          "ILSVRC2010_images_test.tar",
          "patch_images.tar",
          "ILSVRC2010_test_ground_truth.txt"};
}

Competition ilsvrc2012() {
  return {"ilsvrc2012",
          {"ILSVRC2012_devkit_t12.tar.gz",
           "ILSVRC2012_devkit_t12/data/meta.mat",
           "ILSVRC2012_devkit_t12/data/ILSVRC2012_validation_ground_truth.txt",
           "ILSVRC2012_ID"},
          "ILSVRC2012_img_train.tar",
          "ILSVRC2012_img_val.tar",
          "ILSVRC2012_img_test.tar",
          "",
          ""};
}

/// One split: its archive, and its images in the order of their rows.
struct Part {
  std::string split;
  std::unique_ptr<ImageNetTar> tar;
  std::vector<ImageNetImage> images;
  ImageNetPatches patches;
  bool labelled = true;
};

void requireCount(const std::string &path, size_t found, int64_t expected,
                  const std::string &who) {
  if (int64_t(found) != expected)
    throw InputError("'" + path + "' holds " + std::to_string(found) +
                     " images; " + who + " announces " +
                     std::to_string(expected));
}

void label(std::vector<ImageNetImage> &images,
           const std::vector<int16_t> &truth) {
  for (size_t i = 0; i < images.size(); ++i)
    images[i].label = truth[i];
}

std::vector<ImageNetImage> shuffled(std::vector<ImageNetImage> images,
                                    uint64_t seed) {
  std::vector<size_t> rows(images.size());
  std::iota(rows.begin(), rows.end(), 0);
  Mt19937(seed).shuffle(rows);
  std::vector<ImageNetImage> result(images.size());
  for (size_t i = 0; i < images.size(); ++i)
    result[rows[i]] = images[i];
  return result;
}

class Conversion {
public:
  Conversion(const Competition &competition, const ConvertOptions &options)
      : competition(competition), options(options),
        kit(readImageNetKit(path(competition.kit.kit), competition.kit,
                            options.outputDirectory)) {}

  std::string run(const std::string &output) {
    openTrain();
    openValid();
    openTest();
    DatasetFile file(output);
    declareSources(file.file());
    for (const Part &part : parts)
      append(file, part);
    file.commit(options.command);
    return output;
  }

private:
  std::string path(const std::string &name) const {
    return options.directory + "/" + name;
  }
  Part &open(const std::string &split, const std::string &archive,
             const std::string &patchFolder) {
    Part &part = parts.emplace_back();
    part.split = split;
    part.tar = std::make_unique<ImageNetTar>(path(archive));
    if (!competition.patches.empty())
      part.patches =
          ImageNetTar(path(competition.patches)).patches(patchFolder);
    return part;
  }
  uint64_t seed() const {
    return checkedShuffleSeed(options.has("shuffle-seed")
                                  ? options.integer("shuffle-seed")
                                  : loadConfig().defaultSeed);
  }
  void openTrain() {
    uint64_t chosen = seed();
    Part &part = open("train", competition.train, "train");
    std::vector<ImageNetImage> images = part.tar->imagesOfClasses(kit.classes);
    requireCount(path(competition.train), images.size(), kit.trainImages,
                 "the development kit");
    part.images = shuffled(std::move(images), chosen);
  }
  void openValid() {
    Part &part = open("valid", competition.valid, "val");
    part.images = part.tar->images();
    requireCount(path(competition.valid), part.images.size(),
                 int64_t(kit.validTruth.size()), "the development kit");
    label(part.images, kit.validTruth);
  }
  void openTest() {
    Part &part = open("test", competition.test, "test");
    part.images = part.tar->images();
    part.labelled = !competition.testTruth.empty();
    if (!part.labelled)
      return;
    std::string truthPath = path(competition.testTruth);
    blocks::MappedFile text(truthPath);
    std::vector<int16_t> truth =
        readGroundTruth(kit, text.bytes(), "'" + truthPath + "'");
    requireCount(path(competition.test), part.images.size(),
                 int64_t(truth.size()), "'" + truthPath + "'");
    label(part.images, truth);
  }

  void declareSources(Writer &writer) const {
    int64_t all = 0, labelled = 0;
    for (const Part &part : parts) {
      all += int64_t(part.images.size());
      labelled += part.labelled ? int64_t(part.images.size()) : 0;
    }
    Writer::SourceOptions rows;
    rows.rows = all;
    rows.shapes = false;
    SourceInfo images{"encoded_images", DType::UInt8, {-1, -1}, {}};
    images.ragged = true;
    writer.addSource(images, rows);
    rows.rows = labelled;
    writer.addSource({"targets", DType::Int16, {-1, 1}, {}}, rows);
    rows.rows = all;
    SourceInfo names{
        "filenames", DType::UInt8, {-1, 1, int64_t(imageNetNameBytes)}, {}};
    names.text = true;
    writer.addSource(names, rows);
  }

  void append(DatasetFile &file, const Part &part) const {
    RowBlock names(file, part.split, "filenames", DType::UInt8,
                   {1, int64_t(imageNetNameBytes)});
    RowBlock targets(file, part.split, "targets", DType::Int16, {1});
    ProgressTask progress(options.progress, part.split + " images",
                          int64_t(part.images.size()));
    std::vector<std::byte> buffer;
    size_t patched = 0;
    for (const ImageNetImage &image : part.images) {
      std::span<const std::byte> bytes = bytesOf(part, image, buffer, patched);
      file.appendItem(part.split, "encoded_images",
                      {DType::UInt8, {int64_t(bytes.size())}, bytes.data()});
      std::memcpy(names.add(), image.name.data(), image.name.size());
      if (part.labelled)
        *targets.add<int16_t>() = image.label;
      progress.advance();
    }
    names.flush();
    targets.flush();
    if (patched != part.patches.size())
      throw InputError("'" + path(competition.patches) + "' holds " +
                       std::to_string(part.patches.size()) + " images for '" +
                       part.split + "', of which only " +
                       std::to_string(patched) + " replace one");
  }
  static std::span<const std::byte> bytesOf(const Part &part,
                                            const ImageNetImage &image,
                                            std::vector<std::byte> &buffer,
                                            size_t &patched) {
    std::string name(image.name.data(),
                     ::strnlen(image.name.data(), image.name.size()));
    auto found = part.patches.find(name);
    if (found == part.patches.end())
      return part.tar->encoded(image, buffer);
    ++patched;
    return found->second;
  }

  const Competition &competition;
  const ConvertOptions &options;
  ImageNetKit kit;
  std::vector<Part> parts;
};

Converter converterOf(Competition competition, const std::string &year) {
  Converter converter;
  converter.name = converter.outputName = competition.name;
  converter.summary = "ImageNet's competition of " + year +
                      ": the encoded images, their classes and names";
  converter.files = competition.files();
  converter.options = {{"shuffle-seed",
                        "seed of the order of the images for training; "
                        "otherwise the configuration's default_seed, or 1"}};
  converter.convert = [competition](const ConvertOptions &options) {
    std::string output = outputPath(options, competition.name);
    findInputs(options, competition.name, competition.files());
    return Conversion(competition, options).run(output);
  };
  return converter;
}
} // namespace

Converter ilsvrc2010Converter() { return converterOf(ilsvrc2010(), "2010"); }
Converter ilsvrc2012Converter() { return converterOf(ilsvrc2012(), "2012"); }

} // namespace fuel
