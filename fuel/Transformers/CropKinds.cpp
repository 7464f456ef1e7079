// Transformers that take parts of images or mirror them:
// random_fixed_size_crop, center_crop, corner_crop, random_flip, flip. Axes
// must be labelled (batch,) channel, height, width.
#include "fuel/SourceLayers.h"
#include "fuel/Transformers/BuiltIn.h"

#include "blocks/Error.h"

#include <algorithm>
#include <cstring>

namespace fuel {

namespace {

const std::vector<std::string> imageAxes = {"channel", "height", "width"};

/// Copies a window of each channel. `mirror`: columns from right to left.
void copyWindow(const ItemView &image, int64_t top, int64_t left,
                std::span<const int64_t> shape, std::byte *out) {
  size_t width = blocks::dtypeSize(image.dtype);
  int64_t height = image.shape[1], stride = image.shape[2];
  size_t row = size_t(shape[2]) * width;
  for (int64_t c = 0; c < shape[0]; ++c)
    for (int64_t y = 0; y < shape[1]; ++y, out += row)
      std::memcpy(out,
                  image.data +
                      size_t((c * height + top + y) * stride + left) * width,
                  row);
}

/// The size of a window, and its part in all crops.
class Window {
public:
  explicit Window(TransformerOptions &options)
      : extents(options.takeExtents("window")) {
    if (extents.size() != 2)
      options.refuse("expects a window of height and width: window=32x32");
  }
  void describe(SourceInfo &info) const {
    info.shape[info.shape.size() - 2] = extents[0];
    info.shape[info.shape.size() - 1] = extents[1];
  }
  void shapeOf(const ItemView &image, const std::string &text,
               std::vector<int64_t> &shape) const {
    check(image.shape, text);
    shape.assign({image.shape[0], extents[0], extents[1]});
  }
  void check(std::span<const int64_t> image, const std::string &text) const {
    if (image.size() != 3 || image[1] < extents[0] || image[2] < extents[1])
      throw blocks::InputError(
          "an image of shape " +
          blocks::formatShape({image.begin(), image.end()}) +
          " is smaller than the window " + std::to_string(extents[0]) + "x" +
          std::to_string(extents[1]) + " of '" + text +
          "'; use minimum_image_dimensions before it, or a smaller window");
  }
  int64_t height() const { return extents[0]; }
  int64_t width() const { return extents[1]; }

private:
  std::vector<int64_t> extents;
};

/// A window at a random place. The numbers are drawn as Fuel draws them: for a
/// batch of one shape first all columns, then all rows; else image by image,
/// row before column.
class RandomCrop : public RandomItemLayer {
public:
  RandomCrop(std::unique_ptr<Layer> below,
             const std::vector<std::string> &which, TransformerOptions &options)
      : RandomItemLayer(std::move(below), which, options.written(),
                        uint64_t(options.takeInteger("seed", 1))),
        window(options) {
    expectLabels(imageAxes);
    for (size_t i = 0; i < infos.size(); ++i)
      if (selected[i] && !infos[i].ragged && infos[i].shape.end()[-2] >= 0 &&
          infos[i].shape.end()[-1] >= 0)
        window.check(std::vector<int64_t>(infos[i].shape.end() - 3,
                                          infos[i].shape.end()),
                     text);
    describeSources();
  }

protected:
  void changeInfo(SourceInfo &info) const override { window.describe(info); }
  size_t drawsPerItem() const override { return 2; }
  void draw(Mt19937 &generator, const ItemShapes &shapes,
            std::vector<double> &draws) const override {
    draws.resize(size_t(shapes.count) * 2);
    auto place = [&](int64_t i, int axis) {
      int64_t slack = shapes.shape(i)[size_t(axis)] -
                      (axis == 1 ? window.height() : window.width());
      draws[size_t(2 * i + axis - 1)] =
          double(generator.randomInteger(0, std::max<int64_t>(slack, 0)));
    };
    for (int64_t i = 0; i < shapes.count; ++i)
      window.check(shapes.shape(i), text);
    if (shapes.items || producesExamples()) {
      for (int64_t i = 0; i < shapes.count; ++i) {
        place(i, 1);
        place(i, 2);
      }
      return;
    }
    for (int axis : {2, 1})
      for (int64_t i = 0; i < shapes.count; ++i)
        place(i, axis);
  }
  void shapeOf(const ItemView &item, std::span<const double> draws,
               std::vector<int64_t> &shape) const override {
    window.shapeOf(item, text, shape);
    if (item.shape[1] - window.height() < int64_t(draws[0]) ||
        item.shape[2] - window.width() < int64_t(draws[1]))
      window.check({}, text);
  }
  void changeItem(const ItemView &item, std::span<const double> draws,
                  std::span<const int64_t> shape,
                  std::byte *out) const override {
    copyWindow(item, int64_t(draws[0]), int64_t(draws[1]), shape, out);
  }

private:
  Window window;
};

/// A window at a fixed place: fractions of the room there is.
class FixedCrop : public ItemLayer {
public:
  FixedCrop(std::unique_ptr<Layer> below, const std::vector<std::string> &which,
            TransformerOptions &options, bool bottom, bool right, bool centre)
      : ItemLayer(std::move(below), which, options.written()), window(options),
        bottom(bottom), right(right), centre(centre) {
    expectLabels(imageAxes);
    describeSources();
  }

protected:
  void changeInfo(SourceInfo &info) const override { window.describe(info); }
  void shapeOf(const ItemView &item, std::span<const double>,
               std::vector<int64_t> &shape) const override {
    window.shapeOf(item, text, shape);
  }
  void changeItem(const ItemView &item, std::span<const double>,
                  std::span<const int64_t> shape,
                  std::byte *out) const override {
    int64_t y = item.shape[1] - shape[1], x = item.shape[2] - shape[2];
    copyWindow(item,
               centre   ? y / 2
               : bottom ? y
                        : 0,
               centre  ? x / 2
               : right ? x
                       : 0,
               shape, out);
  }

private:
  Window window;
  bool bottom, right, centre;
};

//===-- Flips -------------------------------------------------------------===//

template <typename T>
void reverseRows(const std::byte *from, std::byte *to, int64_t rows,
                 int64_t length) {
  const T *in = reinterpret_cast<const T *>(from);
  T *out = reinterpret_cast<T *>(to);
  for (int64_t i = 0; i < rows; ++i, in += length, out += length)
    std::reverse_copy(in, in + length, out);
}

void mirrorColumns(const ItemView &image, std::byte *out) {
  int64_t rows = image.shape[0] * image.shape[1], length = image.shape[2];
  switch (blocks::dtypeSize(image.dtype)) {
  case 1:
    return reverseRows<uint8_t>(image.data, out, rows, length);
  case 2:
    return reverseRows<uint16_t>(image.data, out, rows, length);
  case 4:
    return reverseRows<uint32_t>(image.data, out, rows, length);
  default:
    return reverseRows<uint64_t>(image.data, out, rows, length);
  }
}

void mirrorRows(const ItemView &image, std::byte *out) {
  size_t row = size_t(image.shape[2]) * blocks::dtypeSize(image.dtype);
  int64_t height = image.shape[1];
  for (int64_t c = 0; c < image.shape[0]; ++c)
    for (int64_t y = 0; y < height; ++y, out += row)
      std::memcpy(out, image.data + size_t(c * height + height - 1 - y) * row,
                  row);
}

/// Mirrors each image with a probability; one number is drawn for each.
class RandomFlip : public RandomItemLayer {
public:
  RandomFlip(std::unique_ptr<Layer> below,
             const std::vector<std::string> &which, TransformerOptions &options)
      : RandomItemLayer(std::move(below), which, options.written(),
                        uint64_t(options.takeInteger("seed", 1))),
        probability(options.takeNumber("probability", 0.5)) {
    std::string axis = options.take("axis", "width");
    if (axis != "width" && axis != "height")
      refuse("has axis=" + axis + "; expected width or height");
    columns = axis == "width";
    expectLabels(imageAxes);
    describeSources();
  }

protected:
  void changeInfo(SourceInfo &) const override {}
  bool drawsNeedShapes() const override { return false; }
  size_t drawsPerItem() const override { return 1; }
  void draw(Mt19937 &generator, const ItemShapes &shapes,
            std::vector<double> &draws) const override {
    for (int64_t i = 0; i < shapes.count; ++i)
      draws.push_back(generator.randomSample());
  }
  void shapeOf(const ItemView &item, std::span<const double>,
               std::vector<int64_t> &shape) const override {
    shape.assign(item.shape.begin(), item.shape.end());
  }
  void changeItem(const ItemView &item, std::span<const double> draws,
                  std::span<const int64_t>, std::byte *out) const override {
    if (!(draws[0] < probability))
      std::memcpy(out, item.data,
                  size_t(item.size()) * blocks::dtypeSize(item.dtype));
    else if (columns)
      mirrorColumns(item, out);
    else
      mirrorRows(item, out);
  }

private:
  double probability;
  bool columns = true;
};

template <typename T>
std::unique_ptr<Layer> makeRandom(std::unique_ptr<Layer> inner,
                                  TransformerOptions &options) {
  auto which = options.takeWhich();
  return std::make_unique<T>(std::move(inner), which, options);
}

std::unique_ptr<Layer> makeCorner(std::unique_ptr<Layer> inner,
                                  TransformerOptions &options) {
  auto which = options.takeWhich();
  std::string corner = options.take("corner", "top_left");
  bool bottom = corner.starts_with("bottom_"),
       right = corner.ends_with("right");
  if (corner !=
      std::string(bottom ? "bottom_" : "top_") + (right ? "right" : "left"))
    options.refuse("has corner=" + corner +
                   "; expected top_left, top_right, bottom_left or "
                   "bottom_right");
  return std::make_unique<FixedCrop>(std::move(inner), which, options, bottom,
                                     right, false);
}
} // namespace

void addCropKinds(Registry &registry) {
  TransformerKind::Option window{"window", "", "height and width: 32x32"};
  registry.add({"random_fixed_size_crop",
                "a part of each image, at a random place",
                {window, seedOption(), whichOption()},
                makeRandom<RandomCrop>});
  registry.add({"center_crop",
                "the middle of each image",
                {window, whichOption()},
                [](std::unique_ptr<Layer> inner, TransformerOptions &options) {
                  auto which = options.takeWhich();
                  return std::make_unique<FixedCrop>(
                      std::move(inner), which, options, false, false, true);
                }});
  registry.add({"corner_crop",
                "a corner of each image",
                {window,
                 {"corner", "top_left",
                  "top_left, top_right, bottom_left or bottom_right"},
                 whichOption()},
                makeCorner});
  registry.add({"random_flip",
                "mirrors each image with a probability",
                {{"axis", "width", "width or height"},
                 {"probability", "0.5", "1: always"},
                 seedOption(),
                 whichOption()},
                makeRandom<RandomFlip>});
}

} // namespace fuel
