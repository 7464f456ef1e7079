//===- test-compiled.cpp - A model's compiled code against the reference --===//
//
// Test-only. Each module of FILE is expanded, compiled and run: its graphs, and
// one training step on the graph @cost. Sources and parameters are random.
//
//===----------------------------------------------------------------------===//
#include "test/lib/Reference/random_graphs/Checks.h"
#include "test/tools/Model.h"

#include "blocks/Error.h"

#include <llvm/Support/CommandLine.h>
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
  cl::opt<uint64_t> seeds{"seeds", cl::desc("How many seeds to try"),
                          cl::init(2)};
};
} // namespace

static Extents readExtents(const Options &options) {
  Extents extents;
  for (llvm::StringRef option : options.shape) {
    auto [axis, extent] = option.split('=');
    if (extent.getAsInteger(10, extents[axis.str()]))
      throw UsageError("--shape " + option.str() +
                       " is not of the form AXIS=N");
  }
  return extents;
}

/// The module without library bricks, as text.
static std::string expandedText(mlir::ModuleOp module) {
  if (mlir::failed(
          runPasses(module, "blocks-expand-bricks,blocks-inline-applications")))
    throw InputError("the model cannot be expanded");
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

static bool checkModule(mlir::ModuleOp module, const Options &options) {
  std::string name = module.getName().value_or("module").str();
  RandomModel model{0, expandedText(module), readExtents(options), {}};
  for (model.seed = 1; model.seed <= options.seeds; ++model.seed)
    if (!checkCompiled(*module.getContext(), model)) {
      llvm::errs() << name << ": seed " << model.seed << " failed\n";
      return false;
    }
  llvm::outs() << name << ": compiled code agrees\n";
  return true;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  cl::ParseCommandLineOptions(
      argc, argv, "compares compiled code with the reference (for tests)\n");
  auto context = makeContext();
  auto modules = readModules(*context, options.file);
  int status = modules.empty() ? 1 : 0;
  try {
    for (auto &module : modules)
      status |= checkModule(*module, options) ? 0 : 1;
  } catch (const Error &error) {
    llvm::errs() << "test-compiled: " << error.what() << "\n";
    return error.exitStatus();
  }
  return status;
}
