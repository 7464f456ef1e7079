//===- Softmax.cpp - softmax and log_softmax, row by row ------------------===//
//
// Each is a short run of generics whose leading loops are the rows, so that the
// target can run them over one block of rows while it is in the cache.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Softmax.h"

#include <limits>

using namespace mlir;

namespace blocks {

Value rowSum(Lowering &lowering, Location loc, const Rows &rows,
             ArrayRef<Operand> inputs, GenericBody body) {
  Value zero = number(lowering.builder, loc, elementType(rows.tensor), 0);
  auto add = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    return sum(builder, loc, body(builder, loc, arguments.drop_back()),
               arguments.back());
  };
  return reduction(lowering, loc, inputs, rows.shape, {rows.lastAxis()}, zero,
                   add);
}

Value energyMax(OpBuilder &builder, Location loc, Value a, Value b) {
  return arith::MaximumFOp::create(builder, loc, a, b,
                                   arith::FastMathFlags::nnan |
                                       arith::FastMathFlags::nsz);
}

static Value rowMax(Lowering &lowering, Location loc, const Rows &rows) {
  Value lowest = number(lowering.builder, loc, elementType(rows.tensor),
                        -std::numeric_limits<double>::infinity());
  auto body = [](OpBuilder &builder, Location loc, ValueRange arguments) {
    return energyMax(builder, loc, arguments[0], arguments[1]);
  };
  return reduction(lowering, loc, {{rows.tensor}}, rows.shape,
                   {rows.lastAxis()}, lowest, body);
}

Value expDifference(OpBuilder &builder, Location loc, ValueRange arguments) {
  return math::ExpOp::create(
      builder, loc,
      arith::SubFOp::create(builder, loc, arguments[0], arguments[1]));
}

static Value difference(OpBuilder &builder, Location loc,
                        ValueRange arguments) {
  return arith::SubFOp::create(builder, loc, arguments[0], arguments[1]);
}

/// `value`, or `otherwise` where the mask is false.
static Value whereTaken(OpBuilder &builder, Location loc, Value mask,
                        Value value, double otherwise) {
  return arith::SelectOp::create(
      builder, loc, mask, value,
      number(builder, loc, value.getType(), otherwise));
}

/// 1 where a row has no position, so that its zeros are divided by something.
static Value divideByTotal(OpBuilder &builder, Location loc, Value e,
                           Value total, bool mayBeEmpty) {
  if (mayBeEmpty) {
    Value zero = number(builder, loc, total.getType(), 0);
    Value isEmpty = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OEQ, total, zero);
    total = arith::SelectOp::create(
        builder, loc, isEmpty, number(builder, loc, total.getType(), 1), total);
  }
  return arith::DivFOp::create(builder, loc, e, total);
}

/// Masked positions are left out by selection in the maximum and again in the
/// exponentials, so neither an infinite energy nor an empty row gives a NaN.
LogicalResult lowerSoftmax(SoftmaxOp op, Lowering &lowering) {
  Location loc = op.getLoc();
  Rows rows{lowering.get(op.getInput()), lowering.shape(op.getInput())};
  SmallVector<Operand> masks;
  if (op.getMask()) {
    if (failed(requireEqualShapes(op, lowering, op.getInput(), op.getMask())))
      return failure();
    masks.push_back({lowering.get(op.getMask())});
  }
  Type element = elementType(rows.tensor);
  AffineMap row = rowMap(op.getContext(), rows.rank());
  Rows taken = rows;
  if (!masks.empty())
    taken.tensor = elementwise(
        lowering, loc, {{rows.tensor}, masks[0]}, rows.shape, element,
        [](OpBuilder &builder, Location loc, ValueRange a) {
          return whereTaken(builder, loc, a[1], a[0],
                            -std::numeric_limits<double>::infinity());
        });
  Value max = rowMax(lowering, loc, taken);
  SmallVector<Operand> inputs{{rows.tensor}, {max, row}};
  llvm::append_range(inputs, masks);
  bool isMasked = !masks.empty();
  auto exponential = [&](OpBuilder &builder, Location loc, ValueRange a) {
    Value e = expDifference(builder, loc, a);
    return isMasked ? whereTaken(builder, loc, a[2], e, 0) : e;
  };
  Value e =
      elementwise(lowering, loc, inputs, rows.shape, element, exponential);
  auto itself = [](OpBuilder &, Location, ValueRange a) -> Value {
    return a[0];
  };
  Value total = rowSum(lowering, loc, rows, {{e}}, itself);
  auto divide = [&](OpBuilder &builder, Location loc, ValueRange a) -> Value {
    return divideByTotal(builder, loc, a[0], a[1], isMasked);
  };
  Value result = elementwise(lowering, loc, {{e}, {total, row}}, rows.shape,
                             element, divide);
  lowering.set(op, result, rows.shape);
  return success();
}

Value logOf(Lowering &lowering, Location loc, const Rows &rows, Value perRow) {
  auto log = [](OpBuilder &builder, Location loc, ValueRange a) -> Value {
    return math::LogOp::create(builder, loc, a[0]);
  };
  return elementwise(lowering, loc, {{perRow}}, rows.perRow(),
                     elementType(rows.tensor), log);
}

RowTotals rowTotals(Lowering &lowering, Location loc, const Rows &rows) {
  AffineMap row = rowMap(loc.getContext(), rows.rank());
  Value max = rowMax(lowering, loc, rows);
  Value total =
      rowSum(lowering, loc, rows, {{rows.tensor}, {max, row}}, expDifference);
  return {max, logOf(lowering, loc, rows, total)};
}

Value logProbability(OpBuilder &builder, Location loc, Value energy, Value max,
                     Value logTotal) {
  Value shifted = difference(builder, loc, {energy, max});
  return difference(builder, loc, {shifted, logTotal});
}

Value logSoftmax(Lowering &lowering, Location loc, const Rows &rows,
                 const RowTotals &totals) {
  AffineMap row = rowMap(loc.getContext(), rows.rank());
  auto body = [](OpBuilder &builder, Location loc, ValueRange a) {
    return logProbability(builder, loc, a[0], a[1], a[2]);
  };
  return elementwise(lowering, loc,
                     {{rows.tensor}, {totals.max, row}, {totals.logTotal, row}},
                     rows.shape, elementType(rows.tensor), body);
}

LogicalResult lowerLogSoftmax(LogSoftmaxOp op, Lowering &lowering) {
  Rows rows{lowering.get(op.getInput()), lowering.shape(op.getInput())};
  RowTotals totals = rowTotals(lowering, op.getLoc(), rows);
  lowering.set(op, logSoftmax(lowering, op.getLoc(), rows, totals), rows.shape);
  return success();
}

} // namespace blocks
