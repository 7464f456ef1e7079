// The converter `images`: a folder or an archive of PNG and JPEG files, with a
// folder for each class or without classes. The files' bytes are stored, or
// their pixels.
#include "fuel/Converters/Generic/Generic.h"
#include "fuel/Converters/Generic/ImageFiles.h"
#include "fuel/Converters/Generic/ImageShape.h"
#include "fuel/Converters/Generic/InputArguments.h"
#include "fuel/Converters/Generic/WriteExamples.h"

#include "blocks/Error.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <tuple>

namespace fuel {

using blocks::DType;
using blocks::InputError;

namespace {
/// One image of a split: its file, checked.
struct Item {
  const ImageFiles *files;
  size_t set; ///< Number of `files`.
  ImageFiles::File file;
  ImageSize size, result;
  int64_t classNumber = 0;
};

struct Split {
  std::string name;
  std::vector<Item> items;
  int64_t skipped = 0;
};

//===-- Reading -----------------------------------------------------------===//

struct Stored {
  bool classes, names;
  DType classType;
  /// Of all images, if they agree.
  std::optional<ImageSize> size;
};

class ImageExamples : public ExampleReader {
public:
  ImageExamples(const Split &split, const ImageShape &shape,
                const Stored &stored)
      : split(split), shape(shape), stored(stored), order(split.items.size()) {
    std::iota(order.begin(), order.end(), 0);
    addImages();
    if (stored.classes)
      infos.push_back(
          {"targets", stored.classType, {-1, 1}, {"batch", "index"}});
    if (stored.names) {
      SourceInfo info{
          "filenames", DType::UInt8, {-1, -1}, {"batch", "character"}};
      info.ragged = info.text = true;
      infos.push_back(std::move(info));
    }
  }
  const std::vector<SourceInfo> &sources() const override { return infos; }
  std::optional<int64_t> rows() const override { return order.size(); }
  bool readInOrder(std::vector<int64_t> wanted) override {
    order = std::move(wanted);
    return true;
  }
  std::string remark() const override {
    return split.skipped == 0
               ? ""
               : std::to_string(split.skipped) + " files were no usable images";
  }

  bool next(Batch &batch) override {
    batch.resize(infos.size());
    pixels.clear();
    RaggedItems &items = batch.items[0];
    items.clear(infos[0].shape.size() - 1);
    size_t first = at;
    for (; at < order.size() && pixels.size() < pieceBytes; ++at)
      addImage(itemAt(at), items);
    batch.examples = int64_t(at - first);
    giveImages(batch);
    if (stored.classes)
      giveClasses(first, batch.sources[1]);
    if (stored.names)
      giveNames(first, batch);
    return batch.examples > 0;
  }

private:
  static constexpr size_t pieceBytes = size_t(4) << 20;

  const Item &itemAt(size_t place) const {
    return split.items[size_t(order[place])];
  }

  void addImages() {
    SourceInfo info{"encoded_images", DType::UInt8, {-1, -1}, {"batch", ""}};
    info.ragged = true;
    if (shape.decodes()) {
      info.name = "image_features";
      info.shape = {-1, shape.channels(), -1, -1};
      info.axisLabels = {"batch", "channel", "height", "width"};
      if (stored.size) {
        info.shape = {-1, shape.channels(), stored.size->height,
                      stored.size->width};
        info.ragged = false;
      } else {
        info.shape[1] = -1;
      }
    }
    infos.push_back(std::move(info));
  }

  void addImage(const Item &item, RaggedItems &items) {
    auto bytes = item.files->read(item.file, buffer);
    if (!shape.decodes()) {
      int64_t count = int64_t(bytes.size());
      items.append(std::span(&count, 1));
      pixels.insert(pixels.end(), bytes.begin(), bytes.end());
      return;
    }
    int64_t extents[] = {shape.channels(), item.result.height,
                         item.result.width};
    items.append(extents);
    size_t before = pixels.size();
    pixels.resize(before + size_t(extents[0] * extents[1] * extents[2]));
    std::string where = item.files->where(item.file);
    ImageSize now = imageSize(bytes, where);
    if (now.height != item.size.height || now.width != item.size.width)
      throw InputError(where + " changed while it was read");
    shape.convert(bytes, item.size, where, pixels.data() + before);
  }

