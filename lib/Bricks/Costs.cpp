//===- Costs.cpp - Cost bricks --------------------------------------------===//
//
// All apply to (y, y_hat), targets first, and give a scalar: the mean over the
// batch. Their output has role COST, but for the error rate, which has no
// gradient and so cannot be trained on.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/BrickLibrary.h"
#include "lib/Bricks/Labels.h"
#include "lib/Bricks/TensorHelpers.h"

using namespace mlir;

namespace blocks {
namespace {

/// -log p of each row's label, or -Σ y·log p. Where y is 0 the logarithm is not
/// taken, so that a probability of 0 there gives 0, not NaN, and no gradient.
/// `blocks-fuse-softmax-cost` (FuseSoftmaxCost.cpp) recognizes this form.
Value crossEntropyRows(ApplicationBuilder &builder, Value labels, Value p) {
  OpBuilder &ops = builder.ops;
  Location loc = builder.getLoc();
  auto type = cast<RankedTensorType>(p.getType());
  if (getElementTypeOrSelf(labels.getType()).isInteger()) {
    auto rows = RankedTensorType::get(type.getShape().drop_back(),
                                      type.getElementType());
    Value picked = PickOp::create(ops, loc, rows, p, labels, builder.getPath());
    Value log = math::LogOp::create(ops, loc, picked);
    return arith::NegFOp::create(ops, loc, log);
  }
  Value zero = splatLike(ops, loc, 0.0, p);
  Value none =
      arith::CmpFOp::create(ops, loc, arith::CmpFPredicate::OEQ, labels, zero);
  Value safe =
      arith::SelectOp::create(ops, loc, none, splatLike(ops, loc, 1.0, p), p);
  Value log = math::LogOp::create(ops, loc, safe);
  Value terms = arith::MulFOp::create(ops, loc, labels, log);
  Value sum =
      ReduceOp::create(ops, loc, ReduceKind::Sum, terms, type.getRank() - 1);
  return arith::NegFOp::create(ops, loc, sum);
}

/// The mean over the batch of the cross-entropy with *probabilities*.
class CategoricalCrossEntropy : public BrickKind {
  StringRef getName() const override { return "CategoricalCrossEntropy"; }
  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"y", "y_hat"})) || !builder.floats(1, 1))
      return failure();
    Value labels = labelsForRows(builder, 0, 1, /*distributions=*/true);
    if (!labels)
      return failure();
    Value rows = crossEntropyRows(builder, labels, builder.argument(1));
    builder.result(meanOfAll(builder.ops, builder.getLoc(), rows), "cost",
                   Role::Cost);
    return success();
  }
};

/// The squared differences, summed over axis 1, averaged over the rest.
class SquaredError : public BrickKind {
  StringRef getName() const override { return "SquaredError"; }
  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"y", "y_hat"})) || !builder.floats(0, 2) ||
        !builder.floats(1, 2))
      return failure();
    Value y = builder.argument(0), estimate = builder.argument(1);
    if (y.getType() != estimate.getType())
      return builder.error() << "compares targets of type " << y.getType()
                             << " with estimates of type " << estimate.getType()
                             << "; they must be equal";
    Location loc = builder.getLoc();
    Value difference = arith::SubFOp::create(builder.ops, loc, y, estimate);
    Value square =
        arith::MulFOp::create(builder.ops, loc, difference, difference);
    Value rows = ReduceOp::create(builder.ops, loc, ReduceKind::Sum, square, 1);
    builder.result(meanOfAll(builder.ops, loc, rows), "cost", Role::Cost);
    return success();
  }
};

/// How many of the rows have their largest score elsewhere than at the label.
class MisclassificationRate : public BrickKind {
  StringRef getName() const override { return "MisclassificationRate"; }
  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"y", "y_hat"})))
      return failure();
    RankedTensorType scores = builder.floats(1, 1);
    Value labels = scores ? labelsForRows(builder, 0, 1, false) : Value();
    if (!labels)
      return failure();
    OpBuilder &ops = builder.ops;
    Location loc = builder.getLoc();
    auto rows =
        RankedTensorType::get(scores.getShape().drop_back(), ops.getI64Type());
    Value best = ArgmaxOp::create(ops, loc, rows, builder.argument(1));
    Value wanted = CastOp::create(ops, loc, rows, labels);
    Value wrong =
        arith::CmpIOp::create(ops, loc, arith::CmpIPredicate::ne, best, wanted);
    Value errors =
        CastOp::create(ops, loc, rows.clone(scores.getElementType()), wrong);
    builder.result(meanOfAll(ops, loc, errors), "error_rate");
    return success();
  }
};

} // namespace

void addCostBricks(BrickLibrary &library) {
  library.add(std::make_unique<CategoricalCrossEntropy>());
  library.add(std::make_unique<SquaredError>());
  library.add(std::make_unique<MisclassificationRate>());
}

} // namespace blocks
