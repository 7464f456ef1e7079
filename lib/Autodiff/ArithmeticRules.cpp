//===- ArithmeticRules.cpp - Gradients of arith on tensors ----------------===//
//
// Where a product or quotient appears in several operands' gradients it is
// built once. What no operand needs is removed by the caller.
//
//===----------------------------------------------------------------------===//
#include "lib/Autodiff/RuleModel.h"
#include "lib/Autodiff/Rules.h"

using namespace mlir;

namespace blocks {

static void addRule(arith::AddFOp, RuleContext &c) {
  c.set(0, c.gradient());
  c.set(1, c.gradient());
}

static void subRule(arith::SubFOp, RuleContext &c) {
  c.set(0, c.gradient());
  c.set(1, c.neg(c.gradient()));
}

static void mulRule(arith::MulFOp op, RuleContext &c) {
  if (op.getLhs() == op.getRhs()) { // a square: 2x, in one term
    c.set(0, c.mul(c.gradient(), c.scale(op.getLhs(), 2.0)));
    return;
  }
  c.set(0, c.mul(c.gradient(), op.getRhs()));
  c.set(1, c.mul(c.gradient(), op.getLhs()));
}

/// y = a/b: da = g/b, db = -y·da.
static void divRule(arith::DivFOp op, RuleContext &c) {
  Value left = c.div(c.gradient(), op.getRhs());
  c.set(0, left);
  c.set(1, c.neg(c.mul(left, op.getResult())));
}

static void negRule(arith::NegFOp, RuleContext &c) {
  c.set(0, c.neg(c.gradient()));
}

/// Of equal operands the second gets the gradient, so that max(x, 0) has
/// gradient 0 at 0, like the rectifier.
static void chooseRule(Value chosen, RuleContext &c) {
  Value none = c.constant(0.0, c.gradient());
  c.set(0, c.select(chosen, c.gradient(), none));
  c.set(1, c.select(chosen, none, c.gradient()));
}
static void maximumRule(arith::MaximumFOp op, RuleContext &c) {
  chooseRule(c.greater(op.getLhs(), op.getRhs()), c);
}
static void minimumRule(arith::MinimumFOp op, RuleContext &c) {
  chooseRule(c.greater(op.getRhs(), op.getLhs()), c);
}

/// Beside NaN the number is chosen: the first one wherever the result is not
/// the second.
static void maxnumRule(arith::MaxNumFOp op, RuleContext &c) {
  chooseRule(c.compare(arith::CmpFPredicate::UNE, op.getResult(), op.getRhs()),
             c);
}
static void minnumRule(arith::MinNumFOp op, RuleContext &c) {
  chooseRule(c.compare(arith::CmpFPredicate::UNE, op.getResult(), op.getRhs()),
             c);
}

/// a - b·trunc(a/b): db = -g·trunc(a/b), with the quotient from the result, so
/// that it is whole.
static void remainderRule(arith::RemFOp op, RuleContext &c) {
  c.set(0, c.gradient());
  Value whole = c.div(c.sub(op.getLhs(), op.getResult()), op.getRhs());
  c.set(1, c.neg(c.mul(c.gradient(), whole)));
}

static void selectRule(arith::SelectOp op, RuleContext &c) {
  Value none = c.constant(0.0, c.gradient());
  c.set(1, c.select(op.getCondition(), c.gradient(), none));
  c.set(2, c.select(op.getCondition(), none, c.gradient()));
}

void attachArithmeticRules(MLIRContext &context) {
  attach<arith::AddFOp, addRule>(context);
  attach<arith::SubFOp, subRule>(context);
  attach<arith::MulFOp, mulRule>(context);
  attach<arith::DivFOp, divRule>(context);
  attach<arith::NegFOp, negRule>(context);
  attach<arith::MaximumFOp, maximumRule>(context);
  attach<arith::MinimumFOp, minimumRule>(context);
  attach<arith::MaxNumFOp, maxnumRule>(context);
  attach<arith::MinNumFOp, minnumRule>(context);
  attach<arith::RemFOp, remainderRule>(context);
  attach<arith::SelectOp, selectRule>(context);
}

} // namespace blocks
