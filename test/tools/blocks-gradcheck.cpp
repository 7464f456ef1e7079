//===- blocks-gradcheck.cpp - Checks gradients by finite differences ------===//
//
// Test-only. Converts each module of a file to f64, runs the compiler's passes
// up to differentiation, and compares (GradientCheck.h). With --passes the
// given passes run instead.
//
//===----------------------------------------------------------------------===//
#include "test/tools/GradientCheck.h"
#include "test/tools/Model.h"

#include <llvm/Support/raw_ostream.h>

using namespace blocks::testing;
namespace cl = llvm::cl;

namespace {
struct Options : ModelOptions {
  cl::opt<std::string> passes{
      "passes", cl::desc("Passes that differentiate"),
      cl::init("blocks-convert-to-f64,blocks-expand-bricks,"
               "blocks-inline-applications,blocks-derive-entries{cost=cost},"
               "blocks-differentiate{cost=cost}")};
  cl::opt<std::string> entry{"entry", cl::desc("The training graph"),
                             cl::init("train")};
  cl::opt<unsigned> seeds{"seeds", cl::desc("How many seeds to try"),
                          cl::init(3)};
  cl::opt<double> tolerance{
      "tolerance", cl::desc("Relative to max(1, |gradient|)"), cl::init(1e-6)};
};
} // namespace

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

/// Prints how much agreed; the exit status.
static int report(mlir::ModuleOp module, const Options &options) {
  GradientCheck check;
  check.tolerance = options.tolerance;
  check.extents = options.extents();
  auto compared = checkModule(module, check, options);
  if (mlir::failed(compared))
    return 1;
  llvm::outs() << module.getName().value_or("module") << ": " << *compared
               << " elements agree\n";
  return 0;
}

int main(int argc, char **argv) {
  Options options;
  return runTool(
      argc, argv, "compares gradients with finite differences (for tests)\n",
      options, [&](mlir::ModuleOp module) { return report(module, options); });
}
