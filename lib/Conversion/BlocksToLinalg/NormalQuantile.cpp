//===- NormalQuantile.cpp - AS 241 in arith operations --------------------===//
//
// The same operations in the same order as normalQuantile and portableLog in
// runtime/Parameters/NormalDeviates.cpp, without contraction, so that noise in
// a compiled step has the bits that the runtime would compute. All branches are
// computed and one is selected, which suits vector units.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Philox.h"

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

/// Coefficients of p(r)/q(r), constant term first.
struct Rational {
  double p[8], q[8];
};

constexpr Rational central = {
    {3.3871328727963666080e0, 1.3314166789178437745e+2,
     1.9715909503065514427e+3, 1.3731693765509461125e+4,
     4.5921953931549871457e+4, 6.7265770927008700853e+4,
     3.3430575583588128105e+4, 2.5090809287301226727e+3},
    {1.0, 4.2313330701600911252e+1, 6.8718700749205790830e+2,
     5.3941960214247511077e+3, 2.1213794301586595867e+4,
     3.9307895800092710610e+4, 2.8729085735721942674e+4,
     5.2264952788528545610e+3}};
constexpr Rational nearTail = {
    {1.42343711074968357734e0, 4.63033784615654529590e0,
     5.76949722146069140550e0, 3.64784832476320460504e0,
     1.27045825245236838258e0, 2.41780725177450611770e-1,
     2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1.0, 2.05319162663775882187e0, 1.67638483018380384940e0,
     6.89767334985100004550e-1, 1.48103976427480074590e-1,
     1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9}};
constexpr Rational farTail = {
    {6.65790464350110377720e0, 5.46378491116411436990e0,
     1.78482653991729133580e0, 2.96560571828504891230e-1,
     2.65321895265761230930e-2, 1.24266094738807843860e-3,
     2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1,
     1.48753612908506148525e-2, 7.86869131145613259100e-4,
     1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15}};

Value horner(F64 f, const double (&coefficients)[8], Value r) {
  Value value = f(coefficients[7]);
  for (int i = 6; i >= 0; --i)
    value = f.add(f.mul(value, r), f(coefficients[i]));
  return value;
}

Value quotient(F64 f, const Rational &rational, Value r) {
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
      f.mul(q, quotient(f, central, f.sub(f(0.180625), f.mul(q, q))));
  Value negative = f.less(q, f(0));
  Value tail = f.select(negative, p, f.sub(f(1), p));
  Value r = math::SqrtOp::create(builder, loc, f.neg(portableLog(f, tail)));
  Value z = f.select(f.atMost(r, f(5)), quotient(f, nearTail, f.sub(r, f(1.6))),
                     quotient(f, farTail, f.sub(r, f(5))));
  Value outside = f.select(negative, f.neg(z), z);
  Value magnitude = math::AbsFOp::create(builder, loc, q);
  return f.select(f.atMost(magnitude, f(0.425)), inside, outside);
}

} // namespace blocks
