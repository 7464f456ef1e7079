//===- NormalQuantile.cpp - AS 241 in arith operations --------------------===//
//
// The same operations in the same order as normalQuantile and portableLog in
// runtime/Parameters/NormalDeviates.cpp, without contraction, so that noise in
// a compiled step has the bits that the runtime would compute. All branches are
// computed and one is selected, which suits vector units.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Philox.h"

#include "blocks/NormalQuantile.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Math/IR/Math.h>

using namespace mlir;

namespace blocks {

namespace {

/// Short names for f64 arithmetic.
struct F64 {
  OpBuilder &builder;
  Location loc;

  Value operator()(double value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF64FloatAttr(value));
  }
  Value bits(uint64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(int64_t(value)));
  }
  Value add(Value a, Value b) {
    return arith::AddFOp::create(builder, loc, a, b);
  }
  Value sub(Value a, Value b) {
    return arith::SubFOp::create(builder, loc, a, b);
  }
  Value mul(Value a, Value b) {
    return arith::MulFOp::create(builder, loc, a, b);
  }
  Value div(Value a, Value b) {
    return arith::DivFOp::create(builder, loc, a, b);
  }
  Value neg(Value a) { return arith::NegFOp::create(builder, loc, a); }
  Value less(Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, a, b);
  }
  Value atMost(Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLE, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
};

Value horner(F64 f, const double (&coefficients)[8], Value r) {
  Value value = f(coefficients[7]);
  for (int i = 6; i >= 0; --i)
    value = f.add(f.mul(value, r), f(coefficients[i]));
  return value;
}

Value quotient(F64 f, const as241::Rational &rational, Value r) {
  return f.div(horner(f, rational.p, r), horner(f, rational.q, r));
}

/// log x = e·log 2 + log m, for normal x > 0, with m in [√½, √2).
Value portableLog(F64 f, Value x) {
  OpBuilder &b = f.builder;
  Location loc = f.loc;
  Type i64 = b.getI64Type();
  Value bits = arith::BitcastOp::create(b, loc, i64, x);
  Value exponent = arith::SubIOp::create(
      b, loc, arith::ShRUIOp::create(b, loc, bits, f.bits(52)), f.bits(1022));
  Value mantissa = arith::OrIOp::create(
      b, loc, arith::AndIOp::create(b, loc, bits, f.bits(0x000FFFFFFFFFFFFFu)),
      f.bits(0x3FE0000000000000u));
  Value half = arith::BitcastOp::create(b, loc, b.getF64Type(), mantissa);
  Value small = f.less(half, f(0.70710678118654752));
  Value m = f.select(small, f.mul(half, f(2)), half);
  exponent = arith::SelectOp::create(
      b, loc, small, arith::SubIOp::create(b, loc, exponent, f.bits(1)),
      exponent);
  Value s = f.div(f.sub(m, f(1)), f.add(m, f(1)));
  Value s2 = f.mul(s, s), tail = f(0);
  for (int k = 25; k >= 3; k -= 2)
    tail = f.add(f.mul(tail, s2), f(1.0 / k));
  Value twice = f.mul(f(2), s);
  Value logM = f.add(twice, f.mul(f.mul(twice, s2), tail));
  Value e = arith::SIToFPOp::create(b, loc, b.getF64Type(), exponent);
  return f.add(f.mul(e, f(0x1.62e42fee00000p-1)),
               f.add(f.mul(e, f(0x1.a39ef35793c76p-33)), logM));
}

} // namespace

Value emitNormalQuantile(OpBuilder &builder, Location loc, Value p) {
  F64 f{builder, loc};
  Value q = f.sub(p, f(0.5));
  Value inside =
      f.mul(q, quotient(f, as241::central, f.sub(f(0.180625), f.mul(q, q))));
  Value negative = f.less(q, f(0));
  Value tail = f.select(negative, p, f.sub(f(1), p));
  Value r = math::SqrtOp::create(builder, loc, f.neg(portableLog(f, tail)));
  Value z = f.select(f.atMost(r, f(5)),
                     quotient(f, as241::nearTail, f.sub(r, f(1.6))),
                     quotient(f, as241::farTail, f.sub(r, f(5))));
  Value outside = f.select(negative, f.neg(z), z);
  Value magnitude = math::AbsFOp::create(builder, loc, q);
  return f.select(f.atMost(magnitude, f(0.425)), inside, outside);
}

} // namespace blocks
