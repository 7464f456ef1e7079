//===- BatchMatmulOp.cpp - Verifier and builder of blocks.batch_matmul ----===//
//
// The labels C1, C2, C3 are the constraints of BatchMatmulOp.td.
//
//===----------------------------------------------------------------------===//
#include "dialects/Blocks/Blocks.h"

using namespace mlir;

namespace blocks {

static RankedTensorType tensorOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// The extents of `type`, the last two exchanged if asked.
static SmallVector<int64_t> shapeOf(RankedTensorType type, bool transpose) {
  SmallVector<int64_t> shape(type.getShape());
  if (transpose && shape.size() >= 2)
    std::swap(shape[shape.size() - 2], shape.back());
  return shape;
}

void BatchMatmulOp::build(OpBuilder &builder, OperationState &state, Value lhs,
                          Value rhs, bool transposeLhs, bool transposeRhs) {
  state.addOperands({lhs, rhs});
  Properties &properties = state.getOrAddProperties<Properties>();
  if (transposeLhs)
    properties.transpose_lhs = builder.getUnitAttr();
  if (transposeRhs)
    properties.transpose_rhs = builder.getUnitAttr();
  SmallVector<int64_t> shape = shapeOf(tensorOf(lhs), transposeLhs);
  shape.back() = shapeOf(tensorOf(rhs), transposeRhs).back();
  state.addTypes(RankedTensorType::get(shape, tensorOf(lhs).getElementType()));
}

LogicalResult BatchMatmulOp::verify() {
  RankedTensorType a = tensorOf(getLhs()), b = tensorOf(getRhs()),
                   c = tensorOf(getResult());
  auto left = shapeOf(a, getTransposeLhs()),
       right = shapeOf(b, getTransposeRhs());
  bool stacks = a.getRank() >= 3 && a.getRank() == b.getRank();
  for (int64_t axis = 0; stacks && axis < a.getRank() - 2; ++axis)
    stacks = extentsFit(left[axis], right[axis]);
  if (!stacks)
    return emitOpError("C1: needs two stacks of matrices with equal leading "
                       "extents, found ")
           << shapeText(a) << " and " << shapeText(b);
  int64_t inner = left.back();
  if (!extentsFit(inner, right[right.size() - 2]))
    return emitOpError("C2: cannot multiply ")
           << shapeText(a) << (getTransposeLhs() ? " transposed" : "") << " by "
           << shapeText(b) << (getTransposeRhs() ? " transposed" : "")
           << ": the contracted extents are " << inner << " and "
           << right[right.size() - 2];
  left.back() = right.back();
  bool fits = c.getRank() == a.getRank() &&
              a.getElementType() == b.getElementType() &&
              a.getElementType() == c.getElementType();
  for (int64_t axis = 0; fits && axis < c.getRank(); ++axis)
    fits = extentsFit(c.getDimSize(axis), left[axis]);
  if (!fits)
    return emitOpError("C3: the result cannot be ") << c;
  return success();
}

} // namespace blocks
