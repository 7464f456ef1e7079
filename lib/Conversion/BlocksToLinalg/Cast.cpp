//===- Cast.cpp - Conversion of element types -----------------------------===//
//
// Signedness is in the original types only; here it picks the conversion. A
// value becomes i1 by comparison with zero.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Generic.h"

#include <mlir/Dialect/Math/IR/Math.h>

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

/// The nearest f32 to an f64 that keeps a rounding to f16 right: unless exact,
/// the one of the two neighbours whose last bit is set, so that it is never
/// halfway between two numbers of f16. The direct conversion is a library's.
static Value narrowToOdd(OpBuilder &builder, Location loc, Value x) {
  Type i32 = builder.getI32Type();
  Value near = arith::TruncFOp::create(builder, loc, builder.getF32Type(), x);
  Value wide = arith::ExtFOp::create(builder, loc, x.getType(), near);
  Value bits = arith::BitcastOp::create(builder, loc, i32, near);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(value));
  };
  auto less = [&](Value a, Value b) -> Value {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                                 math::AbsFOp::create(builder, loc, a),
                                 math::AbsFOp::create(builder, loc, b));
  };
  Value isOdd =
      arith::TruncIOp::create(builder, loc, builder.getI1Type(), bits);
  Value none = constant(0);
  Value up =
      arith::SelectOp::create(builder, loc, less(wide, x), constant(1), none);
  Value step =
      arith::SelectOp::create(builder, loc, less(x, wide), constant(-1), up);
  Value taken = arith::SelectOp::create(builder, loc, isOdd, none, step);
  Value odd = arith::AddIOp::create(builder, loc, bits, taken);
  return arith::BitcastOp::create(builder, loc, near.getType(), odd);
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
  if (x.getType().isF64() && type.isF16())
    x = narrowToOdd(builder, loc, x);
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
