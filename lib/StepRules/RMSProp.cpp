//===- RMSProp.cpp - Gradients over their recent size (Hinton 2012) -------===//
//
//   E' = decay_rate·E + (1 - decay_rate)·g²
//   step = g / max(√E', 1 / max_scaling)
// RMSProp multiplies that by a learning rate.
//
//===----------------------------------------------------------------------===//
#include "lib/StepRules/StepRule.h"

using namespace mlir;

namespace blocks {
namespace {

class RMSProp : public StepRule {
public:
  RMSProp(std::optional<double> learningRate, double decayRate,
          double maxScaling)
      : learningRate(learningRate), decayRate(decayRate),
        maxScaling(maxScaling) {}

  void build(StepBuilder &b,
             MutableArrayRef<ParameterStep> steps) const override {
    Value rate;
    if (learningRate)
      rate = b.hyperparameter("learning_rate", *learningRate);
    MovingAverage average(b, decayRate);
    Value limit = b.hyperparameter("max_scaling", maxScaling);
    Value smallest = b.div(b.scalar(1.0, limit), limit);
    for (ParameterStep &p : steps) {
      GetOp squares = b.buffer(p.parameter, "mean_square_step_tm1");
      Value newSquares = average.next(squares, b.square(p.step));
      b.assign(squares, newSquares);
      Value size =
          b.maximum(b.sqrt(newSquares), b.spreadLike(smallest, p.step));
      p.step = b.div(p.step, size);
      if (rate)
        p.step = b.mul(b.spreadLike(rate, p.step), p.step);
    }
  }

private:
  std::optional<double> learningRate;
  double decayRate, maxScaling;
};

llvm::Expected<std::unique_ptr<StepRule>>
create(const RuleCall &call, std::optional<double> learningRate) {
  double decayRate = call.number("decay_rate", 0.9);
  if (llvm::Error error = checkDecayRate(call.name, decayRate))
    return error;
  double maxScaling = call.number("max_scaling", 1e5);
  if (!(maxScaling > 0))
    return llvm::createStringError(
        "option 'max_scaling' of step rule '%s' must be above 0; found %g",
        call.name.c_str(), maxScaling);
  return std::make_unique<RMSProp>(learningRate, decayRate, maxScaling);
}

} // namespace

StepRuleEntry basicRmsPropRule() {
  return {
      {"basic_rmsprop",
       {{"decay_rate", RuleType::Number}, {"max_scaling", RuleType::Number}}},
      {"decay_rate", "max_scaling"},
      [](const RuleCall &call) { return create(call, std::nullopt); }};
}

StepRuleEntry rmsPropRule() {
  return {{"rmsprop",
           {{"learning_rate", RuleType::Number},
            {"decay_rate", RuleType::Number},
            {"max_scaling", RuleType::Number}}},
          {"learning_rate", "decay_rate", "max_scaling"},
          [](const RuleCall &call) {
            return create(call, call.number("learning_rate", 1.0));
          }};
}

} // namespace blocks
