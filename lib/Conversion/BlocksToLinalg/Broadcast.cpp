//===- Broadcast.cpp - Repeating tensors; extents as numbers --------------===//
#include "lib/Conversion/BlocksToLinalg/Generic.h"

using namespace mlir;

namespace blocks {

LogicalResult lowerBroadcast(BroadcastOp op, Lowering &lowering) {
  SmallVector<AffineExpr> exprs;
  for (auto [i, d] : llvm::enumerate(op.getDims())) {
    if (failed(
            requireEqualAxes(op, lowering, op.getInput(), i, op.getLike(), d)))
      return failure();
    exprs.push_back(lowering.builder.getAffineDimExpr(d));
  }
  SymbolicShape shape = lowering.shape(op.getLike());
  auto map = AffineMap::get(shape.size(), 0, exprs, op.getContext());
  Value input = lowering.get(op.getInput());
  auto repeat = [](OpBuilder &, Location, ValueRange arguments) -> Value {
    return arguments[0];
  };
  lowering.set(op,
               elementwise(lowering, op.getLoc(), {{input, map}}, shape,
                           elementType(input), repeat),
               shape);
  return success();
}

LogicalResult lowerExtent(ExtentOp op, Lowering &lowering) {
  Extent product;
  for (int64_t d : op.getDims())
    product = product * lowering.shape(op.getInput())[d];
  OpBuilder &builder = lowering.builder;
  Location loc = op.getLoc();
  Type type = elementType(op.getResult());
  Value value;
  if (std::optional<int64_t> constant = product.constant())
    value = number(builder, loc, type, double(*constant));
  else
    value = arith::SIToFPOp::create(
        builder, loc, type,
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                   lowering.axes.value(product)));
  lowering.set(op, lowering.filled(loc, {}, value), {});
  return success();
}

LogicalResult lowerSplat(tensor::SplatOp op, Lowering &lowering) {
  SymbolicShape shape;
  unsigned next = 0;
  for (int64_t extent : op.getType().getShape()) {
    if (!ShapedType::isDynamic(extent)) {
      shape.push_back(extent);
      continue;
    }
    FailureOr<Extent> known = lowering.size(op, op.getDynamicSizes()[next++]);
    if (failed(known))
      return failure();
    shape.push_back(*known);
  }
  Value scalar = lowering.get(op.getInput());
  lowering.set(op, lowering.filled(op.getLoc(), shape, scalar), shape);
  return success();
}

} // namespace blocks
