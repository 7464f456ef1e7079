//===- blocks-gradcheck.cpp - Checks gradients by finite differences ------===//
//
// Test-only. Converts each module of a file to f64, runs the compiler's passes
// up to differentiation, and compares (GradientCheck.h). With --passes the
// given passes run instead.
//
//===----------------------------------------------------------------------===//
#include "test/tools/GradientCheck.h"
#include "test/tools/Model.h"

#include <llvm/Support/CommandLine.h>
#include <llvm/Support/InitLLVM.h>
#include <llvm/Support/raw_ostream.h>

using namespace blocks::testing;
namespace cl = llvm::cl;

namespace {
struct Options {
  cl::opt<std::string> file{cl::Positional, cl::desc("FILE.mlir"),
                            cl::init("-")};
  cl::opt<std::string> passes{
      "passes", cl::desc("Passes that differentiate"),
      cl::init("blocks-convert-to-f64,blocks-expand-bricks,"
               "blocks-inline-applications,blocks-derive-entries{cost=cost},"
               "blocks-differentiate{cost=cost}")};
  cl::opt<std::string> entry{"entry", cl::desc("The training graph"),
                             cl::init("train")};
  cl::list<std::string> shape{"shape", cl::desc("Extents of dynamic axes"),
                              cl::value_desc("AXIS=N"), cl::CommaSeparated};
  cl::opt<unsigned> seeds{"seeds", cl::desc("How many seeds to try"),
                          cl::init(3)};
  cl::opt<double> tolerance{
      "tolerance", cl::desc("Relative to max(1, |gradient|)"), cl::init(1e-6)};
};
} // namespace

static bool readExtents(const Options &options, Extents &extents) {
  for (llvm::StringRef option : options.shape) {
    auto [axis, extent] = option.split('=');
    if (extent.getAsInteger(10, extents[axis.str()])) {
      llvm::errs() << "blocks-gradcheck: --shape " << option
                   << " is not of the form AXIS=N\n";
      return false;
    }
  }
  return true;
}

/// Checks one module for all seeds; the number of elements compared.
static mlir::FailureOr<int64_t> checkModule(mlir::ModuleOp module,
                                            const GradientCheck &check,
                                            const Options &options) {
  if (mlir::failed(runPasses(module, options.passes)))
    return mlir::failure();
  auto graph = findEntry(module, options.entry);
  if (mlir::failed(graph))
    return mlir::failure();
  int64_t compared = 0;
  for (unsigned seed = 1; seed <= options.seeds; ++seed) {
    auto count = checkGradients(module, *graph, check, seed);
    if (mlir::failed(count))
      return mlir::failure();
    compared += *count;
  }
  return compared;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  cl::ParseCommandLineOptions(
      argc, argv, "compares gradients with finite differences (for tests)\n");
  GradientCheck check;
  check.tolerance = options.tolerance;
  if (!readExtents(options, check.extents))
    return 2;
  auto context = makeContext();
  auto modules = readModules(*context, options.file);
  int status = modules.empty() ? 1 : 0;
  for (auto &module : modules) {
    auto compared = checkModule(*module, check, options);
    if (mlir::failed(compared))
      status = 1;
    else
      llvm::outs() << module->getName().value_or("module") << ": " << *compared
                   << " elements agree\n";
  }
  return status;
}
