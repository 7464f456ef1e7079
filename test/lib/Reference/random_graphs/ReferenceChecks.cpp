//===- ReferenceChecks.cpp - Checks that need the reference alone ---------===//
#include "test/lib/Reference/random_graphs/Checks.h"
#include "test/tools/GradientCheck.h"
#include "test/tools/Model.h"

#include <llvm/Support/raw_ostream.h>
#include <mlir/Parser/Parser.h>

using namespace mlir;

namespace blocks::testing {

static FailureOr<reference::RunResults> runReference(ModuleOp module,
                                                     FunctionOpInterface entry,
                                                     const RandomModel &model) {
  auto state = reference::initialState(module, model.seed);
  if (!state)
    return module.emitError(llvm::toString(state.takeError()));
  return reference::run(
      entry,
      {randomSources(entry, model.extents, model.seed, model.ranges), *state});
}

bool checkRounding(MLIRContext &context, const RandomModel &model) {
  auto single = parseSourceString<ModuleOp>(model.text, &context);
  auto wide = parseSourceString<ModuleOp>(model.text, &context);
  if (!single || !wide || failed(runPasses(*wide, "blocks-convert-to-f64")))
    return false;
  bool same = true;
  for (FunctionOpInterface entry : entriesOf(*single)) {
    auto found = runReference(*single, entry, model);
    auto expected =
        runReference(*wide, *findEntry(*wide, entry.getName().str()), model);
    same &= succeeded(found) && succeeded(expected) &&
            sameOutputs(entry.getName().str(), found->outputs,
                        expected->outputs, 1e-4);
  }
  return same;
}

bool checkRandomGradients(MLIRContext &context, const RandomModel &model) {
  auto module = parseSourceString<ModuleOp>(model.text, &context);
  if (!module || failed(runPasses(*module, "blocks-convert-to-f64,"
                                           "blocks-derive-entries{cost=cost},"
                                           "blocks-differentiate{cost=cost}")))
    return false;
  auto graph = findEntry(*module, "train");
  if (failed(graph))
    return false;
  GradientCheck check;
  check.extents = model.extents;
  check.ranges = model.ranges;
  return succeeded(checkGradients(*module, *graph, check, model.seed));
}

} // namespace blocks::testing
