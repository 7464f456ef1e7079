//===- CompiledCheck.cpp - Compiled code against the reference ------------===//
//
// Each graph is compiled and run through blocks::Program, as a user would. The
// training entry takes one step of learning rate 1, so that the change of a
// parameter is its gradient.
//
//===----------------------------------------------------------------------===//
#include "blocks/Error.h"
#include "test/lib/Reference/random_graphs/CompiledRun.h"
#include "test/lib/Reference/random_graphs/StoredCase.h"
#include "test/tools/Model.h"

#include <mlir/Parser/Parser.h>

using namespace mlir;

namespace blocks::testing {

using reference::NamedTensors;
using reference::RunResults;
using reference::Tensor;

/// Runs entry `name` of the model in double precision, after `passes`.
static FailureOr<RunResults>
runWide(const RandomModel &model, const std::string &passes,
        const std::string &name, const NamedTensors &sources,
        const NamedTensors &state, unsigned lastBits, MLIRContext &context) {
  auto module = parseSourceString<ModuleOp>(model.text, &context);
  if (!module || failed(runPasses(*module, "blocks-convert-to-f64" + passes)))
    return failure();
  auto entry = findEntry(*module, name);
  if (failed(entry))
    return failure();
  return reference::run(*entry, {widened(sources, context, lastBits),
                                 widened(state, context, lastBits)});
}

/// The first values of the module's parameters.
static NamedTensors firstState(ModuleOp module, const RandomModel &model) {
  auto state = model.randomParameters
                   ? randomState(module, model.seed)
                   : reference::initialState(module, model.seed);
  if (!state)
    throw InputError(llvm::toString(state.takeError()));
  return *state;
}

namespace {
/// One entry of a model: what goes in, what the reference makes of it, and the
/// same in double precision.
struct Check {
  const RandomModel &model;
  MLIRContext &context;
  std::string entry, passes;
  NamedTensors sources, state;

