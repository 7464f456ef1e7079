//===- CrossEntropy.cpp - softmax_cross_entropy and its gradient ----------===//
//
// With integer labels the cost of a row is -lp at its label, 0 for a label out
// of range. Of few classes it is the sum of -lp[j] where j is the label, which
// stays in the dispatch of the row's other sums; of many, where a pass over the
// row costs more than a dispatch, one read. Checks of labels are in Labels.cpp.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Softmax.h"

using namespace mlir;

namespace blocks {

/// Labels as the two operations take them.
struct Labels {
  Value tensor;
  bool isInteger, isUnsigned;
  StringRef brick;
};

static Labels labelsOf(Value original, StringRef brick, Lowering &lowering) {
  Type type = elementType(original);
  return {lowering.get(original), type.isInteger(),
          type.isUnsignedInteger() || type.isInteger(1), brick};
}

/// True in the column that the label names; inside a body over `rank` loops.
static Value isLabeled(OpBuilder &builder, Location loc, Value label,
                       const Labels &labels, unsigned rank) {
  Value column = arith::IndexCastOp::create(
      builder, loc, builder.getI64Type(),
      linalg::IndexOp::create(builder, loc, rank - 1));
  Value index = labelIndex(builder, loc, label, labels.isUnsigned);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, index,
                               column);
}

static Value negatedAtLabel(Lowering &lowering, Location loc, const Rows &lp,
                            const Labels &labels) {
  auto body = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    Value p = arguments[0];
    Value hit = isLabeled(builder, loc, arguments[1], labels, lp.rank());
    return arith::SelectOp::create(builder, loc, hit,
                                   arith::NegFOp::create(builder, loc, p),
                                   number(builder, loc, p.getType(), 0))
        .getResult();
  };
  AffineMap row = rowMap(loc.getContext(), lp.rank());
  return rowSum(lowering, loc, lp, {{lp.tensor}, {labels.tensor, row}}, body);
}

/// The same by one read of each row.
static Value readNegatedAtLabel(Lowering &lowering, Location loc,
                                const Rows &lp, const Labels &labels) {
  Value classes = lowering.axes.value(lp.shape.back());
  auto body = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    LabelPlace label =
        labelPlace(builder, loc, arguments[0], labels.isUnsigned, classes);
    SmallVector<Value> position;
    for (unsigned axis = 0; axis + 1 < lp.rank(); ++axis)
      position.push_back(linalg::IndexOp::create(builder, loc, axis));
    position.push_back(label.place);
    Value p = tensor::ExtractOp::create(builder, loc, lp.tensor, position);
    return arith::SelectOp::create(builder, loc, label.valid,
                                   arith::NegFOp::create(builder, loc, p),
                                   number(builder, loc, p.getType(), 0))
        .getResult();
  };
  return elementwise(lowering, loc, {{labels.tensor}}, lp.perRow(),
                     elementType(lp.tensor), body);
}

static Value costOf(Lowering &lowering, Location loc, const Rows &lp,
                    const Labels &labels) {
  constexpr int64_t manyClasses = 256;
  std::optional<int64_t> classes = lp.shape.back().constant();
  return classes && *classes >= manyClasses
             ? readNegatedAtLabel(lowering, loc, lp, labels)
             : negatedAtLabel(lowering, loc, lp, labels);
}

static Value negatedProduct(Lowering &lowering, Location loc, const Rows &lp,
                            const Labels &labels) {
  auto body = [](OpBuilder &builder, Location loc, ValueRange a) -> Value {
    return arith::NegFOp::create(
        builder, loc, arith::MulFOp::create(builder, loc, a[1], a[0]));
  };
  return rowSum(lowering, loc, lp, {{lp.tensor}, {labels.tensor}}, body);
}

