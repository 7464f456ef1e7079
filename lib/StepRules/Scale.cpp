//===- Scale.cpp - step = learning_rate · gradient ------------------------===//
#include "lib/StepRules/StepRule.h"

using namespace mlir;

namespace blocks {
namespace {

class Scale : public StepRule {
public:
  explicit Scale(double learningRate) : learningRate(learningRate) {}

  void build(StepBuilder &b,
             MutableArrayRef<ParameterStep> steps) const override {
    Value rate = b.hyperparameter("learning_rate", learningRate);
    for (ParameterStep &p : steps)
      p.step = b.mul(b.spreadLike(rate, p.step), p.step);
  }

private:
  double learningRate;
};

} // namespace

StepRuleEntry scaleRule() {
  return {
      {"scale", {{"learning_rate", RuleType::Number}}},
      {"learning_rate"},
      [](const RuleCall &call) -> llvm::Expected<std::unique_ptr<StepRule>> {
        return std::make_unique<Scale>(call.number("learning_rate", 1.0));
      }};
}

} // namespace blocks
