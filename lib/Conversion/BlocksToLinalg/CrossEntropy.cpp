//===- CrossEntropy.cpp - softmax_cross_entropy and its gradient ----------===//
//
// With integer labels a first pass over each row of logits finds the maximum
// and the logit at the label, a second one the exponentials and their sum. The
// cost is made of these; the gradient is made of the exponentials, which stand
// in the place of the logits if nobody else needs those. So log-probabilities
// are computed for who asks for them, and the exponential once. The cost of a
// row is 0 if its label is out of range. Checks of labels are in Labels.cpp.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Softmax.h"

#include <limits>

using namespace mlir;

namespace blocks {

/// Labels as the two operations take them.
struct Labels {
  Value tensor;
  bool isInteger, isUnsigned;
  Value classes; ///< How many, an index.
  Type column;   ///< An integer that holds every column.
};

static Labels labelsOf(Value original, const Rows &rows, Lowering &lowering) {
  Type type = elementType(original);
  std::optional<int64_t> classes = rows.shape.back().constant();
  bool isHuge = classes && *classes > std::numeric_limits<int32_t>::max();
  return {lowering.get(original), type.isInteger(),
          type.isUnsignedInteger() || type.isInteger(1),
          lowering.axes.value(rows.shape.back()),
          lowering.builder.getIntegerType(isHuge ? 64 : 32)};
}

static Value isValid(OpBuilder &builder, Location loc, Value label,
                     const Labels &labels) {
  Value limit = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                           labels.classes);
  return labelValid(builder, loc,
                    labelIndex(builder, loc, label, labels.isUnsigned), limit);
}

/// True in the column that the label names, if any; inside a body over `rank`
/// loops. The label is brought to the width of a column first, since that does
/// not change along the row.
static Value isLabeled(OpBuilder &builder, Location loc, Value label,
                       const Labels &labels, unsigned rank) {
  Value named = labelIndex(builder, loc, label, labels.isUnsigned);
  if (named.getType() != labels.column)
    named = arith::TruncIOp::create(builder, loc, labels.column, named);
  named = arith::SelectOp::create(builder, loc,
                                  isValid(builder, loc, label, labels), named,
                                  number(builder, loc, labels.column, -1));
  Value column = arith::IndexCastOp::create(
      builder, loc, labels.column,
      linalg::IndexOp::create(builder, loc, rank - 1));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, named,
                               column);
}

using PassBody =
    llvm::function_ref<SmallVector<Value>(OpBuilder &, Location, ValueRange)>;

/// One pass along each row with several results: of a row, or of an element.
static ValueRange rowPass(Lowering &lowering, Location loc, const Rows &rows,
                          ArrayRef<Operand> inputs, ArrayRef<Value> inits,
                          PassBody body) {
  AffineMap row = rowMap(loc.getContext(), rows.rank());
  AffineMap element = lowering.builder.getMultiDimIdentityMap(rows.rank());
  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
  for (const Operand &input : inputs) {
    tensors.push_back(input.tensor);
    maps.push_back(input.map ? input.map : element);
  }
  for (Value init : inits)
    maps.push_back(tensorTypeOf(init).getRank() == rows.rank() ? element : row);
  SmallVector<utils::IteratorType> iterators(rows.rank(),
                                             utils::IteratorType::parallel);
  iterators.back() = utils::IteratorType::reduction;
  auto build = [&](OpBuilder &inner, Location loc, ValueRange arguments) {
    linalg::YieldOp::create(inner, loc, body(inner, loc, arguments));
  };
  return linalg::GenericOp::create(lowering.builder, loc, TypeRange(inits),
                                   tensors, inits, maps, iterators, build)
      .getResults();
}

/// The maximum of each row, and the logit that its label names, or 0.
static std::pair<Value, Value> maxAndLabeled(Lowering &lowering, Location loc,
                                             const Rows &rows,
                                             const Labels &labels) {
  Type type = elementType(rows.tensor);
  auto perRow = [&](double start) {
    return lowering.filled(loc, rows.perRow(),
                           number(lowering.builder, loc, type, start));
  };
  auto body = [&](OpBuilder &builder, Location loc,
                  ValueRange a) -> SmallVector<Value> {
    Value hit = isLabeled(builder, loc, a[1], labels, rows.rank());
    Value here = arith::SelectOp::create(builder, loc, hit, a[0],
                                         number(builder, loc, type, 0));
    return {energyMax(builder, loc, a[0], a[2]), sum(builder, loc, here, a[3])};
  };
  AffineMap row = rowMap(loc.getContext(), rows.rank());
  ValueRange results = rowPass(
      lowering, loc, rows, {{rows.tensor}, {labels.tensor, row}},
      {perRow(-std::numeric_limits<double>::infinity()), perRow(0)}, body);
  return {results[0], results[1]};
}

/// exp(x - max), and its sum over each row.
static Exponentials exponentials(Lowering &lowering, Location loc,
                                 const Rows &rows, Value max) {
  Type type = elementType(rows.tensor);
  auto body = [&](OpBuilder &builder, Location loc,
                  ValueRange a) -> SmallVector<Value> {
    Value e = expDifference(builder, loc, a);
    return {e, sum(builder, loc, e, a[3])};
  };
  AffineMap row = rowMap(loc.getContext(), rows.rank());
  Value zero = number(lowering.builder, loc, type, 0);
  ValueRange results = rowPass(lowering, loc, rows, {{rows.tensor}, {max, row}},
                               {lowering.empty(loc, rows.shape, type),
                                lowering.filled(loc, rows.perRow(), zero)},
                               body);
  return {results[0], results[1]};
}

