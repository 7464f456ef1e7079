//===- Momentum.cpp - v' = momentum · v + step; step = v' -----------------===//
//
// BasicMomentum accumulates the steps that it gets. Momentum scales them by the
// learning rate first, so the rate is inside the velocity.
//
//===----------------------------------------------------------------------===//
#include "lib/StepRules/StepRule.h"

using namespace mlir;

namespace blocks {
namespace {

class Momentum : public StepRule {
public:
  Momentum(std::optional<double> learningRate, double momentum)
      : learningRate(learningRate), momentum(momentum) {}

  void build(StepBuilder &b,
             MutableArrayRef<ParameterStep> steps) const override {
    Value rate;
    if (learningRate)
      rate = b.hyperparameter("learning_rate", *learningRate);
    Value factor = b.hyperparameter("momentum", momentum);
    for (ParameterStep &p : steps) {
      if (rate)
        p.step = b.mul(b.spreadLike(rate, p.step), p.step);
      GetOp velocity = b.buffer(p.parameter, "velocity");
      p.step = b.add(b.mul(b.spreadLike(factor, p.step), velocity), p.step);
      b.assign(velocity, p.step);
    }
  }

private:
  std::optional<double> learningRate;
  double momentum;
};

} // namespace

StepRuleEntry basicMomentumRule() {
  return {
      {"basic_momentum", {{"momentum", RuleType::Number}}},
      {"momentum"},
      [](const RuleCall &call) -> llvm::Expected<std::unique_ptr<StepRule>> {
        return std::make_unique<Momentum>(std::nullopt,
                                          call.number("momentum", 0.0));
      }};
}

StepRuleEntry momentumRule() {
  return {
      {"momentum",
       {{"learning_rate", RuleType::Number}, {"momentum", RuleType::Number}}},
      {"learning_rate", "momentum"},
      [](const RuleCall &call) -> llvm::Expected<std::unique_ptr<StepRule>> {
        return std::make_unique<Momentum>(call.number("learning_rate", 1.0),
                                          call.number("momentum", 0.0));
      }};
}

} // namespace blocks
