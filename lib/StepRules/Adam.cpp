//===- Adam.cpp - Adaptive moments (Kingma and Ba 2015), as Blocks has it -===//
//
// With t counted from 1 and b1(t) = beta1 · decay_factor^(t-1):
//   m' = b1(t)·m + (1 - b1(t))·g          v' = beta2·v + (1 - beta2)·g²
//   rate = learning_rate · √(1 - beta2^t) / (1 - b1(t)^t)
//   step = rate · m' / (√v' + epsilon)
// so epsilon stands outside of the bias correction. The powers are running
// products in double precision, shared by all parameters: a decay factor like
// 1 - 1e-8 would be 1 in single precision. For b1(t)^t the product of
// beta1 · (decay^(t-1))² over the steps so far is used: its exponent of decay
// is 2·(0 + 1 + … + t-1) = t(t-1), as it should be.
//
//===----------------------------------------------------------------------===//
#include "lib/StepRules/StepRule.h"

using namespace mlir;

namespace blocks {
namespace {

struct AdamOptions {
  double learningRate, beta1, beta2, epsilon, decayFactor;
};

class Adam : public StepRule {
public:
  explicit Adam(AdamOptions options) : options(options) {}

  void build(StepBuilder &b,
             MutableArrayRef<ParameterStep> steps) const override {
    if (steps.empty())
      return;
    Scalars s = buildScalars(b, steps.front().step);
    for (ParameterStep &p : steps)
      buildStep(b, s, p);
  }

private:
  /// What all parameters share in one step.
  struct Scalars {
    Value keepMean, takeMean;         // b1(t), 1 - b1(t)
    Value keepVariance, takeVariance; // beta2, 1 - beta2
    Value rate, epsilon;
  };

  /// In double precision, then once in that of the steps.
  Scalars buildScalars(StepBuilder &b, Value like) const {
    auto precise = StepBuilder::Precision::Double;
    Value learningRate =
        b.hyperparameter("learning_rate", options.learningRate);
    Value beta1 = b.hyperparameter("beta1", options.beta1, precise);
    Value beta2 = b.hyperparameter("beta2", options.beta2, precise);
    Value epsilon = b.hyperparameter("epsilon", options.epsilon);
    Value decay =
        b.hyperparameter("decay_factor", options.decayFactor, precise);
    GetOp decayPower = b.scalarState("decay_power", 1.0);
    GetOp power1 = b.scalarState("beta1_power", 1.0);
    GetOp power2 = b.scalarState("beta2_power", 1.0);

    Value one = b.scalar(1.0, beta1);
    Value b1 = b.mul(beta1, decayPower);
    Value newPower1 = b.mul(power1, b.mul(b1, decayPower));
    Value newPower2 = b.mul(power2, beta2);
    b.assign(power1, newPower1);
    b.assign(power2, newPower2);
    b.assign(decayPower, b.mul(decayPower, decay));
    Value correction =
        b.div(b.sqrt(b.sub(one, newPower2)), b.sub(one, newPower1));
    Value rate = b.mul(b.castLike(learningRate, one), correction);
    auto single = [&](Value scalar) { return b.castLike(scalar, like); };
    return {single(b1),    single(b.sub(one, b1)),
            single(beta2), single(b.sub(one, beta2)),
            single(rate),  single(epsilon)};
  }

  void buildStep(StepBuilder &b, const Scalars &s, ParameterStep &p) const {
    Value g = p.step;
    auto spread = [&](Value scalar) { return b.spreadLike(scalar, g); };
    GetOp mean = b.buffer(p.parameter, "mean");
    GetOp variance = b.buffer(p.parameter, "variance");
    Value m =
        b.add(b.mul(spread(s.keepMean), mean), b.mul(spread(s.takeMean), g));
    Value v = b.add(b.mul(spread(s.keepVariance), variance),
                    b.mul(spread(s.takeVariance), b.square(g)));
    b.assign(mean, m);
    b.assign(variance, v);
    p.step =
        b.div(b.mul(spread(s.rate), m), b.add(b.sqrt(v), spread(s.epsilon)));
  }

  AdamOptions options;
};

llvm::Expected<std::unique_ptr<StepRule>> createAdam(const RuleCall &call) {
  AdamOptions options{call.number("learning_rate", 0.002),
                      call.number("beta1", 0.9), call.number("beta2", 0.999),
                      call.number("epsilon", 1e-8),
                      call.number("decay_factor", 1.0)};
  if (llvm::Error error = checkBetas(call.name, options.beta1, options.beta2))
    return error;
  if (!(options.decayFactor > 0 && options.decayFactor <= 1))
    return llvm::createStringError("option 'decay_factor' of step rule 'adam' "
                                   "must be above 0 and at most 1; found %g",
                                   options.decayFactor);
  return std::make_unique<Adam>(options);
}

} // namespace

StepRuleEntry adamRule() {
  return {{"adam",
           {{"learning_rate", RuleType::Number},
            {"beta1", RuleType::Number},
            {"beta2", RuleType::Number},
            {"epsilon", RuleType::Number},
            {"decay_factor", RuleType::Number}}},
          {"learning_rate", "beta1", "beta2", "epsilon", "decay_factor",
           "decay_power", "beta1_power", "beta2_power"},
          createAdam};
}

} // namespace blocks
