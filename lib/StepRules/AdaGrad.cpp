//===- AdaGrad.cpp - Rates by all squares so far (Duchi et al. 2011) ------===//
//
//   S' = S + g²          step = learning_rate · g / (√S' + epsilon)
//
//===----------------------------------------------------------------------===//
#include "lib/StepRules/StepRule.h"

using namespace mlir;

namespace blocks {
namespace {

class AdaGrad : public StepRule {
public:
  AdaGrad(double learningRate, double epsilon)
      : learningRate(learningRate), epsilon(epsilon) {}

  void build(StepBuilder &b,
             MutableArrayRef<ParameterStep> steps) const override {
    Value rate = b.hyperparameter("learning_rate", learningRate);
    Value small = b.hyperparameter("epsilon", epsilon);
    for (ParameterStep &p : steps) {
      Value g = p.step;
      GetOp squares = b.buffer(p.parameter, "ssq");
      Value newSquares = b.add(squares, b.square(g));
      b.assign(squares, newSquares);
      p.step = b.div(b.mul(b.spreadLike(rate, g), g),
                     b.add(b.sqrt(newSquares), b.spreadLike(small, g)));
    }
  }

private:
  double learningRate, epsilon;
};

} // namespace

StepRuleEntry adaGradRule() {
  return {
      {"adagrad",
       {{"learning_rate", RuleType::Number}, {"epsilon", RuleType::Number}}},
      {"learning_rate", "epsilon"},
      [](const RuleCall &call) -> llvm::Expected<std::unique_ptr<StepRule>> {
        return std::make_unique<AdaGrad>(call.number("learning_rate", 0.002),
                                         call.number("epsilon", 1e-6));
      }};
}

} // namespace blocks
