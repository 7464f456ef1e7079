//===- StepClipping.cpp - Bounds the length of the whole step -------------===//
//
// n is the Euclidean norm of all parameters' steps together; above the
// threshold every step is multiplied by threshold/n. A step of length zero
// stays, since the factor is chosen, not computed from 0/0.
//
//===----------------------------------------------------------------------===//
#include "lib/StepRules/StepRule.h"

using namespace mlir;

namespace blocks {
namespace {

class StepClipping : public StepRule {
public:
  explicit StepClipping(std::optional<double> threshold)
      : threshold(threshold) {}

  void build(StepBuilder &b,
             MutableArrayRef<ParameterStep> steps) const override {
    if (!threshold || steps.empty())
      return;
    Value total;
    for (ParameterStep &p : steps) {
      Value squares = b.sum(b.square(p.step));
      total = total ? b.add(total, b.castLike(squares, total)) : squares;
    }
    Value norm = b.sqrt(total);
    Value limit = b.castLike(b.hyperparameter("threshold", *threshold), norm);
    Value factor = b.select(b.greater(limit, norm), b.scalar(1.0, norm),
                            b.div(limit, norm));
    for (ParameterStep &p : steps)
      p.step = b.mul(b.spreadLike(factor, p.step), p.step);
  }

private:
  std::optional<double> threshold;
};

llvm::Expected<std::unique_ptr<StepRule>>
createStepClipping(const RuleCall &call) {
  std::optional<double> threshold = call.maybeNumber("threshold");
  if (threshold && !(*threshold > 0))
    return llvm::createStringError(
        "option 'threshold' of step rule 'step_clipping' must be above 0");
  return std::make_unique<StepClipping>(threshold);
}

} // namespace

StepRuleEntry stepClippingRule() {
  return {
      {"step_clipping", {{"threshold", RuleType::Number, /*mayBeNone=*/true}}},
      {"threshold"},
      createStepClipping};
}

} // namespace blocks