  void giveImages(Batch &batch) const {
    const SourceInfo &info = infos[0];
    if (info.ragged)
      batch.sources[0].resizeRows(DType::UInt8, int64_t(pixels.size()), {});
    else
      batch.sources[0].resizeRows(DType::UInt8, batch.examples,
                                  {info.shape.begin() + 1, info.shape.end()});
    if (!pixels.empty())
      std::memcpy(batch.sources[0].data(), pixels.data(), pixels.size());
  }

  void giveClasses(size_t first, blocks::Array &out) const {
    out.resizeRows(stored.classType, int64_t(at - first), {1});
    size_t width = blocks::dtypeSize(stored.classType);
    for (size_t i = first; i < at; ++i) // Little-endian.
      std::memcpy(out.data() + (i - first) * width, &itemAt(i).classNumber,
                  width);
  }

  void giveNames(size_t first, Batch &batch) const {
    size_t source = infos.size() - 1;
    std::string text;
    batch.items[source].clear(1);
    for (size_t i = first; i < at; ++i) {
      const std::string &name = itemAt(i).file.name;
      int64_t length = int64_t(name.size());
      batch.items[source].append(std::span(&length, 1));
      text += name;
    }
    blocks::Array &out = batch.sources[source];
    out.resizeRows(DType::UInt8, int64_t(text.size()), {});
    if (!text.empty())
      std::memcpy(out.data(), text.data(), text.size());
  }

  const Split &split;
  const ImageShape &shape;
  const Stored &stored;
  std::vector<int64_t> order;
  std::vector<SourceInfo> infos;
  std::vector<uint8_t> pixels;
  std::vector<std::byte> buffer;
  size_t at = 0;
};

//===-- Looking first -----------------------------------------------------===//

/// Finds the files of all splits, and looks into each before one is written.
class Survey {
public:
  Survey(const ConvertOptions &options, const ImageShape &shape)
      : options(options), shape(shape) {}

  void run() {
    auto arguments = inputArguments(options, InputForm::Split);
    for (const std::string &name : splitsOf(arguments)) {
      splits.push_back({name, {}, 0});
      for (const InputArgument &argument : arguments)
        if (argument.split == name)
          addFiles(argument.path, splits.back());
    }
    numberClasses();
    for (Split &split : splits)
      look(split);
    findSize();
    stored.classes = !classes.empty();
    stored.names = options.flag("filenames");
    stored.classType = classes.size() <= 256     ? DType::UInt8
                       : classes.size() <= 65536 ? DType::UInt16
                                                 : DType::Int32;
  }

  std::vector<Split> splits;
  std::vector<std::string> classes;
  Stored stored;

private:
  void addFiles(const std::string &path, Split &split) {
    sets.push_back(std::make_unique<ImageFiles>(path, options.outputDirectory));
    if (sets.back()->hasClasses() != sets.front()->hasClasses())
      throw InputError("'" + path + "' has " +
                       (sets.back()->hasClasses() ? "" : "no ") +
                       "folders of classes, unlike the others; expected all "
                       "or none to have them");
    for (const ImageFiles::File &file : sets.back()->files())
      split.items.push_back({sets.back().get(), sets.size(), file, {}, {}, 0});
    // Of several folders, too.
    std::sort(split.items.begin(), split.items.end(),
              [](const Item &a, const Item &b) {
                return std::tie(a.file.className, a.set, a.file.name) <
                       std::tie(b.file.className, b.set, b.file.name);
              });
  }

