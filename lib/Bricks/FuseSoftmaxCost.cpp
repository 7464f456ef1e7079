//===- FuseSoftmaxCost.cpp - Cross-entropy of a softmax → the fused form --===//
//
// Matches what Costs.cpp builds, through tags, when the probabilities are a
// softmax's result and nothing (a dropout, say) stands between. The softmax
// itself stays for its other users.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/DeadOperations.h"
#include "lib/Bricks/Passes.h"
#include "lib/Roles/AnnotationEffects.h"
#include "lib/Roles/TaggedValues.h"

using namespace mlir;

namespace blocks {

#define GEN_PASS_DEF_FUSESOFTMAXCOST
#include "lib/Bricks/Passes.h.inc"

namespace {

/// The softmax that `probabilities` is the output of, or null. With a mask it
/// has no form on logits: a masked label's cost is infinite.
SoftmaxOp softmaxOf(Value probabilities) {
  auto softmax = underlyingValue(probabilities).getDefiningOp<SoftmaxOp>();
  return softmax && !softmax.getMask() ? softmax : SoftmaxOp();
}

/// Puts -cross_entropy(logits, labels) in place of `log`, whose negative is a
/// row's cost.
void replaceByFused(Operation *log, SoftmaxOp softmax, Value labels,
                    StringRef brick) {
  OpBuilder builder(log);
  auto fused = SoftmaxCrossEntropyOp::create(builder, log->getLoc(),
                                             softmax.getInput(), labels, brick);
  Value negative =
      arith::NegFOp::create(builder, log->getLoc(), fused.getCost());
  log->getResult(0).replaceAllUsesWith(negative);
  // A pick left behind would still check labels.
  eraseDead(log);
}

/// log(pick(softmax(x), y)).
void fusePicked(math::LogOp log) {
  auto pick = log.getOperand().getDefiningOp<PickOp>();
  if (SoftmaxOp softmax = pick ? softmaxOf(pick.getInput()) : SoftmaxOp())
    replaceByFused(log, softmax, pick.getIndices(), pick.getBrick());
}

/// Σ y·log(y = 0 ? 1 : softmax(x)) over the last axis.
void fuseDistribution(ReduceOp sum) {
  auto type = cast<RankedTensorType>(sum.getInput().getType());
  auto terms = sum.getInput().getDefiningOp<arith::MulFOp>();
  auto log = terms ? terms.getRhs().getDefiningOp<math::LogOp>() : nullptr;
  auto safe = log ? log.getOperand().getDefiningOp<arith::SelectOp>() : nullptr;
  auto none =
      safe ? safe.getCondition().getDefiningOp<arith::CmpFOp>() : nullptr;
  if (!none || none.getLhs() != terms.getLhs() ||
      sum.getKind() != ReduceKind::Sum ||
      sum.getDims() != ArrayRef<int64_t>{type.getRank() - 1})
    return;
  if (SoftmaxOp softmax = softmaxOf(safe.getFalseValue()))
    replaceByFused(sum, softmax, terms.getLhs(), "");
}

class FuseSoftmaxCostPass
    : public impl::FuseSoftmaxCostBase<FuseSoftmaxCostPass>,
      public AnnotationEffects {
  // The probabilities' names go when the cost was their only user.
  bool retires(AnnotationAttr) const override { return true; }

  void runOnOperation() override {
    // Collected one kind after the other: the first may erase a logarithm.
    SmallVector<ReduceOp> sums;
    getOperation().walk([&](ReduceOp sum) { sums.push_back(sum); });
    llvm::for_each(sums, fuseDistribution);
    SmallVector<math::LogOp> logs;
    getOperation().walk([&](math::LogOp log) { logs.push_back(log); });
    llvm::for_each(logs, fusePicked);
  }
};

} // namespace
} // namespace blocks
