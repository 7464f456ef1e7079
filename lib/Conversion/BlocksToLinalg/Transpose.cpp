//===- Transpose.cpp - The order of axes ----------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Generic.h"
#include "lib/Conversion/BlocksToLinalg/Layout.h"

using namespace mlir;

namespace blocks {

LogicalResult lowerTranspose(TransposeOp op, Lowering &lowering) {
  const SymbolicShape &from = lowering.shape(op.getInput());
  SymbolicShape shape;
  SmallVector<AffineExpr> exprs(from.size());
  for (auto [i, axis] : llvm::enumerate(op.getPermutation())) {
    shape.push_back(from[axis]);
    exprs[axis] = lowering.builder.getAffineDimExpr(i);
  }
  auto map = AffineMap::get(shape.size(), 0, exprs, op.getContext());
  Value input = lowering.get(op.getInput());
  auto same = [](OpBuilder &, Location, ValueRange arguments) -> Value {
    return arguments[0];
  };
  lowering.set(op,
               elementwise(lowering, op.getLoc(), {{input, map}}, shape,
                           elementType(input), same),
               shape);
  return success();
}

} // namespace blocks
