//===- test-compiled-graphs.cpp - A file's graphs as machine code ---------===//
//
// Test-only. Compiles every graph of each module of a file and compares it with
// the reference interpreter on random sources; a graph @cost with the output
// "cost" is trained for one step, too, and so is a graph @train of a file for
// gradient checks. Bricks are expanded first. With --f64 all is in double
// precision, and has to agree to as many digits. On a GPU runs repeat bit for
// bit.
//
//===----------------------------------------------------------------------===//
#include "test/lib/Reference/random_graphs/Checks.h"
#include "test/tools/Model.h"

#include "blocks/Error.h"
#include "dialects/Blocks/Blocks.h"
#include "lib/Bricks/BrickLibrary.h"

#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/InitLLVM.h>
#include <llvm/Support/raw_ostream.h>

using namespace blocks;
using namespace blocks::testing;
namespace cl = llvm::cl;

namespace {
struct Options {
  cl::opt<std::string> file{cl::Positional, cl::desc("FILE.mlir"),
                            cl::init("-")};
  cl::list<std::string> shape{"shape", cl::desc("Extents of dynamic axes"),
                              cl::value_desc("AXIS=N"), cl::CommaSeparated};
  cl::list<std::string> range{
      "range", cl::desc("Limits of a source's elements"),
      cl::value_desc("SOURCE=LOW:HIGH"), cl::CommaSeparated};
  cl::opt<std::string> device{"device", cl::desc("cpu or cuda"),
                              cl::init("cpu")};
  cl::opt<bool> wide{"f64", cl::desc("Compute in double precision")};
  cl::opt<bool> randomParameters{
      "random-parameters",
      cl::desc("Parameters are random, not what they are initialized with")};
  cl::opt<std::string> cpuLevel{
      "cpu-level", cl::desc("Compile for this level of processors")};
  cl::opt<std::string> arch{"cuda-arch", cl::desc("Compile for these GPUs"),
                            cl::init("sm_75")};
  cl::opt<std::string> store{
      "store", cl::desc("Store programs and what has to come out"),
      cl::value_desc("PREFIX")};
  cl::opt<std::string> coverage{
      "coverage", cl::desc("Append which operations and bricks were compared"),
      cl::value_desc("FILE")};
  cl::opt<bool> kinds{"list-bricks",
                      cl::desc("Print the library's kinds of bricks only")};
  cl::opt<uint64_t> seed{"seed", cl::desc("The first seed"), cl::init(1)};
  cl::opt<unsigned> seeds{"seeds", cl::desc("How many seeds"), cl::init(1)};
};
} // namespace

static bool readShape(llvm::StringRef option, Extents &extents) {
  auto [axis, extent] = option.split('=');
  return !extent.getAsInteger(10, extents[axis.str()]);
}

static bool readRange(llvm::StringRef option, Ranges &ranges) {
  auto [source, limits] = option.split('=');
  auto [low, high] = limits.split(':');
  Range &range = ranges[source.str()];
  return !low.getAsDouble(range.low) && !high.getAsDouble(range.high);
}

static bool readOptions(const Options &options, RandomModel &model) {
  for (llvm::StringRef option : options.shape)
    if (!readShape(option, model.extents)) {
      llvm::errs() << "--shape " << option << " is not of the form AXIS=N\n";
      return false;
    }
  for (llvm::StringRef option : options.range)
    if (!readRange(option, model.ranges)) {
      llvm::errs() << "--range " << option
                   << " is not of the form SOURCE=LOW:HIGH\n";
      return false;
    }
  return true;
}

/// The training graph of a file for gradient checks is its cost.
static void renameTraining(mlir::ModuleOp module) {
  for (GraphOp graph : module.getOps<GraphOp>())
    if (graph.getName() == "train" && graph->hasAttr("variant")) {
      graph->removeAttr("variant");
      graph.setName("cost");
      graph.walk([](OutputOp output) {
        if (output.getName() == "cost")
          output.setRolesAttr(RolesAttr::of(output.getContext(), Role::Cost));
      });
    }
}

static bool prepare(mlir::ModuleOp module, const Options &options) {
  renameTraining(module);
  std::string passes = "blocks-expand-bricks,blocks-inline-applications";
  if (options.wide)
    passes += ",blocks-convert-to-f64";
  return mlir::succeeded(runPasses(module, passes));
}

static bool checkModule(mlir::ModuleOp module, RandomModel &model,
                        const Options &options) {
  if (!prepare(module, options))
    return false;
  if (!options.store.empty())
    model.store = options.store + module.getName().value_or("module").str() +
                  (options.wide ? "-f64-" : "-");
  llvm::raw_string_ostream(model.text = "") << module;
  Tolerances tolerances = options.wide ? doubleTolerances : singleTolerances;
  bool same = true;
  for (unsigned i = 0; i < options.seeds; ++i) {
    model.seed = options.seed + i;
    try {
      same &= checkCompiled(*module.getContext(), model, tolerances);
    } catch (const Error &error) {
      llvm::errs() << error.what() << "\n";
      same = false;
    }
  }
  return same;
}

static void writeCoverage(const Coverage &coverage, const std::string &path) {
  std::error_code error;
  llvm::raw_fd_ostream file(path, error, llvm::sys::fs::OF_Append);
  if (error)
    throw IoError(path + ": " + error.message());
  for (const std::string &line : coverage.lines())
    file << line << "\n";
}

static int listBricks(mlir::MLIRContext &context) {
  for (const std::string &name : BrickLibrary::get(&context).getNames())
    llvm::outs() << name << "\n";
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  cl::ParseCommandLineOptions(
      argc, argv, "compares compiled graphs with the reference (for tests)\n");
  RandomModel model;
  Coverage coverage;
  model.device = options.device;
  model.cpuLevel = options.cpuLevel;
  model.cudaArch = options.arch;
  model.randomParameters = options.randomParameters;
  model.coverage = &coverage;
  if (!readOptions(options, model))
    return 2;
  auto context = makeContext();
  if (options.kinds)
    return listBricks(*context);
  auto modules = readModules(*context, options.file);
  int status = modules.empty() ? 1 : 0;
  for (auto &module : modules) {
    bool same = checkModule(*module, model, options);
    llvm::outs() << module->getName().value_or("module")
                 << (same ? " agrees\n" : " differs\n");
    status |= !same;
  }
  if (!options.coverage.empty())
    writeCoverage(coverage, options.coverage);
  return status;
}