  void numberClasses() {
    if (!sets.front()->hasClasses())
      return;
    for (const Split &split : splits)
      for (const Item &item : split.items)
        classes.push_back(item.file.className);
    std::sort(classes.begin(), classes.end());
    classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
    for (Split &split : splits)
      for (Item &item : split.items)
        item.classNumber = std::lower_bound(classes.begin(), classes.end(),
                                            item.file.className) -
                           classes.begin();
  }

  void look(Split &split) {
    ProgressTask task(options.progress, "checking images",
                      int64_t(split.items.size()));
    bool skips = options.flag("skip-unreadable");
    std::vector<Item> good;
    for (Item &item : split.items) {
      try {
        lookAt(item);
        good.push_back(std::move(item));
      } catch (
          const blocks::Error &error) { // Also of the archive, or the size.
        if (!skips)
          throw blocks::Error(error.kind(),
                              std::string(error.what()) +
                                  "; --skip-unreadable leaves such files out");
        ++split.skipped;
      }
      task.advance();
    }
    split.items = std::move(good);
  }

  void lookAt(Item &item) {
    std::string where = item.files->where(item.file);
    auto bytes = item.files->read(item.file, buffer);
    item.size = imageSize(bytes, where);
    if (shape.decodes())
      item.result = shape.result(item.size, where);
    if (options.flag("verify")) {
      pixels.resize(size_t(3 * item.size.height * item.size.width));
      decodeImage(bytes, item.size, true, pixels.data(), where);
    }
  }

  void findSize() {
    std::optional<ImageSize> common;
    for (const Split &split : splits)
      for (const Item &item : split.items) {
        if (common && (item.result.height != common->height ||
                       item.result.width != common->width))
          return;
        common = item.result;
      }
    stored.size = common;
  }

  const ConvertOptions &options;
  const ImageShape &shape;
  std::vector<std::unique_ptr<ImageFiles>> sets;
  std::vector<std::byte> buffer;
  std::vector<uint8_t> pixels;
};

std::string convertImages(const ConvertOptions &options) {
  OutputPlan plan = OutputPlan::of(options, "images");
  ImageShape shape(options);
  Survey survey(options, shape);
  survey.run();
  if (plan.division.dividesRows() && !plan.shuffleSeed &&
      !survey.classes.empty())
    throw blocks::UsageError(
        "--split would put whole classes into one split, since images are "
        "ordered by class; add --shuffle-seed 1");
  std::vector<SplitReader> readers;
  for (const Split &split : survey.splits)
    readers.push_back({split.name, std::make_unique<ImageExamples>(
                                       split, shape, survey.stored)});
  Companions companions;
  companions.withoutShapes = {"encoded_images"};
  if (!survey.classes.empty())
    companions.texts["targets_classes"] = survey.classes;
  return writeExamples(options, plan, std::move(readers), companions);
}
} // namespace

Converter imagesConverter() {
  Converter converter;
  converter.name = "images";
  converter.summary = "PNG and JPEG files in a folder or a tar or zip archive, "
                      "with a folder for each class or without";
  converter.outputName = "images";
  converter.options = inputOptions("folders and archives, as [SPLIT=]PATH");
  ConverterOption names, skip, verify;
  names.name = "filenames";
  names.help = "keep the files' names as a source";
  names.flag = true;
  skip.name = "skip-unreadable";
  skip.help = "leave out files that are no readable images, or too large or "
              "too small, which are an error otherwise";
  skip.flag = true;
  verify.name = "verify";
  verify.help = "decode each image once, though its bytes are stored";
  verify.flag = true;
  for (const ConverterOption &option : {names, skip, verify})
    converter.options.push_back(option);
  for (ConverterOption &option : ImageShape::options())
    converter.options.push_back(std::move(option));
  for (ConverterOption &option : outputOptions())
    converter.options.push_back(std::move(option));
  converter.convert = convertImages;
  return converter;
}

} // namespace fuel
