//===- StepRules.cpp - From gradients to updates --------------------------===//
#include "lib/StepRules/Passes.h"
#include "lib/StepRules/StepRule.h"

namespace blocks {
#define GEN_PASS_DEF_STEPRULES
#include "lib/StepRules/Passes.h.inc"
} // namespace blocks

using namespace mlir;

namespace blocks {
namespace {

/// A rule of the composition, ready to build.
struct ComposedRule {
  std::string name; // unique: "scale", "scale_1"
  std::vector<StringRef> scalars;
  std::unique_ptr<StepRule> rule;
};
using Composition = std::vector<ComposedRule>;

const StepRuleEntry &entryOf(const std::vector<StepRuleEntry> &table,
                             const RuleCall &call) {
  return *llvm::find_if(table, [&](const StepRuleEntry &entry) {
    return entry.spec.name == call.name;
  });
}

llvm::Expected<Composition> compose(StringRef text) {
  llvm::Expected<std::vector<RuleCall>> calls = parseRules(text);
  if (!calls)
    return calls.takeError();
  std::vector<StepRuleEntry> table = stepRules();
  std::vector<RuleSpec> specs;
  for (const StepRuleEntry &entry : table)
    specs.push_back(entry.spec);
  if (llvm::Error error = checkRules(*calls, specs, "step rule"))
    return error;
  Composition composition;
  llvm::StringMap<unsigned> seen;
  for (const RuleCall &call : *calls) {
    const StepRuleEntry &entry = entryOf(table, call);
    auto rule = entry.create(call);
    if (!rule)
      return rule.takeError();
    unsigned ordinal = seen[call.name]++;
    std::string suffix = ordinal ? "_" + std::to_string(ordinal) : "";
    composition.push_back(
        {call.name + suffix, entry.scalars, std::move(*rule)});
  }
  return composition;
}

/// True if more than one rule has a scalar of this name.
bool isShared(const Composition &composition, StringRef scalar) {
  return llvm::count_if(composition, [&](const ComposedRule &rule) {
           return llvm::is_contained(rule.scalars, scalar);
         }) > 1;
}

struct StepRules : impl::StepRulesBase<StepRules> {
  using StepRulesBase::StepRulesBase;

  void runOnOperation() override {
    llvm::Expected<Composition> composition = compose(rule);
    if (!composition) {
      getOperation().emitError() << llvm::toString(composition.takeError());
      return signalPassFailure();
    }
    bool found = false;
    for (GraphOp graph : getOperation().getOps<GraphOp>())
      found |= apply(*composition, graph);
    if (found)
      return;
    getOperation().emitError()
        << "no graph has gradients to apply step rules to; run "
           "blocks-differentiate first";
    signalPassFailure();
  }

private:
  bool apply(const Composition &composition, GraphOp graph);
};

/// The parameters that the graph trains, each with its gradient as the step.
SmallVector<ParameterStep> collectSteps(GraphOp graph, OpBuilder &builder) {
  SmallVector<ParameterStep> steps;
  auto module = graph->getParentOfType<ModuleOp>();
  for (StepOp op : graph.getBody().front().getOps<StepOp>()) {
    auto parameter = cast<ParameterOp>(
        SymbolTable::lookupSymbolIn(module, op.getParameter()));
    Value value = GetOp::create(builder, op.getLoc(), parameter.getTensorType(),
                                op.getParameter());
    steps.push_back({parameter, value, op.getGradient()});
  }
  return steps;
}

bool StepRules::apply(const Composition &composition, GraphOp graph) {
  Block &block = graph.getBody().front();
  OpBuilder builder = OpBuilder::atBlockEnd(&block);
  SmallVector<ParameterStep> steps = collectSteps(graph, builder);
  if (steps.empty())
    return false;
  AlgorithmBrick algorithm = AlgorithmBrick::getOrCreate(getOperation());
  for (const ComposedRule &composed : composition) {
    StepBuilder stepBuilder(
        builder, graph.getLoc(), algorithm, composed.name,
        [&](StringRef scalar) { return isShared(composition, scalar); });
    composed.rule->build(stepBuilder, steps);
  }
  Expressions e(builder, graph.getLoc());
  for (ParameterStep &p : steps)
    AssignOp::create(builder, p.parameter.getLoc(), p.parameter.getReference(),
                     e.sub(p.value, p.step));
  for (StepOp op : llvm::make_early_inc_range(block.getOps<StepOp>()))
    op.erase();
  return true;
}

} // namespace
llvm::Error checkStepRules(StringRef text) { return compose(text).takeError(); }

} // namespace blocks
