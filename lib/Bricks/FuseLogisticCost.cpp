//===- FuseLogisticCost.cpp - Binary cross-entropy of a logistic's output -===//
//
// Matches what Costs.cpp builds, through tags, when the probabilities are a
// logistic function's result and nothing stands between: then the cost is made
// of the logits, where it neither overflows nor loses digits. The logistic
// itself stays for its other users.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/DeadOperations.h"
#include "lib/Bricks/Passes.h"
#include "lib/Bricks/TensorHelpers.h"
#include "lib/Roles/AnnotationEffects.h"
#include "lib/Roles/TaggedValues.h"

#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/IR/Matchers.h>

using namespace mlir;

namespace blocks {

#define GEN_PASS_DEF_FUSELOGISTICCOST
#include "lib/Bricks/Passes.h.inc"

namespace {

/// True for a tensor whose elements are all `number`.
bool isSplat(Value value, double number) {
  if (auto broadcast = value.getDefiningOp<BroadcastOp>())
    value = broadcast.getInput();
  DenseFPElementsAttr elements;
  return matchPattern(value, m_Constant(&elements)) && elements.isSplat() &&
         elements.getSplatValue<APFloat>().isExactlyValue(number);
}

/// The value that `value` is 1 minus, or null.
Value complementOf(Value value) {
  auto difference = value.getDefiningOp<arith::SubFOp>();
  return difference && isSplat(difference.getLhs(), 1) ? difference.getRhs()
                                                       : Value();
}

/// factor·log(factor = 0 ? 1 : probability).
struct Term {
  Value factor, probability;
};

std::optional<Term> termOf(Value value) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  auto log = product ? product.getRhs().getDefiningOp<math::LogOp>() : nullptr;
  auto safe = log ? log.getOperand().getDefiningOp<arith::SelectOp>() : nullptr;
  auto none =
      safe ? safe.getCondition().getDefiningOp<arith::CmpFOp>() : nullptr;
  if (!none || none.getPredicate() != arith::CmpFPredicate::OEQ ||
      none.getLhs() != product.getLhs() || !isSplat(none.getRhs(), 0) ||
      !isSplat(safe.getTrueValue(), 1))
    return std::nullopt;
  return Term{product.getLhs(), safe.getFalseValue()};
}

/// max(x, 0) - x·y + log(1 + e^-|x|). At 0 the slopes of the two choices add up
/// to the logistic function's 1/2.
Value costOnLogits(OpBuilder &ops, Location loc, Value y, Value x) {
  Value zero = splatLike(ops, loc, 0.0, x);
  Value isPositive =
      arith::CmpFOp::create(ops, loc, arith::CmpFPredicate::OGT, x, zero);
  Value ramp = arith::SelectOp::create(ops, loc, isPositive, x, zero);
  Value below = arith::SelectOp::create(ops, loc, isPositive,
                                        arith::NegFOp::create(ops, loc, x), x);
  Value rest =
      math::Log1pOp::create(ops, loc, math::ExpOp::create(ops, loc, below));
  Value linear = arith::SubFOp::create(ops, loc, ramp,
                                       arith::MulFOp::create(ops, loc, x, y));
  return arith::AddFOp::create(ops, loc, linear, rest);
}

/// -(y·log p + (1 - y)·log(1 - p)) with p = logistic(x).
void fuse(arith::NegFOp cost) {
  auto sum = cost.getOperand().getDefiningOp<arith::AddFOp>();
  std::optional<Term> first = sum ? termOf(sum.getLhs()) : std::nullopt,
                      second = sum ? termOf(sum.getRhs()) : std::nullopt;
  if (!first || !second || complementOf(second->factor) != first->factor ||
      complementOf(second->probability) != first->probability)
    return;
  auto logistic =
      underlyingValue(first->probability).getDefiningOp<LogisticOp>();
  if (!logistic)
    return;
  OpBuilder builder(cost);
  cost.replaceAllUsesWith(
      costOnLogits(builder, cost.getLoc(), first->factor, logistic.getInput()));
  eraseDead(cost);
}

class FuseLogisticCostPass
    : public impl::FuseLogisticCostBase<FuseLogisticCostPass>,
      public AnnotationEffects {
  // The probabilities' names go when the cost was their only user.
  bool retires(AnnotationAttr) const override { return true; }

  void runOnOperation() override {
    SmallVector<arith::NegFOp> costs;
    getOperation().walk([&](arith::NegFOp cost) { costs.push_back(cost); });
    llvm::for_each(costs, fuse);
  }
};

} // namespace
} // namespace blocks
