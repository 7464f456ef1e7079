//===- Cast.cpp - Conversion of element types -----------------------------===//
//
// Signedness is in the original types only; here it picks the conversion. A
// value becomes i1 by comparison with zero.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Generic.h"

using namespace mlir;

namespace blocks {

/// i1 and unsigned types extend with zeros.
static bool extendsWithZeros(Type type) {
  return type.isInteger(1) || type.isUnsignedInteger();
}

static Value notZero(OpBuilder &builder, Location loc, Value x) {
  Value zero = number(builder, loc, x.getType(), 0);
  if (isa<FloatType>(x.getType()))
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE, x,
                                 zero);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, x, zero);
}

static Value fromFloat(OpBuilder &builder, Location loc, Value x, Type to) {
  Type type = signless(to);
  if (isa<IntegerType>(to)) {
    if (to.isUnsignedInteger())
      return arith::FPToUIOp::create(builder, loc, type, x);
    return arith::FPToSIOp::create(builder, loc, type, x);
  }
  if (type.getIntOrFloatBitWidth() > x.getType().getIntOrFloatBitWidth())
    return arith::ExtFOp::create(builder, loc, type, x);
  return arith::TruncFOp::create(builder, loc, type, x);
}

static Value fromInteger(OpBuilder &builder, Location loc, Value x, Type from,
                         Type to) {
  Type type = signless(to);
  bool zeros = extendsWithZeros(from);
  if (isa<FloatType>(to)) {
    if (zeros)
      return arith::UIToFPOp::create(builder, loc, type, x);
    return arith::SIToFPOp::create(builder, loc, type, x);
  }
  if (type.getIntOrFloatBitWidth() < from.getIntOrFloatBitWidth())
    return arith::TruncIOp::create(builder, loc, type, x);
  if (zeros)
    return arith::ExtUIOp::create(builder, loc, type, x);
  return arith::ExtSIOp::create(builder, loc, type, x);
}

static Value convert(OpBuilder &builder, Location loc, Value x, Type from,
                     Type to) {
  if (x.getType() == signless(to))
    return x;
  if (to.isInteger(1))
    return notZero(builder, loc, x);
  return isa<FloatType>(from) ? fromFloat(builder, loc, x, to)
                              : fromInteger(builder, loc, x, from, to);
}

LogicalResult lowerCast(blocks::CastOp op, Lowering &lowering) {
  Type from = elementType(op.getInput()), to = elementType(op.getResult());
  SymbolicShape shape = lowering.shape(op.getInput());
  Value input = lowering.get(op.getInput());
  if (signless(from) == signless(to)) {
    lowering.set(op, input, shape);
    return success();
  }
  auto body = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    return convert(builder, loc, arguments[0], from, to);
  };
  lowering.set(
      op,
      elementwise(lowering, op.getLoc(), {{input}}, shape, signless(to), body),
      shape);
  return success();
}

} // namespace blocks
