//===- GatherOps.cpp - Verifiers and builders of gather and scatter_add ---===//
//
// The labels C1, C2 are the constraints of GatherOps.td.
//
//===----------------------------------------------------------------------===//
#include "dialects/Blocks/Blocks.h"

using namespace mlir;

namespace blocks {

static RankedTensorType tensorOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// The type of the rows of `table` that `indices` name.
static RankedTensorType rowsType(Value table, Value indices) {
  SmallVector<int64_t> shape(tensorOf(indices).getShape());
  llvm::append_range(shape, tensorOf(table).getShape().drop_front());
  return RankedTensorType::get(shape, tensorOf(table).getElementType());
}

/// Checks C1 of `table` and C2 of `rows`.
static LogicalResult verifyRows(Operation *op, StringRef what, Value rows,
                                Value table, Value indices) {
  if (tensorOf(table).getRank() < 1)
    return op->emitOpError("C1: needs a table with rows, found a scalar");
  RankedTensorType expected = rowsType(table, indices), found = tensorOf(rows);
  bool fits = found.getElementType() == expected.getElementType() &&
              found.getRank() == expected.getRank();
  for (int64_t axis = 0; fits && axis < found.getRank(); ++axis)
    fits = extentsFit(found.getDimSize(axis), expected.getDimSize(axis));
  if (fits)
    return success();
  return op->emitOpError("C2: ")
         << what << " is " << found << ", expected " << expected
         << ": the shape of the indices " << shapeText(indices.getType())
         << ", then one row of " << shapeText(table.getType());
}

void GatherOp::build(OpBuilder &builder, OperationState &state, Value table,
                     Value indices, StringRef brick) {
  state.addOperands({table, indices});
  if (!brick.empty())
    state.getOrAddProperties<Properties>().brick = builder.getStringAttr(brick);
  state.addTypes(rowsType(table, indices));
}

LogicalResult GatherOp::verify() {
  return verifyRows(*this, "the result", getResult(), getTable(), getIndices());
}

LogicalResult ScatterAddOp::verify() {
  return verifyRows(*this, "rows", getRows(), getLike(), getIndices());
}

} // namespace blocks
