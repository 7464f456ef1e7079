//===- ImageConfig.cpp - Settings of bricks over images -------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/ImageConfig.h"

using namespace mlir;

namespace blocks {

std::string pairText(Pair pair) {
  return std::to_string(pair[0]) + "x" + std::to_string(pair[1]);
}

/// The two integers of a list, if it is one.
static std::optional<Pair> pairOf(Attribute value, int64_t least) {
  auto list = dyn_cast_or_null<ArrayAttr>(value);
  if (!list || list.size() != 2)
    return std::nullopt;
  Pair pair;
  for (unsigned axis : {0, 1}) {
    auto number = dyn_cast<IntegerAttr>(list[axis]);
    if (!number || number.getInt() < least)
      return std::nullopt;
    pair[axis] = number.getInt();
  }
  return pair;
}

/// Beyond this an image's extents would not fit any memory; sums and products
/// of two stay below 2⁶³.
constexpr int64_t largest = int64_t(1) << 30;

static FailureOr<Pair> checkLargest(const BrickConfig &config, StringRef key,
                                    Pair pair) {
  if (std::max(pair[0], pair[1]) <= largest)
    return pair;
  return config.wrong(key, "numbers of at most " + std::to_string(largest));
}

FailureOr<Pair> readPair(const BrickConfig &config, StringRef key,
                         int64_t least, std::optional<Pair> otherwise) {
  std::string what =
      "[height, width], two integers of at least " + std::to_string(least);
  Attribute value = config.get(key);
  if (!value && otherwise)
    return *otherwise;
  if (!value)
    return config.error() << "needs the setting '" << key << "', " << what;
  if (std::optional<Pair> pair = pairOf(value, least))
    return checkLargest(config, key, *pair);
  return config.wrong(key, what);
}

FailureOr<Pair> readBorderMode(const BrickConfig &config, Pair kernel) {
  constexpr StringLiteral key = "border_mode";
  Attribute value = config.get(key);
  if (!value)
    return Pair{0, 0};
  if (auto name = dyn_cast<StringAttr>(value)) {
    if (name == "valid")
      return Pair{0, 0};
    if (name == "full")
      return Pair{kernel[0] - 1, kernel[1] - 1};
    if (name == "half")
      return Pair{kernel[0] / 2, kernel[1] / 2};
  }
  if (auto number = dyn_cast<IntegerAttr>(value);
      number && number.getInt() >= 0)
    return checkLargest(config, key, {number.getInt(), number.getInt()});
  if (std::optional<Pair> pair = pairOf(value, 0))
    return checkLargest(config, key, *pair);
  return config.wrong(key, "\"valid\", \"full\", \"half\", a padding of at "
                           "least 0, or [vertical, horizontal]");
}

FailureOr<ConvolutionConfig>
ConvolutionConfig::read(const BrickConfig &config) {
  ConvolutionConfig read;
  FailureOr<Pair> kernel = readPair(config, "filter_size", 1);
  FailureOr<Pair> step = readPair(config, "step", 1, Pair{1, 1});
  FailureOr<int64_t> filters = config.positive("num_filters");
  FailureOr<int64_t> channels = config.positive("num_channels");
  FailureOr<bool> tied = config.flag("tied_biases", true);
  FailureOr<bool> bias = config.flag("use_bias", true);
  FailureOr<bool> flipped = config.flag("flipped", false);
  if (failed(kernel) || failed(step) || failed(filters) || failed(channels) ||
      failed(tied) || failed(bias) || failed(flipped))
    return failure();
  FailureOr<Pair> padding = readBorderMode(config, *kernel);
  if (failed(padding))
    return failure();
  if (config.get("image_size")) {
    FailureOr<Pair> size = readPair(config, "image_size", 1);
    if (failed(size))
      return failure();
    read.imageSize = *size;
  }
  read.filterSize = *kernel;
  read.step = *step;
  read.padding = *padding;
  read.filters = *filters;
  read.channels = *channels;
  read.tiedBiases = *tied;
  read.useBias = *bias;
  read.flipped = *flipped;
  return read;
}

Pair ConvolutionConfig::resultSize(Pair image) const {
  Pair result;
  for (unsigned axis : {0, 1})
    result[axis] = convolvedExtent(image[axis], filterSize[axis], step[axis],
                                   2 * padding[axis]);
  return result;
}

FailureOr<PoolConfig> PoolConfig::read(const BrickConfig &config) {
  FailureOr<Pair> window = readPair(config, "pooling_size", 1);
  if (failed(window))
    return failure();
  FailureOr<Pair> step = readPair(config, "step", 1, *window);
  FailureOr<Pair> padding = readPair(config, "padding", 0, Pair{0, 0});
  FailureOr<bool> ignoreBorder = config.flag("ignore_border", true);
  if (failed(step) || failed(padding) || failed(ignoreBorder))
    return failure();
  for (unsigned axis : {0, 1})
    if ((*padding)[axis] >= (*window)[axis])
      return config.wrong("padding",
                          "less than pooling_size " + pairText(*window));
  if (!*ignoreBorder && *padding != Pair{0, 0})
    return config.wrong("padding", "[0, 0] with ignore_border = false");
  return PoolConfig{*window, *step, *padding, !*ignoreBorder};
}

Pair PoolConfig::resultSize(Pair image) const {
  Pair result;
  for (unsigned axis : {0, 1})
    result[axis] = pooledExtent(image[axis], window[axis], step[axis],
                                padding[axis], partial);
  return result;
}

RankedTensorType imagesOf(ApplicationBuilder &builder) {
  RankedTensorType type = builder.floats(0, 4);
  if (!type)
    return {};
  if (type.getRank() != 4) {
    builder.error() << "needs images with the axes (batch, channels, height, "
                       "width), found"
                    << builder.originText() << " shape " << shapeText(type);
    return {};
  }
  for (unsigned axis : {1, 2, 3})
    if (type.isDynamicDim(axis)) {
      builder.error() << "needs images whose channels, height and width are "
                         "known, found"
                      << builder.originText() << " shape " << shapeText(type)
                      << "; give them in the type";
      return {};
    }
  return type;
}

} // namespace blocks
