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
#include "test/lib/Reference/random_graphs/Checks.h"
#include "test/tools/Checks.h"
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
    // The least that programs for GPUs are made for: the strictest.
    request.cudaArch = "sm_75";
    CompileArtifact artifact = compileModel(request, "", /*verifyEach=*/true);
    program = loadProgram(artifact.manifest,
                          std::as_bytes(std::span(artifact.object)), {},
                          artifact.deviceText);
    state = makeInitialState(program->spec(), seed);
  }
};
} // namespace

static Type elementType(DType dtype, MLIRContext &context) {
  return parseType(dtypeName(dtype), &context);
}

static NamedTensors stateTensors(Compiled &compiled, MLIRContext &context) {
  NamedTensors tensors;
  compiled.state.download();
  for (auto [spec, array] :
       llvm::zip(compiled.program->spec().state, compiled.state.arrays))
    tensors[spec.path] =
        reference::fromArray(array.view(), elementType(spec.dtype, context));
  return tensors;
}

/// Runs entry `name` on the sources; outputs in the entry's order.
static std::vector<std::pair<std::string, Tensor>>
runCompiled(Compiled &compiled, const std::string &name,
            const NamedTensors &sources, MLIRContext &context) {
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
  std::vector<std::pair<std::string, Tensor>> results;
  for (auto [output, array] : llvm::zip(entry->outputs, outputs))
    results.emplace_back(
        output.name,
        reference::fromArray(array.view(), elementType(output.dtype, context)));
  return results;
}

static bool checkForward(ModuleOp module, const RandomModel &model,
                         double tolerance) {
  MLIRContext &context = *module.getContext();
  CompileRequest request;
  request.modelText = model.text;
  request.modelName = "random";
  request.device = model.device;
  for (FunctionOpInterface entry : entriesOf(module))
    if (entry.getName() != "cost")
      request.graphs.push_back({entry.getName().str(), {}});
  if (request.graphs.empty())
    return true;
  Compiled compiled(request, model.seed);
  NamedTensors state = stateTensors(compiled, context);
  bool same = true;
  for (auto &[name, outputs] : request.graphs) {
    auto entry = *findEntry(module, name);
    NamedTensors sources =
        randomSources(entry, model.extents, model.seed, model.ranges);
    auto all = reference::initialState(module, model.seed);
    if (!all)
      throw InputError(llvm::toString(all.takeError()));
    auto expected = reference::run(entry, {sources, *all});
    same &= succeeded(expected) &&
            sameOutputs(name, runCompiled(compiled, name, sources, context),
                        expected->outputs, tolerance);
  }
  return same;
}

/// The change of each parameter against the gradient by the reference.
static bool sameGradients(const RunResults &expected,
                          const NamedTensors &before, const NamedTensors &after,
                          double tolerance) {
  bool same = true;
  for (auto &[path, gradient] : expected.gradients) {
    Tensor change = before.at(path);
    for (int64_t i = 0; i < change.size(); ++i)
      change.setReal(i, change.real(i) - after.at(path).real(i));
    if (auto text = difference(change, gradient, tolerance)) {
      llvm::errs() << "the gradient of " << path << " " << *text << "\n";
      same = false;
    }
  }
  return same;
}

static bool checkTraining(ModuleOp module, const RandomModel &model,
                          Tolerances tolerances) {
  MLIRContext &context = *module.getContext();
  CompileRequest request;
  request.modelText = model.text;
  request.modelName = "random";
  request.device = model.device;
  request.training = true;
  request.stepRule = "scale(learning_rate=1.0)";
  Compiled compiled(request, model.seed);
  NamedTensors before = stateTensors(compiled, context);

  if (failed(runPasses(module, "blocks-derive-entries{cost=cost},"
                               "blocks-differentiate{cost=cost}")))
    return false;
  auto graph = findEntry(module, "train");
  if (failed(graph))
    return false;
  NamedTensors sources =
      randomSources(*graph, model.extents, model.seed, model.ranges);
  auto expected = reference::run(*graph, {sources, before});
  if (failed(expected))
    return false;
  auto outputs = runCompiled(compiled, "train", sources, context);
  bool same =
      sameOutputs("train", outputs, expected->outputs, tolerances.output);
  return sameGradients(*expected, before, stateTensors(compiled, context),
                       tolerances.gradient) &&
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
