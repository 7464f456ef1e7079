//===- Convolutional.cpp - Convolutional, ConvolutionalTranspose ----------===//
//
// Filters over (batch, channels, height, width). The default is the
// cross-correlation of today's libraries; `flipped` gives Blocks' own
// convolution, so that its weights can be used.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/BrickLibrary.h"
#include "lib/Bricks/ImageConfig.h"

using namespace mlir;

namespace blocks {
namespace {

Pair sizeOf(RankedTensorType images) {
  return {images.getDimSize(2), images.getDimSize(3)};
}

/// b for each filter, or for each filter and place.
LogicalResult declareBias(BrickDeclaration &brick,
                          const ConvolutionConfig &config,
                          std::optional<Pair> result) {
  if (!config.useBias)
    return success();
  SmallVector<int64_t> shape{config.filters};
  if (!config.tiedBiases) {
    if (!result)
      return brick.config.error()
             << "needs the setting 'image_size' for untied biases, which are "
                "as many as the result has places";
    shape.append(result->begin(), result->end());
  }
  return brick.parameter("b", shape, Role::Bias, biasesInit);
}

Value addBias(ApplicationBuilder &builder, const ConvolutionConfig &config,
              Value y) {
  if (!config.useBias)
    return y;
  SmallVector<int64_t> dims{1};
  if (!config.tiedBiases)
    dims = {1, 2, 3};
  Value b = builder.parameter("b");
  Value wide = BroadcastOp::create(builder.ops, builder.getLoc(), b, y, dims);
  return arith::AddFOp::create(builder.ops, builder.getLoc(), y, wide);
}

LogicalResult declareFilters(BrickDeclaration &brick,
                             const ConvolutionConfig &config) {
  return brick.parameter("W",
                         {config.filters, config.channels, config.filterSize[0],
                          config.filterSize[1]},
                         Role::Filter, weightsInit);
}

/// The images that both bricks take: channels and size as configured, and
/// parameters of their element type.
LogicalResult checkImages(ApplicationBuilder &builder,
                          const ConvolutionConfig &config,
                          RankedTensorType images) {
  if (failed(builder.expectExtent(0, 1, config.channels, "channels")))
    return failure();
  if (config.imageSize && *config.imageSize != sizeOf(images))
    return builder.error() << "was given image_size "
                           << pairText(*config.imageSize) << ", but its input"
                           << builder.originText() << " has shape "
                           << shapeText(images);
  return success();
}

/// y = W slid over x, + b.
class Convolutional : public BrickKind {
  StringRef getName() const override { return "Convolutional"; }
  std::vector<StringRef> getSettings() const override {
    return {"filter_size", "num_filters", "num_channels", "image_size",
            "step",        "border_mode", "tied_biases",  "use_bias",
            "flipped",     weightsInit,   biasesInit};
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<ConvolutionConfig> config = ConvolutionConfig::read(brick.config);
    if (failed(config) || failed(declareFilters(brick, *config)))
      return failure();
    std::optional<Pair> result;
    if (config->imageSize) {
      result = config->resultSize(*config->imageSize);
      if ((*result)[0] < 1 || (*result)[1] < 1)
        return brick.config.error()
               << kernelTooLarge(*config, *config->imageSize);
    }
    return declareBias(brick, *config, result);
  }

  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    FailureOr<ConvolutionConfig> config =
        ConvolutionConfig::read(builder.config);
    if (failed(config) || failed(builder.takes({"input_"})))
      return failure();
    RankedTensorType images = imagesOf(builder);
    if (!images || failed(checkImages(builder, *config, images)))
      return failure();
    Pair result = config->resultSize(sizeOf(images));
    if (result[0] < 1 || result[1] < 1)
      return builder.error()
             << kernelTooLarge(*config, sizeOf(images)) << builder.originText();
    builder.addNorms();
    Value y = ConvolutionOp::create(
        builder.ops, builder.getLoc(), builder.argument(0),
        builder.parameter("W"), config->step, config->sides(), config->flipped);
    builder.result(addBias(builder, *config, y), "output");
    return success();
  }

