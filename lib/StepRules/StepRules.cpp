//===- StepRules.cpp - From gradients to updates --------------------------===//
//
// Each rule works on the steps of all parameters, or of those that its option
// `where` names (Blocks' Restrict).
//
//===----------------------------------------------------------------------===//
#include "lib/Roles/RoleFilter.h"
#include "lib/StepRules/Norms.h"
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
  std::optional<RoleFilter> where;
};
using Composition = std::vector<ComposedRule>;

const StepRuleEntry &entryOf(const std::vector<StepRuleEntry> &table,
                             const RuleCall &call) {
  return *llvm::find_if(table, [&](const StepRuleEntry &entry) {
    return entry.spec.name == call.name;
  });
}

constexpr StringLiteral whereOption = "where";

/// What the option `where` of a rule says, if it is there.
llvm::Expected<std::optional<RoleFilter>> restriction(const RuleCall &call) {
  std::string text = call.text(whereOption, "");
  if (text.empty())
    return std::nullopt;
  llvm::Expected<RoleFilter> filter = RoleFilter::parse(text);
  if (!filter)
    return filter.takeError();
  return std::move(*filter);
}

llvm::Expected<Composition> compose(StringRef text) {
  llvm::Expected<std::vector<RuleCall>> calls = parseRules(text);
  if (!calls)
    return calls.takeError();
  std::vector<StepRuleEntry> table = stepRules();
  std::vector<RuleSpec> specs;
  for (const StepRuleEntry &entry : table) {
    specs.push_back(entry.spec);
    specs.back().options.push_back({whereOption, RuleType::Text});
  }
  if (llvm::Error error = checkRules(*calls, specs, "step rule"))
    return error;
  Composition composition;
  llvm::StringMap<unsigned> seen;
  for (const RuleCall &call : *calls) {
    const StepRuleEntry &entry = entryOf(table, call);
    auto rule = entry.create(call);
    if (!rule)
      return rule.takeError();
    auto where = restriction(call);
    if (!where)
      return where.takeError();
    unsigned ordinal = seen[call.name]++;
    std::string suffix = ordinal ? "_" + std::to_string(ordinal) : "";
    composition.push_back({call.name + suffix, entry.scalars, std::move(*rule),
                           std::move(*where)});
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
    for (GraphOp graph : getOperation().getOps<GraphOp>()) {
      FailureOr<bool> applied = apply(*composition, graph);
      if (failed(applied))
        return signalPassFailure();
      found |= *applied;
    }
    if (found)
      return;
    // Differentiation made the brick of the algorithm, and found no parameter.
    if (getOperation().lookupSymbol<BrickOp>("algorithm"))
      getOperation().emitError()
          << "the cost depends on no parameter, so there is nothing to train; "
             "apply a brick that has parameters";
    else
      getOperation().emitError()
          << "no graph has gradients to apply step rules to; run "
             "blocks-differentiate first";
    signalPassFailure();
  }

private:
  /// False if the graph trains nothing.
  FailureOr<bool> apply(const Composition &composition, GraphOp graph);
  void giveNorm(StringRef name, ArrayRef<ParameterStep> steps,
                OpBuilder &builder, AlgorithmBrick &algorithm, Location loc);
};

/// The length of all steps together becomes an output, if it is wanted.
void StepRules::giveNorm(StringRef name, ArrayRef<ParameterStep> steps,
                         OpBuilder &builder, AlgorithmBrick &algorithm,
                         Location loc) {
  if (!llvm::is_contained(outputs, name.str()))
    return;
  StepBuilder b(builder, loc, algorithm, "", [](StringRef) { return false; });
  Value total;
  for (const ParameterStep &p : steps) {
    Value squares = b.sum(b.square(p.step));
    total = total ? b.add(total, b.castLike(squares, total)) : squares;
  }
  OutputOp::create(builder, loc, b.sqrt(total), name,
                   RolesAttr::empty(builder.getContext()), AggregateKind::Mean);
}

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

/// Whether `filter` names the parameter: it is asked about the tag that a read
/// of the parameter has in a model.
bool matches(const RoleFilter &filter, const ParameterStep &p,
             OpBuilder &builder) {
  ParameterOp parameter = p.parameter;
  TagOp tag = TagOp::create(builder, parameter.getLoc(), p.value,
                            parameter.getAnnotation());
  bool found = filter.matches(tag);
  tag.erase();
  return found;
}

/// The numbers of the steps that the rule works on.
FailureOr<SmallVector<unsigned>> chosenSteps(const ComposedRule &composed,
                                             ArrayRef<ParameterStep> steps,
                                             OpBuilder &builder,
                                             GraphOp graph) {
  SmallVector<unsigned> chosen;
  for (auto [i, p] : llvm::enumerate(steps))
    if (!composed.where || matches(*composed.where, p, builder))
      chosen.push_back(i);
  for (unsigned i : chosen)
    if (failed(composed.rule->check(steps[i].parameter)))
      return failure();
  if (!chosen.empty())
    return chosen;
  InFlightDiagnostic error = graph.emitError()
                             << "filter '" << composed.where->getText()
                             << "' of the step rule " << composed.name
                             << " names none of the parameters; there are ";
  llvm::interleaveComma(steps, error, [&](const ParameterStep &p) {
    ParameterOp parameter = p.parameter;
    error << parameter.getPath();
  });
  return error;
}

FailureOr<bool> StepRules::apply(const Composition &composition,
                                 GraphOp graph) {
  Block &block = graph.getBody().front();
  OpBuilder builder = OpBuilder::atBlockEnd(&block);
  SmallVector<ParameterStep> steps = collectSteps(graph, builder);
  if (steps.empty())
    return false;
  AlgorithmBrick algorithm = AlgorithmBrick::getOrCreate(getOperation());
  giveNorm(totalGradientNorm, steps, builder, algorithm, graph.getLoc());
  for (const ComposedRule &composed : composition) {
    auto chosen = chosenSteps(composed, steps, builder, graph);
    if (failed(chosen))
      return failure();
    SmallVector<ParameterStep> own;
    for (unsigned i : *chosen)
      own.push_back(steps[i]);
    StepBuilder stepBuilder(
        builder, graph.getLoc(), algorithm, composed.name,
        [&](StringRef scalar) { return isShared(composition, scalar); });
    composed.rule->build(stepBuilder, own);
    for (auto [i, p] : llvm::zip(*chosen, own))
      steps[i] = p;
  }
  giveNorm(totalStepNorm, steps, builder, algorithm, graph.getLoc());
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
