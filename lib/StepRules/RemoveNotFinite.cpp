//===- RemoveNotFinite.cpp - No step of what is no number -----------------===//
//
// A parameter with an element of its step that is NaN or infinite is multiplied
// by `scaler` instead: by default it stays. Blocks looks at the sum of the
// elements, which may overflow though all of them are finite; here each one
// counts. It is meant to be the last rule.
//
//===----------------------------------------------------------------------===//
#include "lib/StepRules/StepRule.h"

using namespace mlir;

namespace blocks {
namespace {

class RemoveNotFinite : public StepRule {
public:
  explicit RemoveNotFinite(double scaler) : scaler(scaler) {}

  void build(StepBuilder &b,
             MutableArrayRef<ParameterStep> steps) const override {
    Value factor = b.hyperparameter("scaler", scaler);
    Value rest = b.sub(b.scalar(1.0, factor), factor);
    for (ParameterStep &p : steps) {
      // 0·x is 0, but NaN if x is not finite.
      Value total = b.sum(b.mul(p.step, b.constant(0.0, p.step)));
      Value fine =
          b.compare(arith::CmpFPredicate::OEQ, total, b.scalar(0.0, total));
      Value instead = b.mul(b.spreadLike(rest, p.value), p.value);
      p.step = b.select(b.repeat(fine, p.step, {}), p.step, instead);
    }
  }

private:
  double scaler;
};

} // namespace

StepRuleEntry removeNotFiniteRule() {
  return {
      {"remove_not_finite", {{"scaler", RuleType::Number}}},
      {"scaler"},
      [](const RuleCall &call) -> llvm::Expected<std::unique_ptr<StepRule>> {
        return std::make_unique<RemoveNotFinite>(call.number("scaler", 1.0));
      }};
}

} // namespace blocks
