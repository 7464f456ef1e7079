//===- blocks-interpret.cpp - Runs a module's graphs by the reference -----===//
//
// Test-only. Runs passes, then graphs on the reference interpreter, and prints
// what they output; expectations can stand in the graph itself (Checks.h).
//
//===----------------------------------------------------------------------===//
#include "test/tools/Checks.h"
#include "test/tools/Model.h"
#include "test/tools/RandomInputs.h"

#include "blocks/Error.h"
#include "blocks/NpzFile.h"

#include <llvm/Support/raw_ostream.h>

using namespace blocks;
using namespace blocks::testing;
namespace cl = llvm::cl;

namespace {
struct Options : ModelOptions {
  cl::opt<std::string> passes{
      "passes", cl::desc("Passes to run first, separated by commas")};
  cl::opt<std::string> entry{
      "entry", cl::desc("The graph or function to run (default: all)")};
  cl::list<std::string> inputs{"input",
                               cl::desc("A source's value (default: random)"),
                               cl::value_desc("NAME=FILE.npy")};
  cl::list<std::string> state{
      "state", cl::desc("A parameter's value (default: initialized)"),
      cl::value_desc("PATH=FILE.npy")};
  cl::opt<uint64_t> seed{
      "seed", cl::desc("Of initial values and random sources"), cl::init(1)};
  cl::opt<bool> quiet{"quiet", cl::desc("Print nothing but failed checks")};
};
} // namespace

static reference::Tensor readTensor(const std::string &path,
                                    mlir::Type element) {
  Array array = readNpy(path);
  llvm::Expected<DType> expected = reference::dtypeOf(element);
  if (!expected || *expected != array.dtype())
    throw InputError(path + " holds " + std::string(dtypeName(array.dtype())) +
                     ", which is not the type of the value in the model");
  return reference::fromArray(array.view(), element);
}

/// Replaces random values by those of files.
static void readValues(const cl::list<std::string> &options,
                       reference::NamedTensors &values) {
  for (const std::string &option : options) {
    auto [name, path] = splitPair(option);
    auto found = values.find(name);
    if (found == values.end())
      throw UsageError("there is nothing called '" + name + "'");
    found->second = readTensor(path, found->second.elementType());
  }
}

static void print(llvm::StringRef entry, const reference::RunResults &results) {
  auto line = [&](const std::string &name, const reference::Tensor &value) {
    llvm::outs() << "@" << entry << " " << name << " = " << toText(value)
                 << "\n";
  };
  for (auto &[name, value] : results.outputs)
    line(name, value);
  for (auto &[path, value] : results.gradients)
    line("gradient of " + path, value);
  for (auto &[path, value] : results.updates)
    line("new " + path, value);
  if (!results.status.ok)
    llvm::outs() << "@" << entry << " status: " << results.status.message()
                 << "\n";
}

/// Runs one entry; the exit status.
static int runEntry(mlir::ModuleOp module, mlir::FunctionOpInterface entry,
                    const Options &options) {
  llvm::Expected<reference::NamedTensors> state =
      reference::initialState(module, options.seed);
  if (!state)
    throw InputError(llvm::toString(state.takeError()));
  reference::RunInputs inputs{
      randomSources(entry, options.extents(), options.seed), std::move(*state)};
  readValues(options.inputs, inputs.sources);
  readValues(options.state, inputs.state);
  auto results = reference::run(entry, inputs, runCheck);
  if (mlir::failed(results))
    return 1;
  if (!options.quiet)
    print(entry.getName(), *results);
  return 0;
}

static int runModule(mlir::ModuleOp module, const Options &options) {
  if (mlir::failed(runPasses(module, options.passes)))
    return 1;
  if (!options.entry.empty()) {
    auto entry = findEntry(module, options.entry);
    return mlir::failed(entry) ? 1 : runEntry(module, *entry, options);
  }
  int status = 0;
  for (mlir::FunctionOpInterface entry : entriesOf(module))
    status |= runEntry(module, entry, options);
  return status;
}

int main(int argc, char **argv) {
  Options options;
  return runTool(
      argc, argv, "runs graphs on the reference interpreter (for tests)\n",
      options,
      [&](mlir::ModuleOp module) { return runModule(module, options); });
}
