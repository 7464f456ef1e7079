//===- Pick.cpp - One element of each row, and its gradient ---------------===//
//
// Both are a comparison of the column with the index, as in CrossEntropy.cpp.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Softmax.h"

using namespace mlir;

namespace blocks {

static bool isUnsignedLabel(Value original) {
  Type type = elementType(original);
  return type.isUnsignedInteger() || type.isInteger(1);
}

/// The first argument where the second names the column, else 0.
static Value keepAtIndex(OpBuilder &builder, Location loc, ValueRange arguments,
                         bool isUnsigned, unsigned rank) {
  Value column = arith::IndexCastOp::create(
      builder, loc, builder.getI64Type(),
      linalg::IndexOp::create(builder, loc, rank - 1));
  Value index = labelIndex(builder, loc, arguments[1], isUnsigned);
  Value hit = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                    index, column);
  return arith::SelectOp::create(
      builder, loc, hit, arguments[0],
      number(builder, loc, arguments[0].getType(), 0));
}

static LogicalResult checkRows(Operation *op, Lowering &lowering, Value perRow,
                               Value rows) {
  for (unsigned i = 0; i < lowering.shape(perRow).size(); ++i)
    if (failed(requireEqualAxes(op, lowering, perRow, i, rows, i)))
      return failure();
  return success();
}

LogicalResult lowerPick(PickOp op, Lowering &lowering) {
  if (failed(checkRows(op, lowering, op.getIndices(), op.getInput())))
    return failure();
  Location loc = op.getLoc();
  Rows rows{lowering.get(op.getInput()), lowering.shape(op.getInput())};
  Value indices = lowering.get(op.getIndices());
  bool isUnsigned = isUnsignedLabel(op.getIndices());
  checkLabels(lowering, loc, indices, isUnsigned, rows.perRow(),
              rows.shape.back(), "pick", op.getBrick());
  auto body = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    return keepAtIndex(builder, loc, arguments, isUnsigned, rows.rank());
  };
  AffineMap row = rowMap(op.getContext(), rows.rank());
  lowering.set(
      op, rowSum(lowering, loc, rows, {{rows.tensor}, {indices, row}}, body),
      rows.perRow());
  return success();
}

LogicalResult lowerUnpick(UnpickOp op, Lowering &lowering) {
  if (failed(checkRows(op, lowering, op.getIndices(), op.getLike())) ||
      failed(checkRows(op, lowering, op.getInput(), op.getLike())))
    return failure();
  SymbolicShape shape = lowering.shape(op.getLike());
  unsigned rank = shape.size();
  bool isUnsigned = isUnsignedLabel(op.getIndices());
  auto body = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    return keepAtIndex(builder, loc, arguments, isUnsigned, rank);
  };
  AffineMap row = rowMap(op.getContext(), rank);
  Value input = lowering.get(op.getInput());
  Value result =
      elementwise(lowering, op.getLoc(),
                  {{input, row}, {lowering.get(op.getIndices()), row}}, shape,
                  elementType(input), body);
  lowering.set(op, result, shape);
  return success();
}

} // namespace blocks
