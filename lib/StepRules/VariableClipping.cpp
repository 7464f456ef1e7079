//===- VariableClipping.cpp - Bounds the length of the parameter itself ---===//
//
// q = parameter - step would be the new value, and n its Euclidean norm over
// the given axes (all of them by default), one for each place of the others.
// Where n is above the threshold, the step becomes the one that leads to
// threshold/n · q. It is meant to be the last rule.
//
//===----------------------------------------------------------------------===//
#include "lib/StepRules/StepRule.h"

#include <llvm/ADT/StringExtras.h>

using namespace mlir;

namespace blocks {
namespace {

class VariableClipping : public StepRule {
public:
  VariableClipping(double threshold, SmallVector<int64_t> axes)
      : threshold(threshold), axes(std::move(axes)) {}

  LogicalResult check(ParameterOp parameter) const override {
    int64_t rank = parameter.getTensorType().getRank();
    for (int64_t axis : axes)
      if (axis >= rank)
        return parameter.emitError()
               << "parameter " << parameter.getPath() << " has no axis " << axis
               << " for the step rule variable_clipping; choose others by its "
                  "options 'axis' and 'where'";
    return success();
  }

  void build(StepBuilder &b,
             MutableArrayRef<ParameterStep> steps) const override {
    Value limit = b.hyperparameter("threshold", threshold);
    for (ParameterStep &p : steps) {
      int64_t rank = p.parameter.getTensorType().getRank();
      SmallVector<int64_t> over(axes), others;
      if (over.empty())
        over = llvm::to_vector(llvm::seq<int64_t>(0, rank));
      for (int64_t axis = 0; axis < rank; ++axis)
        if (!llvm::is_contained(over, axis))
          others.push_back(axis);
      Value next = b.sub(p.value, p.step);
      Value norm = b.sqrt(b.sum(b.square(next), over));
      Value bound = b.spreadLike(limit, norm);
      Value factor = b.repeat(b.div(bound, norm), p.step, others);
      Value within = b.compare(arith::CmpFPredicate::OLE, norm, bound);
      Value clipped = b.sub(p.value, b.mul(factor, next));
      p.step = b.select(b.repeat(within, p.step, others), p.step, clipped);
    }
  }

private:
  double threshold;
  SmallVector<int64_t> axes;
};

/// "1" or "1, 2, 3".
std::optional<SmallVector<int64_t>> readAxes(StringRef text) {
  SmallVector<int64_t> axes;
  SmallVector<StringRef> items;
  text.split(items, ',', -1, /*KeepEmpty=*/false);
  for (StringRef item : items) {
    int64_t axis;
    if (item.trim().getAsInteger(10, axis) || axis < 0 ||
        (!axes.empty() && axis <= axes.back()))
      return std::nullopt;
    axes.push_back(axis);
  }
  return axes;
}

llvm::Expected<std::unique_ptr<StepRule>>
createVariableClipping(const RuleCall &call) {
  std::optional<double> threshold = call.maybeNumber("threshold");
  if (!threshold || !(*threshold > 0))
    return llvm::createStringError("step rule 'variable_clipping' needs the "
                                   "option 'threshold', a number above 0");
  std::string text = call.text("axis", "");
  auto axes = readAxes(text);
  if (!axes)
    return llvm::createStringError(
        "option 'axis' of step rule 'variable_clipping' lists axes, counted "
        "from 0, in order: \"1\" or \"1, 2, 3\"; found \"" +
        text + "\"");
  return std::make_unique<VariableClipping>(*threshold, std::move(*axes));
}

} // namespace

// The axes are a text, since a number may change without another compile.
StepRuleEntry variableClippingRule() {
  return {{"variable_clipping",
           {{"threshold", RuleType::Number}, {"axis", RuleType::Text}}},
          {"threshold"},
          createVariableClipping};
}

} // namespace blocks
