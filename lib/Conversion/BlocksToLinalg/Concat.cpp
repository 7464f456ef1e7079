//===- Concat.cpp - Tensors one after the other along an axis -------------===//
//
// Each part is written into its place of a new tensor; bufferization lets what
// computes a part write there directly. The extent along the axis is the sum of
// the parts', an axis of its own.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Layout.h"
#include "lib/Conversion/BlocksToLinalg/Lowering.h"

#include <mlir/Dialect/Tensor/IR/Tensor.h>

using namespace mlir;

namespace blocks {

static LogicalResult checkOtherAxes(tensor::ConcatOp op, Lowering &lowering) {
  Value first = op.getInputs().front();
  for (Value part : op.getInputs().drop_front())
    for (int64_t axis = 0; axis < op.getRank(); ++axis)
      if (axis != int64_t(op.getDim()) &&
          failed(requireEqualAxes(op, lowering, first, axis, part, axis)))
        return failure();
  return success();
}

LogicalResult lowerConcat(tensor::ConcatOp op, Lowering &lowering) {
  if (failed(checkOtherAxes(op, lowering)))
    return failure();
  uint64_t axis = op.getDim();
  SymbolicShape shape = lowering.shape(op.getInputs().front());
  SmallVector<Extent> starts{Extent(0)};
  for (Value part : op.getInputs())
    starts.push_back(
        lowering.axes.sum(starts.back(), lowering.shape(part)[axis]));
  shape[axis] = starts.back();
  OpBuilder &builder = lowering.builder;
  Value result =
      lowering.empty(op.getLoc(), shape, signless(elementType(op.getResult())));
  SmallVector<OpFoldResult> offsets(shape.size(), builder.getIndexAttr(0)),
      strides(shape.size(), builder.getIndexAttr(1));
  for (auto [part, start] : llvm::zip(op.getInputs(), starts)) {
    offsets[axis] = lowering.axes.fold(start);
    result = tensor::InsertSliceOp::create(
        builder, op.getLoc(), lowering.get(part), result, offsets,
        lowering.axes.fold(lowering.shape(part)), strides);
  }
  lowering.set(op, result, shape);
  return success();
}

} // namespace blocks
