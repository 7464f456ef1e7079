//===- Pooling.cpp - MaxPooling, AveragePooling ---------------------------===//
//
// Pools over height and width, with Blocks' size rules.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/BrickLibrary.h"
#include "lib/Bricks/ImageConfig.h"

using namespace mlir;

namespace blocks {
namespace {

class Pooling : public BrickKind {
public:
  /// A maximum or an average.
  Pooling(StringRef name, bool isMax) : name(name), isMax(isMax) {}

private:
  StringRef getName() const override { return name; }
  std::vector<StringRef> getSettings() const override {
    std::vector<StringRef> settings{"pooling_size", "step", "padding",
                                    "ignore_border", "input_dim"};
    if (!isMax)
      settings.push_back("include_padding");
    return settings;
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    if (failed(PoolConfig::read(brick.config)) ||
        failed(brick.config.flag("include_padding", false)))
      return failure();
    if (!brick.config.get("input_dim"))
      return success();
    FailureOr<SmallVector<int64_t>> dims = brick.config.positives("input_dim");
    if (failed(dims))
      return failure();
    return dims->size() == 3
               ? success()
               : brick.config.wrong("input_dim", "[channels, height, width]");
  }

  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    FailureOr<PoolConfig> config = PoolConfig::read(builder.config);
    if (failed(config) || failed(builder.takes({"input_"})))
      return failure();
    RankedTensorType images = imagesOf(builder);
    if (!images || failed(checkInputDim(builder, images)))
      return failure();
    Pair size{images.getDimSize(2), images.getDimSize(3)};
    Pair result = config->resultSize(size);
    if (result[0] < 1 || result[1] < 1)
      return builder.error()
             << "has a pooling_size of " << pairText(config->window)
             << " that is larger than its images of " << pairText(size)
             << " with a padding of " << pairText(config->padding)
             << builder.originText();
    Value y = PoolOp::create(builder.ops, builder.getLoc(), kind(builder),
                             builder.argument(0), config->window, config->step,
                             config->padding, config->partial);
    builder.result(y, "output");
    return success();
  }

  PoolKind kind(ApplicationBuilder &builder) const {
    if (isMax)
      return PoolKind::Max;
    return *builder.config.flag("include_padding", false)
               ? PoolKind::AveragePadded
               : PoolKind::Average;
  }

  /// If `input_dim` was given, it is what comes.
  static LogicalResult checkInputDim(ApplicationBuilder &builder,
                                     RankedTensorType images) {
    if (!builder.config.get("input_dim"))
      return success();
    SmallVector<int64_t> dims = *builder.config.positives("input_dim");
    if (images.getShape().drop_front() == ArrayRef<int64_t>(dims))
      return success();
    return builder.error() << "was given input_dim "
                           << builder.config.get("input_dim")
                           << ", but its input" << builder.originText()
                           << " has shape " << shapeText(images);
  }

  StringRef name;
  bool isMax;
};

} // namespace

void addPoolBricks(BrickLibrary &library) {
  library.add(std::make_unique<Pooling>("MaxPooling", true));
  library.add(std::make_unique<Pooling>("AveragePooling", false));
}

} // namespace blocks
