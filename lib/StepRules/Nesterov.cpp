//===- Nesterov.cpp - Momentum that looks ahead (Nesterov 1983) -----------===//
//
// The rules of Blocks-extras: v' = momentum·v + g; step = momentum²·v +
// (1 + momentum)·g, which is momentum·v' + g. NesterovMomentum multiplies the
// gradients by a learning rate first.
//
//===----------------------------------------------------------------------===//
#include "lib/StepRules/StepRule.h"

using namespace mlir;

namespace blocks {
namespace {

class Nesterov : public StepRule {
public:
  Nesterov(std::optional<double> learningRate, double momentum)
      : learningRate(learningRate), momentum(momentum) {}

  void build(StepBuilder &b,
             MutableArrayRef<ParameterStep> steps) const override {
    Value rate;
    if (learningRate)
      rate = b.hyperparameter("learning_rate", *learningRate);
    Value factor = b.hyperparameter("momentum", momentum);
    for (ParameterStep &p : steps) {
      Value g = p.step, keep = b.spreadLike(factor, g);
      if (rate)
        g = b.mul(b.spreadLike(rate, g), g);
      GetOp velocity = b.buffer(p.parameter, "velocity");
      Value next = b.add(b.mul(keep, velocity), g);
      b.assign(velocity, next);
      p.step = b.add(b.mul(keep, next), g);
    }
  }

private:
  std::optional<double> learningRate;
  double momentum;
};

} // namespace

StepRuleEntry basicNesterovMomentumRule() {
  return {
      {"basic_nesterov_momentum", {{"momentum", RuleType::Number}}},
      {"momentum"},
      [](const RuleCall &call) -> llvm::Expected<std::unique_ptr<StepRule>> {
        return std::make_unique<Nesterov>(std::nullopt,
                                          call.number("momentum", 0.0));
      }};
}

StepRuleEntry nesterovMomentumRule() {
  return {
      {"nesterov_momentum",
       {{"learning_rate", RuleType::Number}, {"momentum", RuleType::Number}}},
      {"learning_rate", "momentum"},
      [](const RuleCall &call) -> llvm::Expected<std::unique_ptr<StepRule>> {
        return std::make_unique<Nesterov>(call.number("learning_rate", 1.0),
                                          call.number("momentum", 0.0));
      }};
}

} // namespace blocks