  FailureOr<RunResults> runWide(unsigned lastBits) const {
    return testing::runWide(model, passes, entry, sources, state, lastBits,
                            context);
  }
  /// Of each run in double precision what `choose` chooses.
  WideReference wide(NamedList (*choose)(RunResults &)) const {
    return [this, choose](unsigned lastBits) -> FailureOr<NamedList> {
      auto results = runWide(lastBits);
      if (failed(results))
        return failure();
      return choose(*results);
    };
  }
};
} // namespace

static NamedList outputsOf(RunResults &results) { return results.outputs; }

/// The gradients of the trained parameters, by path.
static NamedList gradientsOf(RunResults &results) {
  return {results.gradients.begin(), results.gradients.end()};
}

/// What a step gives other state than parameters: counters, population means.
static NamedList updatesOf(RunResults &results) {
  return {results.updates.begin(), results.updates.end()};
}

static std::optional<StoredCase> storeCase(const Check &check,
                                           const CompiledRun &compiled,
                                           const NamedTensors &state,
                                           Tolerances tolerances) {
  if (check.model.store.empty())
    return std::nullopt;
  return std::make_optional<StoredCase>(check.model.store + check.entry,
                                        compiled, check.entry, tolerances,
                                        check.sources, state);
}

static bool checkGraph(CompiledRun &compiled, FunctionOpInterface graph,
                       const Check &check, Tolerances tolerances) {
  auto expected = reference::run(graph, {check.sources, check.state});
  if (failed(expected))
    return false;
  auto stored =
      storeCase(check, compiled, compiled.state(check.context), tolerances);
  auto wide = check.wide(outputsOf);
  if (stored) {
    stored->expect("output", expected->outputs, wide);
    stored->commit();
  }
  return agree("@" + check.entry,
               compiled.run(check.entry, check.sources, check.context),
               expected->outputs, tolerances.output, wide);
}

static bool checkForward(ModuleOp module, const RandomModel &model,
                         Tolerances tolerances) {
  MLIRContext &context = *module.getContext();
  CompileRequest request = requestFor(module, model);
  for (FunctionOpInterface entry : entriesOf(module))
    if (entry.getName() != "cost")
      request.graphs.push_back({entry.getName().str(), {}});
  if (request.graphs.empty())
    return true;
  if (model.coverage)
    model.coverage->note(module, /*backward=*/false);
  CompiledRun compiled(request, model.seed);
  NamedTensors state = firstState(module, model);
  if (model.randomParameters)
    compiled.setState(state);
  bool same = true;
  for (auto &[name, outputs] : request.graphs) {
    auto entry = *findEntry(module, name);
    Check check{model,
                context,
                name,
                "",
                randomSources(entry, model.extents, model.seed, model.ranges),
                state};
    same &= checkGraph(compiled, entry, check, tolerances);
  }
  return same;
}

/// The change of each parameter that has a gradient.
static NamedList changes(const NamedList &gradients, const NamedTensors &before,
                         const NamedTensors &after) {
  NamedList all;
  for (const auto &[path, gradient] : gradients) {
    Tensor change = before.at(path);
    for (int64_t i = 0; i < change.size(); ++i)
      change.setReal(i, change.real(i) - after.at(path).real(i));
    all.emplace_back(path, std::move(change));
  }
  return all;
}

/// The values in `state` of all that `updates` names.
static NamedList valuesOf(const NamedList &updates, const NamedTensors &state) {
  NamedList values;
  for (const auto &[path, update] : updates)
    values.emplace_back(path, state.at(path));
  return values;
}

static bool checkStep(CompiledRun &compiled, RunResults &expected,
                      const Check &check, Tolerances tolerances) {
  NamedList gradients = gradientsOf(expected), updates = updatesOf(expected);
  auto wideOutputs = check.wide(outputsOf),
       wideGradients = check.wide(gradientsOf),
       wideUpdates = check.wide(updatesOf);
  if (auto stored = storeCase(check, compiled, check.state, tolerances)) {
    stored->expect("output", expected.outputs, wideOutputs);
    stored->expect("gradient", gradients, wideGradients);
    stored->expect("update", updates, wideUpdates);
    stored->commit();
  }
  NamedList outputs = compiled.run("train", check.sources, check.context);
  NamedTensors after = compiled.state(check.context);
  bool same = agree("@train", outputs, expected.outputs, tolerances.output,
                    wideOutputs);
  same &= agree("the new value of", valuesOf(updates, after), updates,
                tolerances.output, wideUpdates);
  return agree("the gradient of", changes(gradients, check.state, after),
               gradients, tolerances.gradient, wideGradients) &&
         same;
}

static bool checkTraining(ModuleOp module, const RandomModel &model,
                          Tolerances tolerances) {
  MLIRContext &context = *module.getContext();
  CompileRequest request = requestFor(module, model);
  request.training = true;
  request.stepRule = "scale(learning_rate=1.0)";
  CompiledRun compiled(request, model.seed);
  if (model.randomParameters)
    compiled.setState(firstState(module, model));

  const std::string passes =
      "blocks-derive-entries{cost=cost},blocks-batch-normalize,"
      "blocks-differentiate{cost=cost}";
  if (failed(runPasses(module, passes)))
    return false;
  if (model.coverage)
    model.coverage->note(module, /*backward=*/true);
  auto graph = findEntry(module, "train");
  if (failed(graph))
    return false;
  Check check{model,
              context,
              "train",
              "," + passes,
              randomSources(*graph, model.extents, model.seed, model.ranges),
              compiled.state(context)};
  auto expected = reference::run(*graph, {check.sources, check.state});
  return succeeded(expected) &&
         checkStep(compiled, *expected, check, tolerances);
}

static bool hasCost(ModuleOp module) {
  return llvm::any_of(entriesOf(module), [](FunctionOpInterface entry) {
    return entry.getName() == "cost";
  });
}

bool checkCompiled(MLIRContext &context, const RandomModel &model,
                   Tolerances tolerances) {
  auto module = parseSourceString<ModuleOp>(model.text, &context);
  if (!module)
    return false;
  bool forward = checkForward(*module, model, tolerances);
  return (!hasCost(*module) || checkTraining(*module, model, tolerances)) &&
         forward;
}

} // namespace blocks::testing
