//===- StepRule.h - What a step rule is, and what it builds with ----------===//
//
// A rule turns each parameter's step (at first its gradient) into another step;
// the last rule's step is subtracted from the parameter. Rules are composed in
// order. Their state are parameters of the brick @algorithm, which StepBuilder
// makes: hyperparameters, buffers of a parameter's shape, shared scalars.
//
// All arithmetic on a parameter's shape is elementwise, with scalars broadcast
// to it, so that a parameter's whole update fuses into one sweep.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_STEPRULES_STEPRULE_H
#define LIB_STEPRULES_STEPRULE_H

#include "lib/Autodiff/AlgorithmBrick.h"
#include "lib/Autodiff/Expressions.h"
#include "lib/StepRules/RuleSpec.h"

namespace blocks {

/// A parameter on its way through the rules.
struct ParameterStep {
  ParameterOp parameter;
  mlir::Value value; // before the step
  mlir::Value step;
};

/// Builds one rule's operations and state at the end of the training graph.
class StepBuilder : public Expressions {
public:
  /// `prefix` is "" when hyperparameters stand directly in /algorithm, or the
  /// rule's name when another rule has one of the same name.
  StepBuilder(mlir::OpBuilder &builder, mlir::Location loc,
              AlgorithmBrick &algorithm, std::string ruleName,
              std::function<bool(llvm::StringRef)> isShared)
      : Expressions(builder, loc), builder(builder), loc(loc),
        algorithm(algorithm), ruleName(std::move(ruleName)),
        isShared(std::move(isShared)) {}

  enum class Precision { Single, Double };

  /// The value of a hyperparameter, a scalar that schedules may change.
  mlir::Value hyperparameter(llvm::StringRef name, double initial,
                             Precision precision = Precision::Single);
  /// A buffer of the parameter's type, initially zero.
  GetOp buffer(ParameterOp parameter, llvm::StringRef name);
  /// A double-precision scalar that the rule carries from step to step.
  GetOp scalarState(llvm::StringRef name, double initial);
  /// Gives state its value after the step.
  void assign(GetOp state, mlir::Value value);

  /// A scalar of any precision, converted and repeated like `like`.
  mlir::Value spreadLike(mlir::Value scalar, mlir::Value like);
  /// Converts to the element type of `like`.
  mlir::Value castLike(mlir::Value value, mlir::Value like);
  mlir::Value sqrt(mlir::Value value);
  mlir::Value maximum(mlir::Value a, mlir::Value b);
  /// The sum of all elements, or over `axes`.
  mlir::Value sum(mlir::Value value);
  mlir::Value sum(mlir::Value value, llvm::ArrayRef<int64_t> axes);
  /// `value`, whose axes are the axes `axes` of `like`, along the others; its
  /// element type stays.
  mlir::Value repeat(mlir::Value value, mlir::Value like,
                     llvm::ArrayRef<int64_t> axes);

private:
  GetOp read(ParameterOp state);
  /// Where this rule's scalars named `name` stand.
  BrickOp scalarBrick(llvm::StringRef name);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  AlgorithmBrick &algorithm;
  std::string ruleName;
  std::function<bool(llvm::StringRef)> isShared;
};

/// decay_rate·average + (1 - decay_rate)·value, with the rate in double
/// precision, in which 1 - 0.999 is exact enough.
class MovingAverage {
public:
  MovingAverage(StepBuilder &b, double decayRate)
      : b(b), keep(b.hyperparameter("decay_rate", decayRate,
                                    StepBuilder::Precision::Double)),
        take(b.sub(b.scalar(1.0, keep), keep)) {}

  mlir::Value next(mlir::Value average, mlir::Value value) {
    return b.add(b.mul(b.spreadLike(keep, value), average),
                 b.mul(b.spreadLike(take, value), value));
  }

private:
  StepBuilder &b;
  mlir::Value keep, take;
};

/// A decay rate is from 0 to 1.
llvm::Error checkDecayRate(llvm::StringRef rule, double rate);
/// Adam's beta1 and beta2 are from 0 to below 1.
llvm::Error checkBetas(llvm::StringRef rule, double beta1, double beta2);

class StepRule {
public:
  virtual ~StepRule() = default;
  /// Whether the rule works on this parameter; reports why not.
  virtual mlir::LogicalResult check(ParameterOp) const {
    return mlir::success();
  }
  /// Replaces the steps, and updates the rule's state.
  virtual void build(StepBuilder &b,
                     llvm::MutableArrayRef<ParameterStep> steps) const = 0;
};

/// A rule's entry in the table: what it is called, its options, its maker.
struct StepRuleEntry {
  RuleSpec spec;
  /// Scalars of the rule; two rules with one of the same name keep them apart.
  std::vector<llvm::StringRef> scalars;
  llvm::Expected<std::unique_ptr<StepRule>> (*create)(const RuleCall &);
};

/// All rules, in the order of the documentation.
std::vector<StepRuleEntry> stepRules();

StepRuleEntry scaleRule();
StepRuleEntry basicMomentumRule();
StepRuleEntry momentumRule();
StepRuleEntry basicNesterovMomentumRule();
StepRuleEntry nesterovMomentumRule();
StepRuleEntry adamRule();
StepRuleEntry adaMaxRule();
StepRuleEntry adaDeltaRule();
StepRuleEntry adaGradRule();
StepRuleEntry basicRmsPropRule();
StepRuleEntry rmsPropRule();
StepRuleEntry stepClippingRule();
StepRuleEntry variableClippingRule();
StepRuleEntry removeNotFiniteRule();

} // namespace blocks

#endif