LogicalResult lowerCrossEntropy(SoftmaxCrossEntropyOp op, Lowering &lowering) {
  Location loc = op.getLoc();
  Rows rows{lowering.get(op.getLogits()), lowering.shape(op.getLogits())};
  Labels labels = labelsOf(op.getLabels(), op.getBrick(), lowering);
  SymbolicShape labelShape = lowering.shape(op.getLabels());
  for (unsigned i = 0; i < labelShape.size(); ++i)
    if (failed(requireEqualAxes(op, lowering, op.getLabels(), i, op.getLogits(),
                                i)))
      return failure();
  if (labels.isInteger)
    checkLabels(lowering, loc, labels.tensor, labels.isUnsigned, labelShape,
                rows.shape.back(), "softmax_cross_entropy", op.getBrick());
  Rows lp{logSoftmax(lowering, loc, rows), rows.shape};
  Value cost = labels.isInteger ? costOf(lowering, loc, lp, labels)
                                : negatedProduct(lowering, loc, lp, labels);
  lowering.set(op.getCost(), cost, lp.perRow());
  lowering.set(op.getLogProbabilities(), lp.tensor, lp.shape);
  return success();
}

/// (exp(lp) - onehot) · gradient, 0 in a row whose label is out of range.
static Value integerGradient(Lowering &lowering, Location loc, const Rows &lp,
                             const Labels &labels, Value gradient) {
  Value limit = arith::IndexCastOp::create(
      lowering.builder, loc, lowering.builder.getI64Type(),
      lowering.axes.value(lp.shape.back()));
  auto body = [&](OpBuilder &builder, Location loc, ValueRange a) {
    Type type = a[0].getType();
    Value zero = number(builder, loc, type, 0);
    Value hit = isLabeled(builder, loc, a[1], labels, lp.rank());
    Value onehot = arith::SelectOp::create(builder, loc, hit,
                                           number(builder, loc, type, 1), zero);
    Value p = math::ExpOp::create(builder, loc, a[0]);
    Value product = arith::MulFOp::create(
        builder, loc, arith::SubFOp::create(builder, loc, p, onehot), a[2]);
    Value valid = labelValid(
        builder, loc, labelIndex(builder, loc, a[1], labels.isUnsigned), limit);
    return arith::SelectOp::create(builder, loc, valid, product, zero)
        .getResult();
  };
  AffineMap row = rowMap(loc.getContext(), lp.rank());
  return elementwise(lowering, loc,
                     {{lp.tensor}, {labels.tensor, row}, {gradient, row}},
                     lp.shape, elementType(lp.tensor), body);
}

/// (exp(lp)·Σ label - label) · gradient.
static Value distributionGradient(Lowering &lowering, Location loc,
                                  const Rows &lp, const Labels &labels,
                                  Value gradient) {
  auto itself = [](OpBuilder &, Location, ValueRange a) -> Value {
    return a[0];
  };
  Value total = rowSum(lowering, loc, lp, {{labels.tensor}}, itself);
  auto body = [](OpBuilder &builder, Location loc, ValueRange a) -> Value {
    Value p = math::ExpOp::create(builder, loc, a[0]);
    Value scaled = arith::MulFOp::create(builder, loc, p, a[2]);
    Value difference = arith::SubFOp::create(builder, loc, scaled, a[1]);
    return arith::MulFOp::create(builder, loc, difference, a[3]);
  };
  AffineMap row = rowMap(loc.getContext(), lp.rank());
  return elementwise(
      lowering, loc,
      {{lp.tensor}, {labels.tensor}, {total, row}, {gradient, row}}, lp.shape,
      elementType(lp.tensor), body);
}

LogicalResult lowerCrossEntropyGrad(SoftmaxCrossEntropyGradOp op,
                                    Lowering &lowering) {
  Value original = op.getLogProbabilities();
  Rows lp{lowering.get(original), lowering.shape(original)};
  Labels labels = labelsOf(op.getLabels(), "", lowering);
  Value gradient = lowering.get(op.getGradient());
  Value result =
      labels.isInteger
          ? integerGradient(lowering, op.getLoc(), lp, labels, gradient)
          : distributionGradient(lowering, op.getLoc(), lp, labels, gradient);
  lowering.set(op, result, lp.shape);
  return success();
}

} // namespace blocks
