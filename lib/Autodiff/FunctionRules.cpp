//===- FunctionRules.cpp - Gradients of elementwise functions -------------===//
//
// Derivatives are written by the function's result y where that saves an
// evaluation: y is at hand, and in the cache when the kernels are fused.
//
//===----------------------------------------------------------------------===//
#include "lib/Autodiff/RuleModel.h"
#include "lib/Autodiff/Rules.h"

#include <cmath>
#include <numbers>

using namespace mlir;

namespace blocks {
namespace {

//===--- By the result ----------------------------------------------------===//

void expRule(math::ExpOp op, RuleContext &c) {
  c.set(0, c.mul(c.gradient(), op.getResult()));
}
void exp2Rule(math::Exp2Op op, RuleContext &c) {
  c.set(0, c.mul(c.gradient(), c.scale(op.getResult(), std::numbers::ln2)));
}
void expm1Rule(math::ExpM1Op op, RuleContext &c) {
  Value y = op.getResult();
  c.set(0, c.mul(c.gradient(), c.add(y, c.constant(1.0, y))));
}
void tanhRule(math::TanhOp op, RuleContext &c) {
  Value y = op.getResult();
  c.set(0, c.mul(c.gradient(), c.sub(c.constant(1.0, y), c.square(y))));
}
void sqrtRule(math::SqrtOp op, RuleContext &c) {
  c.set(0, c.div(c.scale(c.gradient(), 0.5), op.getResult()));
}
void rsqrtRule(math::RsqrtOp op, RuleContext &c) {
  Value y = op.getResult();
  c.set(0, c.mul(c.gradient(), c.scale(c.mul(y, c.square(y)), -0.5)));
}
void tanRule(math::TanOp op, RuleContext &c) {
  Value y = op.getResult();
  c.set(0, c.mul(c.gradient(), c.add(c.constant(1.0, y), c.square(y))));
}
void cbrtRule(math::CbrtOp op, RuleContext &c) {
  Value y = op.getResult();
  c.set(0, c.div(c.gradient(), c.scale(c.square(y), 3.0)));
}
/// y(1-y) from the result.
void logisticRule(LogisticOp op, RuleContext &c) {
  Value y = op.getResult();
  c.set(0, c.mul(c.gradient(), c.mul(y, c.sub(c.constant(1.0, y), y))));
}
/// The sign of the result is the sign of the input (for a leak above 0), and
/// of a plain rectifier the result is 0 exactly where no gradient flows.
void rectifierRule(RectifierOp op, RuleContext &c) {
  Value g = c.gradient();
  double leak = op.getLeak().convertToDouble();
  Value y = leak < 0 ? op.getInput() : op.getResult();
  Value below = leak == 0 ? c.constant(0.0, g) : c.scale(g, leak);
  c.set(0, c.select(c.greater(y, c.constant(0.0, y)), g, below));
}

//===--- By the input -----------------------------------------------------===//

void logRule(math::LogOp op, RuleContext &c) {
  c.set(0, c.div(c.gradient(), op.getOperand()));
}
void log2Rule(math::Log2Op op, RuleContext &c) {
  c.set(0, c.div(c.scale(c.gradient(), std::numbers::log2e), op.getOperand()));
}
void log10Rule(math::Log10Op op, RuleContext &c) {
  c.set(0, c.div(c.scale(c.gradient(), std::numbers::log10e), op.getOperand()));
}
void log1pRule(math::Log1pOp op, RuleContext &c) {
  Value x = op.getOperand();
  c.set(0, c.div(c.gradient(), c.add(c.constant(1.0, x), x)));
}
void sinRule(math::SinOp op, RuleContext &c) {
  c.set(0, c.mul(c.gradient(), c.unary<math::CosOp>(op.getOperand())));
}
void cosRule(math::CosOp op, RuleContext &c) {
  c.set(0, c.mul(c.neg(c.gradient()), c.unary<math::SinOp>(op.getOperand())));
}
void atanRule(math::AtanOp op, RuleContext &c) {
  Value x = op.getOperand();
  c.set(0, c.div(c.gradient(), c.add(c.constant(1.0, x), c.square(x))));
}
void sinhRule(math::SinhOp op, RuleContext &c) {
  c.set(0, c.mul(c.gradient(), c.unary<math::CoshOp>(op.getOperand())));
}
void coshRule(math::CoshOp op, RuleContext &c) {
  c.set(0, c.mul(c.gradient(), c.unary<math::SinhOp>(op.getOperand())));
}
void erfRule(math::ErfOp op, RuleContext &c) {
  Value bell = c.unary<math::ExpOp>(c.neg(c.square(op.getOperand())));
  double factor = 2.0 * std::numbers::inv_sqrtpi;
  c.set(0, c.mul(c.gradient(), c.scale(bell, factor)));
}
void erfcRule(math::ErfcOp op, RuleContext &c) {
  Value bell = c.unary<math::ExpOp>(c.neg(c.square(op.getOperand())));
  double factor = -2.0 * std::numbers::inv_sqrtpi;
  c.set(0, c.mul(c.gradient(), c.scale(bell, factor)));
}
/// (1-x)(1+x), which keeps its digits near 1 and -1.
Value oneMinusSquare(Value x, RuleContext &c) {
  Value one = c.constant(1.0, x);
  return c.mul(c.sub(one, x), c.add(one, x));
}
void asinRule(math::AsinOp op, RuleContext &c) {
  Value root = c.unary<math::SqrtOp>(oneMinusSquare(op.getOperand(), c));
  c.set(0, c.div(c.gradient(), root));
}
void acosRule(math::AcosOp op, RuleContext &c) {
  Value root = c.unary<math::SqrtOp>(oneMinusSquare(op.getOperand(), c));
  c.set(0, c.neg(c.div(c.gradient(), root)));
}
void asinhRule(math::AsinhOp op, RuleContext &c) {
  Value x = op.getOperand();
  Value root = c.unary<math::SqrtOp>(c.add(c.square(x), c.constant(1.0, x)));
  c.set(0, c.div(c.gradient(), root));
}
void acoshRule(math::AcoshOp op, RuleContext &c) {
  Value x = op.getOperand(), one = c.constant(1.0, x);
  Value product = c.mul(c.sub(x, one), c.add(x, one));
  c.set(0, c.div(c.gradient(), c.unary<math::SqrtOp>(product)));
}
void atanhRule(math::AtanhOp op, RuleContext &c) {
  c.set(0, c.div(c.gradient(), oneMinusSquare(op.getOperand(), c)));
}
/// The angle of (b, a): da = g·b/(a²+b²), db = -g·a/(a²+b²).
void atan2Rule(math::Atan2Op op, RuleContext &c) {
  Value a = op.getLhs(), b = op.getRhs();
  Value part = c.div(c.gradient(), c.add(c.square(a), c.square(b)));
  c.set(0, c.mul(part, b));
  c.set(1, c.neg(c.mul(part, a)));
}
/// |a| with the sign of b: 0 at a = 0, like the absolute value.
void copysignRule(math::CopySignOp op, RuleContext &c) {
  Value a = op.getLhs(), zero = c.constant(0.0, a);
  Value sign = math::CopySignOp::create(c.builder, c.loc, c.constant(1.0, a),
                                        op.getRhs());
  Value above = c.mul(c.gradient(), sign);
  Value below = c.select(c.greater(zero, a), c.neg(above), zero);
  c.set(0, c.select(c.greater(a, zero), above, below));
}
/// Where a bound is reached the bound gets the gradient.
void clampRule(math::ClampFOp op, RuleContext &c) {
  Value x = op.getValue(), none = c.constant(0.0, x);
  Value lower = c.greater(x, op.getMin()), upper = c.greater(op.getMax(), x);
  Value within = c.select(lower, c.gradient(), none);
  c.set(0, c.select(upper, within, none));
  c.set(1, c.select(lower, none, c.select(upper, c.gradient(), none)));
  c.set(2, c.select(upper, none, c.gradient()));
}
/// 0 at 0, so that an L1 penalty leaves a zero alone.
void absRule(math::AbsFOp op, RuleContext &c) {
  Value x = op.getOperand(), zero = c.constant(0.0, x);
  Value below = c.select(c.greater(zero, x), c.neg(c.gradient()), zero);
  c.set(0, c.select(c.greater(x, zero), c.gradient(), below));
}
/// y = a^b: da = g·b·a^(b-1), db = g·y·log a, taken as 0 where a is not above
/// 0.
void powRule(math::PowFOp op, RuleContext &c) {
  Value a = op.getLhs(), b = op.getRhs(), zero = c.constant(0.0, a);
  Value lower =
      math::PowFOp::create(c.builder, c.loc, a, c.sub(b, c.constant(1.0, b)));
  c.set(0, c.mul(c.gradient(), c.mul(b, lower)));
  Value positive = c.greater(a, zero);
  Value log = c.unary<math::LogOp>(c.select(positive, a, c.constant(1.0, a)));
  c.set(1, c.mul(c.gradient(), c.mul(op.getResult(), log)));
}
/// a·b + d
void fmaRule(math::FmaOp op, RuleContext &c) {
  c.set(0, c.mul(c.gradient(), op.getB()));
  c.set(1, c.mul(c.gradient(), op.getA()));
  c.set(2, c.gradient());
}

/// Piecewise constant functions: the gradient is 0 wherever there is one.
template <typename Op> void stepwiseRule(Op, RuleContext &) {}

} // namespace

void attachFunctionRules(MLIRContext &context) {
  attach<math::ExpOp, expRule>(context);
  attach<math::Exp2Op, exp2Rule>(context);
  attach<math::ExpM1Op, expm1Rule>(context);
  attach<math::TanhOp, tanhRule>(context);
  attach<math::SqrtOp, sqrtRule>(context);
  attach<math::RsqrtOp, rsqrtRule>(context);
  attach<math::TanOp, tanRule>(context);
  attach<LogisticOp, logisticRule>(context);
  attach<RectifierOp, rectifierRule>(context);
  attach<math::LogOp, logRule>(context);
  attach<math::Log2Op, log2Rule>(context);
  attach<math::Log10Op, log10Rule>(context);
  attach<math::Log1pOp, log1pRule>(context);
  attach<math::SinOp, sinRule>(context);
  attach<math::CosOp, cosRule>(context);
  attach<math::AtanOp, atanRule>(context);
  attach<math::SinhOp, sinhRule>(context);
  attach<math::CoshOp, coshRule>(context);
  attach<math::ErfOp, erfRule>(context);
  attach<math::AbsFOp, absRule>(context);
  attach<math::CbrtOp, cbrtRule>(context);
  attach<math::ErfcOp, erfcRule>(context);
  attach<math::AsinOp, asinRule>(context);
  attach<math::AcosOp, acosRule>(context);
  attach<math::AsinhOp, asinhRule>(context);
  attach<math::AcoshOp, acoshRule>(context);
  attach<math::AtanhOp, atanhRule>(context);
  attach<math::Atan2Op, atan2Rule>(context);
  attach<math::CopySignOp, copysignRule>(context);
  attach<math::ClampFOp, clampRule>(context);
  attach<math::PowFOp, powRule>(context);
  attach<math::FmaOp, fmaRule>(context);
  attach<math::FloorOp, stepwiseRule<math::FloorOp>>(context);
  attach<math::CeilOp, stepwiseRule<math::CeilOp>>(context);
  attach<math::RoundOp, stepwiseRule<math::RoundOp>>(context);
  attach<math::RoundEvenOp, stepwiseRule<math::RoundEvenOp>>(context);
  attach<math::TruncOp, stepwiseRule<math::TruncOp>>(context);
}

} // namespace blocks
