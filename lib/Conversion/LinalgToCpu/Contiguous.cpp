// See Contiguous.h.
#include "lib/Conversion/LinalgToCpu/Contiguous.h"

#include <mlir/Dialect/MemRef/IR/MemRef.h>

using namespace mlir;

namespace blocks {

/// True if elements lie one behind the other in row-major order.
static bool isContiguous(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset, expected = 1;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  for (int64_t axis = type.getRank() - 1; axis >= 0; --axis) {
    if (type.getDimSize(axis) != 1 && strides[axis] != expected)
      return false;
    if (axis > 0 && type.isDynamicDim(axis))
      return false;
    expected *= type.getDimSize(axis);
  }
  return true;
}

Value makeContiguous(RewriterBase &rewriter, Location loc, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getLayout().isIdentity() || isContiguous(type))
    return buffer;
  auto plain = MemRefType::get(type.getShape(), type.getElementType());
  SmallVector<Value> sizes;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (type.isDynamicDim(axis))
      sizes.push_back(memref::DimOp::create(rewriter, loc, buffer, axis));
  Value copy = memref::AllocOp::create(rewriter, loc, plain, sizes,
                                       rewriter.getI64IntegerAttr(64));
  memref::CopyOp::create(rewriter, loc, buffer, copy);
  return copy;
}

} // namespace blocks
