//===- StepBuilder.cpp - What step rules build with -----------------------===//
#include "lib/StepRules/StepRule.h"

using namespace mlir;

namespace blocks {

static RankedTensorType scalarType(Type element) {
  return RankedTensorType::get({}, element);
}

GetOp StepBuilder::read(ParameterOp state) {
  return GetOp::create(builder, loc, state.getTensorType(),
                       state.getReference());
}

BrickOp StepBuilder::scalarBrick(StringRef name) {
  return isShared(name) ? algorithm.child(StringRef(ruleName))
                        : algorithm.top();
}

Value StepBuilder::hyperparameter(StringRef name, double initial,
                                  Precision precision) {
  Type element = precision == Precision::Double ? Type(builder.getF64Type())
                                                : builder.getF32Type();
  return read(AlgorithmBrick::state(scalarBrick(name), name,
                                    scalarType(element),
                                    Role::AlgorithmHyperparameter, initial));
}

GetOp StepBuilder::scalarState(StringRef name, double initial) {
  return read(AlgorithmBrick::state(scalarBrick(name), name,
                                    scalarType(builder.getF64Type()),
                                    Role::AlgorithmState, initial));
}

/// "/algorithm/mlp/linear_0/W.mean"; when another rule has a buffer of that
/// name there, "mean_1".
GetOp StepBuilder::buffer(ParameterOp parameter, StringRef name) {
  SymbolRefAttr reference = parameter.getReference();
  SmallVector<StringRef> path{reference.getRootReference().getValue()};
  for (FlatSymbolRefAttr nested : reference.getNestedReferences())
    path.push_back(nested.getValue());
  BrickOp brick = algorithm.child(path);
  std::string unique = name.str();
  auto taken = [&](StringRef candidate) {
    return llvm::any_of(
        brick.getBodyBlock().getOps<ParameterOp>(),
        [&](ParameterOp p) { return p.getSymName() == candidate; });
  };
  for (unsigned i = 1; taken(unique); ++i)
    unique = name.str() + "_" + std::to_string(i);
  return read(AlgorithmBrick::state(brick, unique, parameter.getTensorType(),
                                    Role::AlgorithmBuffer, 0.0, reference));
}

void StepBuilder::assign(GetOp state, Value value) {
  AssignOp::create(builder, loc, state.getParameter(), value);
}

Value StepBuilder::castLike(Value value, Value like) {
  auto type = cast<RankedTensorType>(value.getType());
  Type element = getElementTypeOrSelf(like.getType());
  if (type.getElementType() == element)
    return value;
  return CastOp::create(builder, loc, type.clone(element), value);
}

Value StepBuilder::spreadLike(Value scalar, Value like) {
  return spread(castLike(scalar, like), like);
}

Value StepBuilder::sqrt(Value value) {
  return math::SqrtOp::create(builder, loc, value);
}

Value StepBuilder::maximum(Value a, Value b) {
  return arith::MaximumFOp::create(builder, loc, a, b);
}

Value StepBuilder::sum(Value value) {
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  return sum(value, llvm::to_vector(llvm::seq<int64_t>(0, rank)));
}

Value StepBuilder::sum(Value value, ArrayRef<int64_t> axes) {
  return axes.empty()
             ? value
             : ReduceOp::create(builder, loc, ReduceKind::Sum, value, axes)
                   .getResult();
}

Value StepBuilder::repeat(Value value, Value like, ArrayRef<int64_t> axes) {
  auto type = cast<RankedTensorType>(value.getType());
  auto wide = cast<RankedTensorType>(like.getType());
  if (type.getRank() == wide.getRank())
    return value;
  return BroadcastOp::create(builder, loc, value, like, axes);
}

llvm::Error checkDecayRate(llvm::StringRef rule, double rate) {
  if (rate >= 0 && rate <= 1)
    return llvm::Error::success();
  return llvm::createStringError(
      "option 'decay_rate' of step rule '%s' must be from 0 to 1; found %g",
      rule.str().c_str(), rate);
}

llvm::Error checkBetas(llvm::StringRef rule, double beta1, double beta2) {
  for (auto [name, value] :
       {std::pair("beta1", beta1), std::pair("beta2", beta2)})
    if (!(value >= 0 && value < 1))
      return llvm::createStringError(
          "option '%s' of step rule '%s' must be from 0 to below 1; found %g",
          name, rule.str().c_str(), value);
  return llvm::Error::success();
}

std::vector<StepRuleEntry> stepRules() {
  StepRuleEntry sgd = scaleRule(); // the name that most people look for
  sgd.spec.name = "sgd";
  return {scaleRule(),
          sgd,
          basicMomentumRule(),
          momentumRule(),
          basicNesterovMomentumRule(),
          nesterovMomentumRule(),
          adamRule(),
          adaMaxRule(),
          adaDeltaRule(),
          adaGradRule(),
          basicRmsPropRule(),
          rmsPropRule(),
          stepClippingRule(),
          variableClippingRule(),
          removeNotFiniteRule()};
}

} // namespace blocks
