//===- AdaDelta.cpp - Steps in the units of the parameter (Zeiler 2012) ---===//
//
//   E' = decay_rate·E + (1 - decay_rate)·g²
//   step = √(D + epsilon) / √(E' + epsilon) · g
//   D' = decay_rate·D + (1 - decay_rate)·step²
//
//===----------------------------------------------------------------------===//
#include "lib/StepRules/StepRule.h"

using namespace mlir;

namespace blocks {
namespace {

class AdaDelta : public StepRule {
public:
  AdaDelta(double decayRate, double epsilon)
      : decayRate(decayRate), epsilon(epsilon) {}

  void build(StepBuilder &b,
             MutableArrayRef<ParameterStep> steps) const override {
    MovingAverage average(b, decayRate);
    Value small = b.hyperparameter("epsilon", epsilon);
    for (ParameterStep &p : steps) {
      Value g = p.step, e = b.spreadLike(small, g);
      GetOp squares = b.buffer(p.parameter, "mean_square_step_tm1");
      GetOp deltas = b.buffer(p.parameter, "mean_square_delta_x_tm1");
      Value newSquares = average.next(squares, b.square(g));
      Value rate =
          b.div(b.sqrt(b.add(deltas, e)), b.sqrt(b.add(newSquares, e)));
      p.step = b.mul(rate, g);
      b.assign(squares, newSquares);
      b.assign(deltas, average.next(deltas, b.square(p.step)));
    }
  }

private:
  double decayRate, epsilon;
};

llvm::Expected<std::unique_ptr<StepRule>> createAdaDelta(const RuleCall &call) {
  double decayRate = call.number("decay_rate", 0.95);
  if (llvm::Error error = checkDecayRate(call.name, decayRate))
    return error;
  return std::make_unique<AdaDelta>(decayRate, call.number("epsilon", 1e-6));
}

} // namespace

StepRuleEntry adaDeltaRule() {
  return {{"adadelta",
           {{"decay_rate", RuleType::Number}, {"epsilon", RuleType::Number}}},
          {"decay_rate", "epsilon"},
          createAdaDelta};
}

} // namespace blocks