/// -lp at the label, 0 where that is out of range.
static Value costAtLabel(Lowering &lowering, Location loc, const Rows &rows,
                         const RowTotals &totals, Value labeled,
                         const Labels &labels) {
  auto body = [&](OpBuilder &builder, Location loc, ValueRange a) {
    Value p = logProbability(builder, loc, a[1], a[2], a[3]);
    return arith::SelectOp::create(builder, loc,
                                   isValid(builder, loc, a[0], labels),
                                   arith::NegFOp::create(builder, loc, p),
                                   number(builder, loc, p.getType(), 0))
        .getResult();
  };
  return elementwise(
      lowering, loc,
      {{labels.tensor}, {labeled}, {totals.max}, {totals.logTotal}},
      rows.perRow(), elementType(rows.tensor), body);
}

static Value negatedProduct(Lowering &lowering, Location loc, const Rows &lp,
                            const Labels &labels) {
  auto body = [](OpBuilder &builder, Location loc, ValueRange a) -> Value {
    return arith::NegFOp::create(
        builder, loc, arith::MulFOp::create(builder, loc, a[1], a[0]));
  };
  return rowSum(lowering, loc, lp, {{lp.tensor}, {labels.tensor}}, body);
}

/// Log-probabilities are made from the totals, at the end; they vanish if
/// nobody needs them.
static Value integerCost(Lowering &lowering, SoftmaxCrossEntropyOp op,
                         const Rows &rows, const Labels &labels,
                         RowTotals &totals) {
  Location loc = op.getLoc();
  auto [max, labeled] = maxAndLabeled(lowering, loc, rows, labels);
  Exponentials e = exponentials(lowering, loc, rows, max);
  lowering.exponentials[op.getLogProbabilities()] = e;
  totals = {max, logOf(lowering, loc, rows, e.total)};
  return costAtLabel(lowering, loc, rows, totals, labeled, labels);
}

LogicalResult lowerCrossEntropy(SoftmaxCrossEntropyOp op, Lowering &lowering) {
  Location loc = op.getLoc();
  Rows rows{lowering.get(op.getLogits()), lowering.shape(op.getLogits())};
  Labels labels = labelsOf(op.getLabels(), rows, lowering);
  SymbolicShape labelShape = lowering.shape(op.getLabels());
  for (unsigned i = 0; i < labelShape.size(); ++i)
    if (failed(requireEqualAxes(op, lowering, op.getLabels(), i, op.getLogits(),
                                i)))
      return failure();
  RowTotals totals;
  Value cost;
  if (labels.isInteger) {
    checkLabels(lowering, loc, labels.tensor, labels.isUnsigned, labelShape,
                rows.shape.back(), "softmax_cross_entropy", op.getBrick());
    cost = integerCost(lowering, op, rows, labels, totals);
  } else {
    totals = rowTotals(lowering, loc, rows);
  }
  Rows lp{logSoftmax(lowering, loc, rows, totals), rows.shape};
  if (!labels.isInteger)
    cost = negatedProduct(lowering, loc, lp, labels);
  lowering.set(op.getCost(), cost, lp.perRow());
  lowering.set(op.getLogProbabilities(), lp.tensor, lp.shape);
  return success();
}

/// (p - onehot) · gradient, 0 in a row whose label is out of range. The
/// probabilities are exp(lp), or e / total where the step has these.
static Value integerGradient(Lowering &lowering, Location loc, const Rows &lp,
                             const Exponentials &known, const Labels &labels,
                             Value gradient) {
  auto body = [&](OpBuilder &builder, Location loc, ValueRange a) {
    Type type = a[0].getType();
    Value one = number(builder, loc, type, 1), p;
    if (known.total)
      p = arith::MulFOp::create(builder, loc, a[0],
                                arith::DivFOp::create(builder, loc, one, a[3]));
    else
      p = math::ExpOp::create(builder, loc, a[0]);
    Value hit = isLabeled(builder, loc, a[1], labels, lp.rank());
    p = arith::SelectOp::create(builder, loc, hit,
                                arith::SubFOp::create(builder, loc, p, one), p);
    return arith::SelectOp::create(builder, loc,
                                   isValid(builder, loc, a[1], labels),
                                   arith::MulFOp::create(builder, loc, p, a[2]),
                                   number(builder, loc, type, 0))
        .getResult();
  };
  AffineMap row = rowMap(loc.getContext(), lp.rank());
  SmallVector<Operand> inputs{{known.total ? known.each : lp.tensor},
                              {labels.tensor, row},
                              {gradient, row}};
  if (known.total)
    inputs.push_back({known.total, row});
  return elementwise(lowering, loc, inputs, lp.shape, elementType(lp.tensor),
                     body);
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

/// What the forward operation left, if it stands in the same block.
static Exponentials exponentialsOf(Value logProbabilities, Operation *user,
                                   Lowering &lowering) {
  if (logProbabilities.getParentBlock() != user->getBlock())
    return {};
  return lowering.exponentials.lookup(logProbabilities);
}

LogicalResult lowerCrossEntropyGrad(SoftmaxCrossEntropyGradOp op,
                                    Lowering &lowering) {
  Value original = op.getLogProbabilities();
  Rows lp{lowering.get(original), lowering.shape(original)};
  Labels labels = labelsOf(op.getLabels(), lp, lowering);
  Value gradient = lowering.get(op.getGradient());
  Value result =
      labels.isInteger
          ? integerGradient(lowering, op.getLoc(), lp,
                            exponentialsOf(original, op, lowering), labels,
                            gradient)
          : distributionGradient(lowering, op.getLoc(), lp, labels, gradient);
  lowering.set(op, result, lp.shape);
  return success();
}

} // namespace blocks