  static std::string kernelTooLarge(const ConvolutionConfig &config,
                                    Pair image) {
    return "has a kernel of " + pairText(config.filterSize) +
           " that is larger than its images of " + pairText(image) +
           " with a padding of " + pairText(config.padding) +
           " on each side; choose a smaller filter_size or another border_mode";
  }
};

/// y = the gradient of a convolution with respect to its images, at x, + b.
class ConvolutionalTranspose : public BrickKind {
  StringRef getName() const override { return "ConvolutionalTranspose"; }
  std::vector<StringRef> getSettings() const override {
    return {"filter_size",
            "num_filters",
            "num_channels",
            "image_size",
            "original_image_size",
            "unused_edge",
            "step",
            "border_mode",
            "tied_biases",
            "use_bias",
            "flipped",
            weightsInit,
            biasesInit};
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<ConvolutionConfig> config = ConvolutionConfig::read(brick.config);
    if (failed(config) || failed(declareFilters(brick, *config)))
      return failure();
    if (!config->imageSize)
      return brick.config.error()
             << "needs the setting 'image_size', [height, width] of its input";
    FailureOr<Pair> result = resultSize(brick.config, *config);
    return failed(result) ? failure() : declareBias(brick, *config, *result);
  }

  /// The size of the images whose convolution has `image_size`: as given, or
  /// the smallest plus `unused_edge`.
  static FailureOr<Pair> resultSize(const BrickConfig &brick,
                                    const ConvolutionConfig &config) {
    FailureOr<Pair> unused = readPair(brick, "unused_edge", 0, Pair{0, 0});
    if (failed(unused))
      return failure();
    Pair image = *config.imageSize, result;
    for (unsigned axis : {0, 1})
      result[axis] = config.step[axis] * (image[axis] - 1) +
                     config.filterSize[axis] - 2 * config.padding[axis] +
                     (*unused)[axis];
    if (brick.get("original_image_size")) {
      FailureOr<Pair> given = readPair(brick, "original_image_size", 1);
      if (failed(given))
        return failure();
      if (brick.get("unused_edge") && *given != result)
        return brick.error() << "has original_image_size " << pairText(*given)
                             << ", but with unused_edge " << pairText(*unused)
                             << " images would be " << pairText(result)
                             << "; leave one of the two out";
      result = *given;
    }
    if (result[0] < 1 || result[1] < 1 || config.resultSize(result) != image)
      return brick.error() << "would make images of " << pairText(result)
                           << ", whose convolution with a kernel of "
                           << pairText(config.filterSize) << ", step "
                           << pairText(config.step) << " and a padding of "
                           << pairText(config.padding)
                           << " is not of image_size " << pairText(image)
                           << "; change original_image_size or unused_edge";
    return result;
  }

  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    FailureOr<ConvolutionConfig> config =
        ConvolutionConfig::read(builder.config);
    if (failed(config) || failed(builder.takes({"input_"})))
      return failure();
    RankedTensorType images = imagesOf(builder);
    FailureOr<Pair> size = resultSize(builder.config, *config);
    if (!images || failed(size) ||
        failed(checkImages(builder, *config, images)))
      return failure();
    builder.addNorms();
    // What are filters of the transposed convolution are channels of the other.
    Value filters = TransposeOp::create(builder.ops, builder.getLoc(),
                                        builder.parameter("W"),
                                        ArrayRef<int64_t>{1, 0, 2, 3});
    auto type = images.clone(
        {images.getDimSize(0), config->filters, (*size)[0], (*size)[1]});
    Value y = ConvolutionInputGradOp::create(
        builder.ops, builder.getLoc(), type, builder.argument(0), filters,
        config->step, config->sides(), config->flipped);
    builder.result(addBias(builder, *config, y), "output");
    return success();
  }
};

} // namespace

void addConvolutionBricks(BrickLibrary &library) {
  library.add(std::make_unique<Convolutional>());
  library.add(std::make_unique<ConvolutionalTranspose>());
}

} // namespace blocks
