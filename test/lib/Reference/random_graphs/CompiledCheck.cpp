//===- CompiledCheck.cpp - Compiled code against the reference ------------===//
//
// Each graph is compiled and run through blocks::Program, as a user would. The
// training entry takes one step of learning rate 1, so that the change of a
// parameter is its gradient.
//
//===----------------------------------------------------------------------===//
#include "blocks/CompiledProgram.h"
#include "blocks/Error.h"
#include "blocks/Parameters.h"
#include "lib/API/CompileModel.h"
#include "runtime/Device/CpuInfo.h"
#include "test/lib/Reference/random_graphs/Agreement.h"
#include "test/tools/Model.h"

#include <llvm/Support/raw_ostream.h>
#include <mlir/AsmParser/AsmParser.h>
#include <mlir/Parser/Parser.h>

using namespace mlir;

namespace blocks::testing {

using reference::NamedTensors;
using reference::RunResults;
using reference::Tensor;

namespace {
/// A compiled program with its state, which the reference starts from, too.
struct Compiled {
  std::unique_ptr<Program> program;
  ProgramState state;

  Compiled(CompileRequest request, uint64_t seed) {
    request.cpuLevel = levelName(detectCpu().level);
    CompileArtifact artifact = compileModel(request, "", /*verifyEach=*/true);
    program = loadProgram(artifact.manifest,
                          std::as_bytes(std::span(artifact.object)));
    state = makeInitialState(program->spec(), seed);
  }
};
} // namespace

static Type elementType(DType dtype, MLIRContext &context) {
  return parseType(dtypeName(dtype), &context);
}

static NamedTensors stateTensors(const Compiled &compiled,
                                 MLIRContext &context) {
  NamedTensors tensors;
  for (auto [spec, array] :
       llvm::zip(compiled.program->spec().state, compiled.state.arrays))
    tensors[spec.path] =
        reference::fromArray(array.view(), elementType(spec.dtype, context));
  return tensors;
}

/// Runs entry `name` on the sources; outputs in the entry's order.
static NamedList runCompiled(Compiled &compiled, const std::string &name,
                             const NamedTensors &sources,
                             MLIRContext &context) {
  const ProgramSpec &spec = compiled.program->spec();
  const EntrySpec *entry = spec.findEntry(name);
  if (!entry)
    throw InputError("the compiled program has no entry '" + name + "'");
  std::vector<Array> arrays, outputs;
  std::vector<ArrayView> views;
  for (const SourceSpec &source : entry->sources)
    arrays.push_back(
        llvm::cantFail(reference::toArray(sources.at(source.name))));
  for (const Array &array : arrays)
    views.push_back(array.view());
  compiled.program->run(size_t(entry - spec.entries.data()), compiled.state,
                        views, outputs);
  NamedList results;
  for (auto [output, array] : llvm::zip(entry->outputs, outputs))
    results.emplace_back(
        output.name,
        reference::fromArray(array.view(), elementType(output.dtype, context)));
  return results;
}

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

static bool checkForward(ModuleOp module, const RandomModel &model,
                         double tolerance) {
  MLIRContext &context = *module.getContext();
  CompileRequest request;
  request.modelText = model.text;
  request.modelName = "random";
  for (FunctionOpInterface entry : entriesOf(module))
    if (entry.getName() != "cost")
      request.graphs.push_back({entry.getName().str(), {}});
  if (request.graphs.empty())
    return true;
  Compiled compiled(request, model.seed);
  auto state = reference::initialState(module, model.seed);
  if (!state)
    throw InputError(llvm::toString(state.takeError()));
  bool same = true;
  for (auto &[name, outputs] : request.graphs) {
    auto entry = *findEntry(module, name);
    NamedTensors sources =
        randomSources(entry, model.extents, model.seed, model.ranges);
    auto expected = reference::run(entry, {sources, *state});
    auto wide = [&, name = name](unsigned lastBits) -> FailureOr<NamedList> {
      auto results =
          runWide(model, "", name, sources, *state, lastBits, context);
      if (failed(results))
        return failure();
      return results->outputs;
    };
    same &= succeeded(expected) &&
            agree("@" + name, runCompiled(compiled, name, sources, context),
                  expected->outputs, tolerance, wide);
  }
  return same;
}

/// The gradients of the trained parameters, by path.
static NamedList gradientsOf(const RunResults &results) {
  return {results.gradients.begin(), results.gradients.end()};
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

static bool checkTraining(ModuleOp module, const RandomModel &model,
                          Tolerances tolerances) {
  MLIRContext &context = *module.getContext();
  CompileRequest request;
  request.modelText = model.text;
  request.modelName = "random";
  request.training = true;
  request.stepRule = "scale(learning_rate=1.0)";
  Compiled compiled(request, model.seed);
  NamedTensors before = stateTensors(compiled, context);

  const std::string passes = "blocks-derive-entries{cost=cost},"
                             "blocks-differentiate{cost=cost}";
  if (failed(runPasses(module, passes)))
    return false;
  auto graph = findEntry(module, "train");
  if (failed(graph))
    return false;
  NamedTensors sources =
      randomSources(*graph, model.extents, model.seed, model.ranges);
  auto expected = reference::run(*graph, {sources, before});
  if (failed(expected))
    return false;
  auto wide = [&](unsigned lastBits) {
    return runWide(model, "," + passes, "train", sources, before, lastBits,
                   context);
  };
  auto wideOutputs = [&](unsigned lastBits) -> FailureOr<NamedList> {
    auto results = wide(lastBits);
    if (failed(results))
      return failure();
    return results->outputs;
  };
  auto wideGradients = [&](unsigned lastBits) -> FailureOr<NamedList> {
    auto results = wide(lastBits);
    if (failed(results))
      return failure();
    return gradientsOf(*results);
  };
  NamedList gradients = gradientsOf(*expected);
  NamedList outputs = runCompiled(compiled, "train", sources, context);
  bool same = agree("@train", outputs, expected->outputs, tolerances.output,
                    wideOutputs);
  return agree("the gradient of",
               changes(gradients, before, stateTensors(compiled, context)),
               gradients, tolerances.gradient, wideGradients) &&
         same;
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
  bool forward = checkForward(*module, model, tolerances.output);
  return (!hasCost(*module) || checkTraining(*module, model, tolerances)) &&
         forward;
}

} // namespace blocks::testing
