//===- SquareRoot.cpp - The square root of an extent ----------------------===//
#include "dialects/Blocks/SquareRoot.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/Dialect/Utils/StaticValueUtils.h>

using namespace mlir;

namespace blocks {

/// In f64, whose root is rounded correctly: exact below 2^52.
Value createSquareRoot(OpBuilder &builder, Location loc, Value extent) {
  Type integer = builder.getI64Type(), real = builder.getF64Type();
  Value number = arith::IndexCastOp::create(builder, loc, integer, extent);
  number = arith::UIToFPOp::create(builder, loc, real, number);
  Value root = math::SqrtOp::create(builder, loc, number);
  root = arith::FPToUIOp::create(builder, loc, integer, root);
  root = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), root);
  return arith::MaxUIOp::create(
      builder, loc, root, arith::ConstantIndexOp::create(builder, loc, 1));
}

template <typename Op> static Value operandOf(Value value) {
  auto op = value ? value.getDefiningOp<Op>() : Op();
  return op ? Value(op->getOperand(0)) : Value();
}

Value squareRootOf(Value value) {
  auto atLeastOne = value.getDefiningOp<arith::MaxUIOp>();
  if (!atLeastOne || !isConstantIntValue(atLeastOne.getRhs(), 1))
    return {};
  Value root = operandOf<arith::IndexCastOp>(atLeastOne.getLhs());
  root = operandOf<math::SqrtOp>(operandOf<arith::FPToUIOp>(root));
  return operandOf<arith::IndexCastOp>(operandOf<arith::UIToFPOp>(root));
}

} // namespace blocks
