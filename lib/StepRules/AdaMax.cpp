//===- AdaMax.cpp - Adam by the largest gradient (Kingma and Ba 2015) -----===//
//
// Algorithm 2 of the paper, with t counted from 1; Blocks has no such rule:
//   m' = beta1·m + (1 - beta1)·g          u' = max(beta2·u, |g|)
//   step = learning_rate / (1 - beta1^t) · m' / (u' + epsilon)
// epsilon, which the paper does not have, keeps a parameter without any
// gradient where it is.
//
//===----------------------------------------------------------------------===//
#include "lib/StepRules/StepRule.h"

using namespace mlir;

namespace blocks {
namespace {

struct AdaMaxOptions {
  double learningRate, beta1, beta2, epsilon;
};

class AdaMax : public StepRule {
public:
  explicit AdaMax(AdaMaxOptions options) : options(options) {}

  void build(StepBuilder &b,
             MutableArrayRef<ParameterStep> steps) const override {
    auto precise = StepBuilder::Precision::Double;
    Value learningRate =
        b.hyperparameter("learning_rate", options.learningRate);
    Value beta1 = b.hyperparameter("beta1", options.beta1, precise);
    Value beta2 = b.hyperparameter("beta2", options.beta2, precise);
    Value small = b.hyperparameter("epsilon", options.epsilon);
    GetOp power = b.scalarState("beta1_power", 1.0);
    Value one = b.scalar(1.0, beta1);
    Value newPower = b.mul(power, beta1);
    b.assign(power, newPower);
    Value rate = b.div(b.castLike(learningRate, one), b.sub(one, newPower));
    Value rest = b.sub(one, beta1);
    for (ParameterStep &p : steps) {
      Value g = p.step;
      auto spread = [&](Value scalar) { return b.spreadLike(scalar, g); };
      GetOp mean = b.buffer(p.parameter, "mean");
      GetOp largest = b.buffer(p.parameter, "largest");
      Value m = b.add(b.mul(spread(beta1), mean), b.mul(spread(rest), g));
      Value u =
          b.maximum(b.mul(spread(beta2), largest), b.unary<math::AbsFOp>(g));
      b.assign(mean, m);
      b.assign(largest, u);
      p.step = b.div(b.mul(spread(rate), m), b.add(u, spread(small)));
    }
  }

private:
  AdaMaxOptions options;
};

llvm::Expected<std::unique_ptr<StepRule>> createAdaMax(const RuleCall &call) {
  AdaMaxOptions options{call.number("learning_rate", 0.002),
                        call.number("beta1", 0.9), call.number("beta2", 0.999),
                        call.number("epsilon", 1e-8)};
  if (llvm::Error error = checkBetas(call.name, options.beta1, options.beta2))
    return error;
  return std::make_unique<AdaMax>(options);
}

} // namespace

StepRuleEntry adaMaxRule() {
  return {{"adamax",
           {{"learning_rate", RuleType::Number},
            {"beta1", RuleType::Number},
            {"beta2", RuleType::Number},
            {"epsilon", RuleType::Number}}},
          {"learning_rate", "beta1", "beta2", "epsilon", "beta1_power"},
          createAdaMax};
}

} // namespace blocks
