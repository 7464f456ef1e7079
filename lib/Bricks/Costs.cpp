//===- Costs.cpp - Cost bricks --------------------------------------------===//
//
// All apply to (y, y_hat), targets first, and give a scalar: the mean over the
// batch. Their output has role COST, but for the error rate, which has no
// gradient and so cannot be trained on. `cost_matrix` gives what the scalar is
// made of: Blocks' cost of each element, or of each row for the cross-entropy
// of classes.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/BrickLibrary.h"
#include "lib/Bricks/Labels.h"
#include "lib/Bricks/TensorHelpers.h"

using namespace mlir;

namespace blocks {
namespace {

constexpr StringLiteral costMatrix = "cost_matrix";

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
  std::vector<StringRef> getApplications() const override {
    return {"apply", costMatrix};
  }
  LogicalResult build(StringRef application,
                      ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"y", "y_hat"})) || !builder.floats(1, 1))
      return failure();
    Value labels = labelsForRows(builder, 0, 1, /*distributions=*/true);
    if (!labels)
      return failure();
    Value rows = crossEntropyRows(builder, labels, builder.argument(1));
    if (application == costMatrix) {
      builder.result(rows, costMatrix);
      return success();
    }
    builder.result(meanOfAll(builder.ops, builder.getLoc(), rows), "cost",
                   Role::Cost);
    return success();
  }
};

/// A cost of each element, summed over axis 1, averaged over the rest.
class ElementCost : public BrickKind {
public:
  using Function = Value (*)(OpBuilder &, Location, Value y, Value estimate);
  ElementCost(StringRef name, Function function)
      : name(name), function(function) {}

private:
  StringRef getName() const override { return name; }
  std::vector<StringRef> getApplications() const override {
    return {"apply", costMatrix};
  }
  LogicalResult build(StringRef application,
                      ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"y", "y_hat"})) || !builder.floats(0, 2) ||
        !builder.floats(1, 2))
      return failure();
    Value y = builder.argument(0), estimate = builder.argument(1);
    if (y.getType() != estimate.getType())
      return builder.error() << "compares targets of type " << y.getType()
                             << " with estimates of type " << estimate.getType()
                             << "; they must be equal";
    Location loc = builder.getLoc();
    Value costs = function(builder.ops, loc, y, estimate);
    if (application == costMatrix) {
      builder.result(costs, costMatrix);
      return success();
    }
    Value rows = ReduceOp::create(builder.ops, loc, ReduceKind::Sum, costs, 1);
    builder.result(meanOfAll(builder.ops, loc, rows), "cost", Role::Cost);
    return success();
  }

  StringRef name;
  Function function;
};

Value squaredError(OpBuilder &ops, Location loc, Value y, Value estimate) {
  Value difference = arith::SubFOp::create(ops, loc, y, estimate);
  return arith::MulFOp::create(ops, loc, difference, difference);
}

Value absoluteError(OpBuilder &ops, Location loc, Value y, Value estimate) {
  Value difference = arith::SubFOp::create(ops, loc, y, estimate);
  return math::AbsFOp::create(ops, loc, difference);
}

/// -(y·log p + (1 - y)·log(1 - p)). Where a factor is 0 its logarithm is not
/// taken, so that a certain and right estimate costs 0 and not NaN.
Value binaryCrossEntropy(OpBuilder &ops, Location loc, Value y, Value p) {
  Value zero = splatLike(ops, loc, 0.0, p), one = splatLike(ops, loc, 1.0, p);
  auto term = [&](Value factor, Value probability) -> Value {
    Value none = arith::CmpFOp::create(ops, loc, arith::CmpFPredicate::OEQ,
                                       factor, zero);
    Value safe = arith::SelectOp::create(ops, loc, none, one, probability);
    Value log = math::LogOp::create(ops, loc, safe);
    return arith::MulFOp::create(ops, loc, factor, log);
  };
  Value sum =
      arith::AddFOp::create(ops, loc, term(y, p),
                            term(arith::SubFOp::create(ops, loc, one, y),
                                 arith::SubFOp::create(ops, loc, one, p)));
  return arith::NegFOp::create(ops, loc, sum);
}

