//===- main.cpp - Random graphs through everything that runs graphs -------===//
//
// Test-only. A failing seed is printed; `--first SEED --count 1 --print` shows
// its model.
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
  cl::opt<std::string> check{"check",
                             cl::desc("rounding, gradients or compiled"),
                             cl::init("rounding")};
  cl::opt<uint64_t> first{"first", cl::desc("The first seed"), cl::init(1)};
  cl::opt<uint64_t> count{"count", cl::desc("How many seeds"), cl::init(100)};
  cl::opt<unsigned> graphs{
      "graphs", cl::desc("Graphs of a module beside its cost"), cl::init(3)};
  cl::opt<std::string> device{"device", cl::desc("cpu or cuda"),
                              cl::init("cpu")};
  cl::opt<std::string> arch{"cuda-arch", cl::desc("Compile for these GPUs"),
                            cl::init("sm_75")};
  cl::opt<std::string> cpuLevel{
      "cpu-level", cl::desc("Compile for this level of processors")};
  cl::opt<std::string> store{
      "store", cl::desc("Store programs and what has to come out"),
      cl::value_desc("PREFIX")};
  cl::opt<bool> print{"print",
                      cl::desc("Print the models and do nothing else")};
};
} // namespace

static bool checkModel(mlir::MLIRContext &context, const RandomModel &model,
                       const std::string &check) {
  if (check == "rounding")
    return checkRounding(context, model);
  if (check == "gradients")
    return checkRandomGradients(context, model);
#ifdef BLOCKS_HAVE_COMPILE
  if (check == "compiled")
    return checkCompiled(context, model);
#endif
  throw UsageError("there is no check '" + check + "' in this build");
}

static bool checkSeed(mlir::MLIRContext &context, uint64_t seed,
                      const Options &options) {
  RandomModel model = makeRandomModel(seed, options.graphs);
  model.device = options.device;
  model.cudaArch = options.arch;
  model.cpuLevel = options.cpuLevel;
  if (!options.store.empty())
    model.store = options.store + std::to_string(seed) + "-";
  if (options.print) {
    llvm::outs() << model.text;
    return true;
  }
  bool right = false;
  try {
    right = checkModel(context, model, options.check);
  } catch (const UsageError &) {
    throw;
  } catch (const Error &error) {
    llvm::errs() << error.what() << "\n";
  }
  if (!right)
    llvm::errs() << "seed " << seed << " failed\n";
  return right;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  cl::ParseCommandLineOptions(
      argc, argv, "runs random graphs in several ways and compares\n");
  auto context = makeContext();
  uint64_t failures = 0;
  try {
    for (uint64_t i = 0; i < options.count; ++i)
      failures += checkSeed(*context, options.first + i, options) ? 0 : 1;
  } catch (const UsageError &error) {
    llvm::errs() << "test-random-graphs: " << error.what() << "\n";
    return error.exitStatus();
  }
  llvm::errs() << options.count - failures << " of " << options.count
               << " seeds pass\n";
  return failures ? 1 : 0;
}
