//===- SoftmaxRules.cpp - Gradients of the softmax family and of pick -----===//
#include "lib/Autodiff/RuleModel.h"
#include "lib/Autodiff/Rules.h"

using namespace mlir;

namespace blocks {
namespace {

/// The sum of each row, repeated along it.
Value rowSums(RuleContext &c, Value rows) {
  int64_t last = cast<RankedTensorType>(rows.getType()).getRank() - 1;
  SmallVector<int64_t> others = llvm::to_vector(llvm::seq<int64_t>(0, last));
  Value sums = ReduceOp::create(c.builder, c.loc, ReduceKind::Sum, rows, last);
  return BroadcastOp::create(c.builder, c.loc, sums, rows, others);
}

/// y(g - Σ g·y)
void softmaxRule(SoftmaxOp op, RuleContext &c) {
  Value y = op.getResult(), g = c.gradient();
  c.set(0, c.mul(y, c.sub(g, rowSums(c, c.mul(g, y)))));
}

/// g - exp(lp)·Σ g
Value logSoftmaxGradient(RuleContext &c, Value logProbabilities, Value g) {
  Value probabilities = c.unary<math::ExpOp>(logProbabilities);
  return c.sub(g, c.mul(probabilities, rowSums(c, g)));
}

void logSoftmaxRule(LogSoftmaxOp op, RuleContext &c) {
  c.set(0, logSoftmaxGradient(c, op.getResult(), c.gradient()));
}

/// Of a distribution: d cost[i] / d label[i,j] = -lp[i,j].
Value labelGradient(RuleContext &c, SoftmaxCrossEntropyOp op, Value g) {
  Value lp = op.getLogProbabilities();
  int64_t rank = cast<RankedTensorType>(lp.getType()).getRank();
  SmallVector<int64_t> rows = llvm::to_vector(llvm::seq<int64_t>(0, rank - 1));
  Value perRow = BroadcastOp::create(c.builder, c.loc, g, lp, rows);
  return c.neg(c.mul(perRow, lp));
}

void crossEntropyRule(SoftmaxCrossEntropyOp op, RuleContext &c) {
  Value lp = op.getLogProbabilities(), logits;
  if (Value g = c.gradient(0)) {
    logits = SoftmaxCrossEntropyGradOp::create(c.builder, c.loc, lp,
                                               op.getLabels(), g);
    if (isa<FloatType>(getElementTypeOrSelf(op.getLabels())))
      c.set(1, labelGradient(c, op, g));
  }
  if (Value g = c.gradient(1)) {
    Value second = logSoftmaxGradient(c, lp, g);
    logits = logits ? c.add(logits, second) : second;
  }
  c.set(0, logits);
}

void pickRule(PickOp op, RuleContext &c) {
  c.set(0, UnpickOp::create(c.builder, c.loc, op.getInput().getType(),
                            c.gradient(), op.getIndices(), op.getInput()));
}

void unpickRule(UnpickOp op, RuleContext &c) {
  c.set(0, PickOp::create(c.builder, c.loc, op.getInput().getType(),
                          c.gradient(), op.getIndices(), StringRef()));
}

} // namespace

void attachSoftmaxRules(MLIRContext &context) {
  attach<SoftmaxOp, softmaxRule>(context);
  attach<LogSoftmaxOp, logSoftmaxRule>(context);
  attach<SoftmaxCrossEntropyOp, crossEntropyRule>(context);
  attach<PickOp, pickRule>(context);
  attach<UnpickOp, unpickRule>(context);
}

} // namespace blocks
