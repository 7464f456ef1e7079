//===- Feedforward.cpp - Linear, Bias, Flattener --------------------------===//
//
// The bricks between sources and activations. Linear works on any rank: leading
// axes are merged into rows, so that there is one matrix product.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/BrickLibrary.h"
#include "lib/Bricks/TensorHelpers.h"

using namespace mlir;

namespace blocks {
namespace {

/// x + b along the last axis.
Value addBias(ApplicationBuilder &builder, Value x) {
  int64_t last = cast<RankedTensorType>(x.getType()).getRank() - 1;
  Value b = builder.parameter("b");
  Value wide = BroadcastOp::create(builder.ops, builder.getLoc(), b, x, last);
  return arith::AddFOp::create(builder.ops, builder.getLoc(), x, wide);
}

/// y = x·W + b, contracting the last axis.
class Linear : public BrickKind {
  StringRef getName() const override { return "Linear"; }
  std::vector<StringRef> getSettings() const override {
    return {"input_dim", "output_dim", "use_bias", weightsInit, biasesInit};
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<int64_t> input = brick.config.positive("input_dim");
    FailureOr<int64_t> output = brick.config.positive("output_dim");
    FailureOr<bool> useBias = brick.config.flag("use_bias", true);
    if (failed(input) || failed(output) || failed(useBias) ||
        failed(
            brick.parameter("W", {*input, *output}, Role::Weight, weightsInit)))
      return failure();
    if (!*useBias)
      return success();
    return brick.parameter("b", {*output}, Role::Bias, biasesInit);
  }

  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"input_"})))
      return failure();
    RankedTensorType type = builder.floats(0, 2);
    int64_t features = *builder.config.positive("input_dim");
    if (!type || failed(builder.expectExtent(0, type.getRank() - 1, features,
                                             "features")))
      return failure();
    builder.addNorms();
    builder.result(
        product(builder, builder.argument(0), builder.parameter("W")),
        "output");
    return success();
  }

  /// The product on rows, with the bias, in the shape of `x`.
  static Value product(ApplicationBuilder &builder, Value x, Value w) {
    Location loc = builder.getLoc();
    int64_t rank = cast<RankedTensorType>(x.getType()).getRank();
    bool useBias = *builder.config.flag("use_bias", true);
    if (*builder.config.positive("output_dim") == 1) {
      Value y = weightedSum(builder, x, w);
      return useBias ? addBias(builder, y) : y;
    }
    Value rows = rank == 2 ? x : mergeAxes(builder.ops, loc, x, 0, rank - 2);
    Value y = MatmulOp::create(builder.ops, loc, rows, w);
    if (useBias)
      y = addBias(builder, y);
    return rank == 2 ? y : splitRowsLike(builder.ops, loc, y, x);
  }

  /// A product with one column, as a sum over the features: it joins what
  /// computes them, where a product would ask for them in memory.
  static Value weightedSum(ApplicationBuilder &builder, Value x, Value w) {
    Location loc = builder.getLoc();
    int64_t last = cast<RankedTensorType>(x.getType()).getRank() - 1;
    Value weights = mergeAxes(builder.ops, loc, w, 0, 1);
    Value wide = BroadcastOp::create(builder.ops, loc, weights, x, last);
    Value terms = arith::MulFOp::create(builder.ops, loc, x, wide);
    Value sums =
        ReduceOp::create(builder.ops, loc, ReduceKind::Sum, terms, last);
    return insertUnitAxis(builder.ops, loc, sums, last);
  }
};

/// y = x + b.
class Bias : public BrickKind {
  StringRef getName() const override { return "Bias"; }
  std::vector<StringRef> getSettings() const override {
    return {"dim", biasesInit};
  }
  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<int64_t> dim = brick.config.positive("dim");
    return failed(dim) ? failure()
                       : brick.parameter("b", {*dim}, Role::Bias, biasesInit);
  }
  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"input_"})))
      return failure();
    RankedTensorType type = builder.floats(0, 1);
    int64_t dim = *builder.config.positive("dim");
    if (!type ||
        failed(builder.expectExtent(0, type.getRank() - 1, dim, "features")))
      return failure();
    builder.result(addBias(builder, builder.argument(0)), "output");
    return success();
  }
};

/// (B, …) → (B, rest).
class Flattener : public BrickKind {
  StringRef getName() const override { return "Flattener"; }
  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"input_"})))
      return failure();
    Value x = builder.argument(0);
    auto type = dyn_cast<RankedTensorType>(x.getType());
    if (!type || type.getRank() < 2)
      return builder.error() << "needs an input of at least 2 axes, found "
                             << shapeText(x.getType());
    if (type.getRank() > 2)
      x = mergeAxes(builder.ops, builder.getLoc(), x, 1, type.getRank() - 1);
    builder.result(x, "output");
    return success();
  }
};

} // namespace

void addFeedforwardBricks(BrickLibrary &library) {
  library.add(std::make_unique<Linear>());
  library.add(std::make_unique<Bias>());
  library.add(std::make_unique<Flattener>());
}

} // namespace blocks
