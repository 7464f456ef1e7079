//===- Prune.cpp - Drops outputs that nobody asked for --------------------===//
#include "lib/Autodiff/Passes.h"
#include "lib/Autodiff/ScanPruning.h"
#include "lib/Roles/AnnotationEffects.h"
#include "lib/Support/NearMisses.h"

#include <llvm/ADT/StringSet.h>

namespace blocks {
#define GEN_PASS_DEF_PRUNE
#include "lib/Autodiff/Passes.h.inc"
} // namespace blocks

using namespace mlir;

namespace blocks {
namespace {

struct Prune : impl::PruneBase<Prune>, AnnotationEffects {
  using PruneBase::PruneBase;

  void runOnOperation() override {
    if (failed(checkNames()))
      return signalPassFailure();
    for (GraphOp graph : getOperation().getOps<GraphOp>())
      prune(graph);
  }
  /// Values that only a dropped output used go with their names.
  bool retires(AnnotationAttr) const override { return true; }

private:
  LogicalResult checkNames();
  bool isKept(GraphOp graph, OutputOp output);
  void prune(GraphOp graph);
};

/// Each name must be an output of some graph.
LogicalResult Prune::checkNames() {
  llvm::StringSet<> seen;
  std::vector<std::string> known;
  getOperation().walk([&](OutputOp output) {
    if (seen.insert(output.getName()).second)
      known.push_back(output.getName().str());
  });
  for (const std::string &name : outputs)
    if (!seen.contains(name))
      return getOperation().emitError() << "no graph has an output \"" << name
                                        << "\"" << suggest(name, known);
  return success();
}

bool Prune::isKept(GraphOp graph, OutputOp output) {
  if (outputs.empty() || llvm::is_contained(outputs, output.getName()))
    return true;
  return graph.getVariant() == "train" && output.getRoles().has(Role::Cost);
}

/// Drops the sources that nothing reads.
void eraseUnusedSources(GraphOp graph) {
  llvm::BitVector unused(graph.getNumArguments());
  for (BlockArgument argument : graph.getArguments())
    unused[argument.getArgNumber()] = argument.use_empty();
  if (unused.any())
    (void)graph.eraseArguments(unused);
}

void Prune::prune(GraphOp graph) {
  Block &block = graph.getBody().front();
  for (OutputOp output : llvm::make_early_inc_range(block.getOps<OutputOp>()))
    if (!isKept(graph, output))
      output.erase();
  eraseDeadOperations(block);
  eraseUnusedSources(graph);
}

} // namespace
} // namespace blocks