/// The share of rows whose label is not among the `top_k` largest scores. With
/// top_k = 1 the first of the largest counts; otherwise a tie for the last
/// place is an error, as in Blocks.
class MisclassificationRate : public BrickKind {
  StringRef getName() const override { return "MisclassificationRate"; }
  std::vector<StringRef> getSettings() const override { return {topK}; }
  LogicalResult declare(BrickDeclaration &brick) const override {
    return failure(brick.config.get(topK) &&
                   failed(brick.config.positive(topK)));
  }

  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"y", "y_hat"})))
      return failure();
    RankedTensorType scores = builder.floats(1, 1);
    Value labels = scores ? labelsForRows(builder, 0, 1, false) : Value();
    if (!labels)
      return failure();
    int64_t places =
        builder.config.get(topK) ? *builder.config.positive(topK) : 1;
    int64_t classes = scores.getDimSize(scores.getRank() - 1);
    if (!ShapedType::isDynamic(classes) && places > classes)
      return builder.error()
             << "looks for labels among the " << places
             << " largest scores of a row, which has " << classes
             << "; choose a top_k of at most " << classes;
    Value wrong = places == 1 ? isElsewhere(builder, labels)
                              : isBelow(builder, labels, places);
    OpBuilder &ops = builder.ops;
    Location loc = builder.getLoc();
    auto rows = RankedTensorType::get(scores.getShape().drop_back(),
                                      scores.getElementType());
    Value errors = CastOp::create(ops, loc, rows, wrong);
    builder.result(meanOfAll(ops, loc, errors), "error_rate");
    return success();
  }

  /// True for rows whose first largest score is not at the label.
  static Value isElsewhere(ApplicationBuilder &builder, Value labels) {
    OpBuilder &ops = builder.ops;
    Location loc = builder.getLoc();
    auto rows =
        cast<RankedTensorType>(labels.getType()).clone(ops.getI64Type());
    Value best = ArgmaxOp::create(ops, loc, rows, builder.argument(1));
    Value wanted = CastOp::create(ops, loc, rows, labels);
    return arith::CmpIOp::create(ops, loc, arith::CmpIPredicate::ne, best,
                                 wanted);
  }

  /// True for rows where more than `places` scores, the label's among them, are
  /// at least as large as the label's.
  static Value isBelow(ApplicationBuilder &builder, Value labels,
                       int64_t places) {
    OpBuilder &ops = builder.ops;
    Location loc = builder.getLoc();
    Value scores = builder.argument(1);
    auto type = cast<RankedTensorType>(scores.getType());
    auto rows = RankedTensorType::get(type.getShape().drop_back(),
                                      type.getElementType());
    Value own =
        PickOp::create(ops, loc, rows, scores, labels, builder.getPath());
    auto axes = llvm::to_vector(llvm::seq<int64_t>(0, rows.getRank()));
    Value wide = BroadcastOp::create(ops, loc, own, scores, axes);
    Value reaches = arith::CmpFOp::create(ops, loc, arith::CmpFPredicate::OGE,
                                          scores, wide);
    Value ones = CastOp::create(ops, loc, type, reaches);
    Value count = ReduceOp::create(ops, loc, ReduceKind::Sum, ones,
                                   ArrayRef<int64_t>{rows.getRank()});
    return arith::CmpFOp::create(ops, loc, arith::CmpFPredicate::OGT, count,
                                 splatLike(ops, loc, double(places), count));
  }

  static constexpr StringLiteral topK = "top_k";
};

} // namespace

void addCostBricks(BrickLibrary &library) {
  library.add(std::make_unique<CategoricalCrossEntropy>());
  library.add(std::make_unique<ElementCost>("SquaredError", squaredError));
  library.add(std::make_unique<ElementCost>("AbsoluteError", absoluteError));
  library.add(
      std::make_unique<ElementCost>("BinaryCrossEntropy", binaryCrossEntropy));
  library.add(std::make_unique<MisclassificationRate>());
}

} // namespace blocks
