// Transformers of images: images_from_bytes, minimum_image_dimensions,
// random_2d_rotation.
#include "fuel/Images/ImageDecoder.h"
#include "fuel/Images/Resample.h"
#include "fuel/SourceLayers.h"
#include "fuel/Transformers/BuiltIn.h"

#include "blocks/Error.h"

#include <algorithm>
#include <cmath>

namespace fuel {

using blocks::DType;

namespace {

/// PNG or JPEG bytes to (channel, height, width).
class ImagesFromBytes : public ItemLayer {
public:
  ImagesFromBytes(std::unique_ptr<Layer> below,
                  const std::vector<std::string> &which,
                  TransformerOptions &options)
      : ItemLayer(std::move(below), which, options.written()) {
    std::string mode = options.take("color_mode", "RGB");
    if (mode != "RGB" && mode != "L")
      refuse("has color_mode=" + mode + "; expected RGB or L (grey)");
    colour = mode == "RGB";
    describeSources();
  }

protected:
  void changeInfo(SourceInfo &info) const override {
    size_t own = batchAxes();
    if (info.dtype != DType::UInt8 || info.shape.size() != own + 1)
      refuse("decodes bytes, but '" + info.name + "' is of type " +
             std::string(blocks::dtypeName(info.dtype)) + " with " +
             std::to_string(info.shape.size() - own) +
             " axes an example; choose the sources with which=…");
    info.shape.resize(own);
    info.shape.insert(info.shape.end(), {colour ? 3 : 1, -1, -1});
    std::string first = info.axisLabels.empty() ? "batch" : info.axisLabels[0];
    info.axisLabels = {"channel", "height", "width"};
    if (own)
      info.axisLabels.insert(info.axisLabels.begin(),
                             first.empty() ? "batch" : first);
    info.ragged = own > 0;
    info.text = false;
  }
  void shapeOf(const ItemView &item, std::span<const double>,
               std::vector<int64_t> &shape) const override {
    ImageSize size = imageSize(bytesOf(item), where());
    shape.assign({colour ? 3 : 1, size.height, size.width});
  }
  void changeItem(const ItemView &item, std::span<const double>,
                  std::span<const int64_t> shape,
                  std::byte *out) const override {
    decodeImage(bytesOf(item), {shape[1], shape[2]}, colour,
                reinterpret_cast<uint8_t *>(out), where());
  }

private:
  static std::span<const uint8_t> bytesOf(const ItemView &item) {
    return {reinterpret_cast<const uint8_t *>(item.data), size_t(item.size())};
  }
  std::string where() const { return "an item given to '" + text + "'"; }
  bool colour;
};

bool isFiltered(Resampling how, DType dtype) {
  return how == Resampling::Nearest || dtype == DType::UInt8 ||
         dtype == DType::Float32 || dtype == DType::Float64;
}

std::string describeUnfiltered(const SourceInfo &info) {
  return "filters bytes, f32 and f64, but '" + info.name + "' is of type " +
         std::string(blocks::dtypeName(info.dtype)) +
         "; use resample=nearest or cast it before";
}

/// Images enlarged, keeping their proportions, to cover a height and a width.
class MinimumDimensions : public ItemLayer {
public:
  MinimumDimensions(std::unique_ptr<Layer> below,
                    const std::vector<std::string> &which,
                    TransformerOptions &options)
      : ItemLayer(std::move(below), which, options.written()),
        minimum(options.takeExtents("shape")) {
    std::string name = options.take("resample", "nearest");
    if (minimum.size() != 2)
      refuse("expects a height and a width: shape=32x32");
    if (!resamplingOf(name))
      refuse("has resample=" + name +
             "; expected nearest, bilinear, bicubic or lanczos");
    how = *resamplingOf(name);
    expectLabels({"channel", "height", "width"});
    describeSources();
  }

protected:
  void changeInfo(SourceInfo &info) const override {
    if (!isFiltered(how, info.dtype))
      refuse(describeUnfiltered(info));
    std::span<int64_t> size = std::span(info.shape).last(2);
    int64_t channels = info.shape[info.shape.size() - 3];
    if (info.ragged || size[0] < 0 || size[1] < 0) {
      size[0] = size[1] = -1;
      return;
    }
    auto [height, width] = sizeFor(channels, size[0], size[1]);
    size[0] = height;
    size[1] = width;
  }
  void shapeOf(const ItemView &item, std::span<const double>,
               std::vector<int64_t> &shape) const override {
    if (item.shape[1] < 1 || item.shape[2] < 1)
      throw blocks::InputError("an image without pixels was given to '" + text +
                               "'; filter such images out");
    auto [height, width] = sizeFor(item.shape[0], item.shape[1], item.shape[2]);
    shape.assign({item.shape[0], height, width});
  }
  void changeItem(const ItemView &item, std::span<const double>,
                  std::span<const int64_t> shape,
                  std::byte *out) const override {
    size_t element = blocks::dtypeSize(item.dtype);
    for (int64_t c = 0; c < shape[0]; ++c)
      resizePlane(item.dtype,
                  item.data +
                      size_t(c * item.shape[1] * item.shape[2]) * element,
                  item.shape[1], item.shape[2],
                  out + size_t(c * shape[1] * shape[2]) * element, shape[1],
                  shape[2], how);
  }

private:
  std::pair<int64_t, int64_t> sizeFor(int64_t channels, int64_t height,
                                      int64_t width) const {
    if (height < 1 || width < 1 ||
        (height >= minimum[0] && width >= minimum[1]))
      return {height, width};
    double factor = std::max(double(minimum[1]) / double(width),
                             double(minimum[0]) / double(height));
    double tall = std::ceil(double(height) * factor);
    double wide = std::ceil(double(width) * factor);
    if (double(std::max<int64_t>(channels, 1)) * tall * wide > mostPixels)
      throw blocks::InputError(
          "'" + text + "' would enlarge an image of " + std::to_string(height) +
          "x" + std::to_string(width) + " to more than 2^28 pixels in all " +
          "its channels; filter such images out");
    return {int64_t(tall), int64_t(wide)};
  }
  static constexpr double mostPixels = double(int64_t(1) << 28);
  std::vector<int64_t> minimum;
  Resampling how;
};

/// Each image turned by a random angle.
class RandomRotation : public RandomItemLayer {
public:
  RandomRotation(std::unique_ptr<Layer> below,
                 const std::vector<std::string> &which,
                 TransformerOptions &options)
      : RandomItemLayer(std::move(below), which, options.written(),
                        uint64_t(options.takeInteger("seed", 1))) {
    constexpr double pi = 3.14159265358979323846;
    most = options.takeNumber("maximum_rotation", pi) * (180 / pi);
    std::string name = options.take("resample", "nearest");
    if (name != "nearest" && name != "bilinear")
      refuse("has resample=" + name + "; expected nearest or bilinear");
    how = *resamplingOf(name);
    expectLabels({"channel", "height", "width"});
    describeSources();
  }

protected:
  void changeInfo(SourceInfo &info) const override {
    if (!isFiltered(how, info.dtype))
      refuse(describeUnfiltered(info));
  }
  bool drawsNeedShapes() const override { return false; }
  size_t drawsPerItem() const override { return 1; }
  void draw(Mt19937 &generator, const ItemShapes &shapes,
            std::vector<double> &draws) const override {
    for (int64_t i = 0; i < shapes.count; ++i)
      draws.push_back(generator.uniform(-most, most));
  }
  void shapeOf(const ItemView &item, std::span<const double>,
               std::vector<int64_t> &shape) const override {
    shape.assign(item.shape.begin(), item.shape.end());
  }
  void changeItem(const ItemView &item, std::span<const double> draws,
                  std::span<const int64_t> shape,
                  std::byte *out) const override {
    size_t plane = size_t(shape[1] * shape[2]) * blocks::dtypeSize(item.dtype);
    for (int64_t c = 0; c < shape[0]; ++c)
      rotatePlane(item.dtype, item.data + size_t(c) * plane, shape[1], shape[2],
                  out + size_t(c) * plane, draws[0], how);
  }

private:
  double most;
  Resampling how;
};

template <typename T>
std::unique_ptr<Layer> makeImageLayer(std::unique_ptr<Layer> inner,
                                      TransformerOptions &options) {
  auto which = options.takeWhich();
  return std::make_unique<T>(std::move(inner), which, options);
}
} // namespace

void addImageKinds(Registry &registry) {
  registry.add({"images_from_bytes",
                "decodes PNG and JPEG",
                {{"color_mode", "RGB", "RGB or L (grey)"}, whichOption()},
                makeImageLayer<ImagesFromBytes>});
  registry.add(
      {"minimum_image_dimensions",
       "enlarges images that do not cover a height and a width",
       {{"shape", "", "height and width: 32x32"},
        {"resample", "nearest", "nearest, bilinear, bicubic or lanczos"},
        whichOption()},
       makeImageLayer<MinimumDimensions>});
  registry.add({"random_2d_rotation",
                "turns each image by a random angle",
                {{"maximum_rotation", "pi", "in radians, either way"},
                 {"resample", "nearest", "nearest or bilinear"},
                 seedOption(),
                 whichOption()},
                makeImageLayer<RandomRotation>});
}

} // namespace fuel
