//===- Momentum.cpp - Steps that keep going -------------------------------===//
//
//   v' = momentum·v + g          step = v'
// and, looking ahead (Nesterov 1983, in the form of Blocks-extras),
//   step = momentum·v' + g       which is momentum²·v + (1 + momentum)·g
// The rules called basic take the steps that they get as g. The others multiply
// these by the learning rate first, so the rate is inside the velocity.
//
//===----------------------------------------------------------------------===//
#include "lib/StepRules/StepRule.h"

using namespace mlir;

namespace blocks {
namespace {

class Momentum : public StepRule {
public:
  Momentum(std::optional<double> learningRate, double momentum, bool looksAhead)
      : learningRate(learningRate), momentum(momentum), looksAhead(looksAhead) {
  }

  void build(StepBuilder &b,
             MutableArrayRef<ParameterStep> steps) const override {
    Value rate;
    if (learningRate)
      rate = b.hyperparameter("learning_rate", *learningRate);
    Value factor = b.hyperparameter("momentum", momentum);
    for (ParameterStep &p : steps) {
      Value g = p.step;
      if (rate)
        g = b.mul(b.spreadLike(rate, g), g);
      GetOp velocity = b.buffer(p.parameter, "velocity");
      Value keep = b.spreadLike(factor, g);
      Value next = b.add(b.mul(keep, velocity), g);
      p.step = looksAhead ? b.add(b.mul(keep, next), g) : next;
      b.assign(velocity, next);
    }
  }

private:
  std::optional<double> learningRate;
  double momentum;
  bool looksAhead;
};

template <bool looksAhead> StepRuleEntry basicRule(const char *name) {
  return {
      {name, {{"momentum", RuleType::Number}}},
      {"momentum"},
      [](const RuleCall &call) -> llvm::Expected<std::unique_ptr<StepRule>> {
        return std::make_unique<Momentum>(
            std::nullopt, call.number("momentum", 0.0), looksAhead);
      }};
}

template <bool looksAhead> StepRuleEntry scaledRule(const char *name) {
  return {
      {name,
       {{"learning_rate", RuleType::Number}, {"momentum", RuleType::Number}}},
      {"learning_rate", "momentum"},
      [](const RuleCall &call) -> llvm::Expected<std::unique_ptr<StepRule>> {
        return std::make_unique<Momentum>(call.number("learning_rate", 1.0),
                                          call.number("momentum", 0.0),
                                          looksAhead);
      }};
}

} // namespace

StepRuleEntry basicMomentumRule() { return basicRule<false>("basic_momentum"); }
StepRuleEntry momentumRule() { return scaledRule<false>("momentum"); }
StepRuleEntry basicNesterovMomentumRule() {
  return basicRule<true>("basic_nesterov_momentum");
}
StepRuleEntry nesterovMomentumRule() {
  return scaledRule<true>("nesterov_momentum");
}

} // namespace blocks
