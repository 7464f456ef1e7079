//===- DeriveEntries.cpp - The cost's graph → @train and @eval ------------===//
//
// There is no train/eval switch anywhere: the two entries are two graphs, and
// what regularizes acts on the first alone.
//
//===----------------------------------------------------------------------===//
#include "dialects/Blocks/Blocks.h"
#include "lib/Frontend/Passes.h"
#include "lib/Roles/AnnotationEffects.h"
#include "lib/Support/NearMisses.h"

using namespace mlir;

namespace blocks {

#define GEN_PASS_DEF_DERIVEENTRIES
#include "lib/Frontend/Passes.h.inc"

namespace {

class DeriveEntriesPass : public impl::DeriveEntriesBase<DeriveEntriesPass>,
                          public AnnotationEffects {
public:
  using DeriveEntriesBase::DeriveEntriesBase;

private:
  // The entry is part of what is compared, and the entries change.
  bool adds(AnnotationAttr) const override { return true; }
  bool retires(AnnotationAttr) const override { return true; }

  void runOnOperation() override {
    OutputOp output = findCost();
    if (!output)
      return signalPassFailure();
    auto graph = cast<GraphOp>(output->getParentOp());
    for (StringRef name : {"train", "eval"})
      if (failed(checkFree(name, graph)))
        return signalPassFailure();
    OpBuilder builder(graph);
    for (StringRef name : {"train", "eval"})
      cloneAs(builder, graph, name);
    graph.erase();
  }

  /// The output to train on, or null after an error.
  OutputOp findCost() {
    OutputOp named, found;
    std::vector<std::string> costs;
    LogicalResult unique = success();
    getOperation().walk([&](OutputOp output) {
      bool isCost = output.getRoles().has(Role::Cost);
      if (isCost)
        costs.push_back(output.getName().str());
      if (output.getName() != cost)
        return;
      named = output;
      if (isCost && found)
        unique = reportTwice(found, output);
      found = isCost ? output : found;
    });
    if (failed(unique))
      return {};
    if (!found)
      reportMissing(named, costs);
    return found;
  }

  LogicalResult reportTwice(OutputOp first, OutputOp second) {
    InFlightDiagnostic error = emitError(second.getLoc())
                               << "two graphs have a cost named \"" << cost
                               << "\"; rename one, so that --cost names one";
    error.attachNote(first.getLoc()) << "the other is here";
    return error;
  }

  void reportMissing(OutputOp named, ArrayRef<std::string> costs) {
    if (named) {
      emitError(named.getLoc())
          << "output \"" << cost
          << "\" has no role cost, so it cannot be trained on; "
             "write: roles [cost]"
          << (costs.empty() ? "" : suggest(cost, costs));
      return;
    }
    emitError(getOperation().getLoc())
        << "there is no cost named \"" << cost << "\"" << suggest(cost, costs);
  }

  LogicalResult checkFree(StringRef name, GraphOp graph) {
    Operation *taken = SymbolTable::lookupSymbolIn(getOperation(), name);
    if (!taken || taken == graph)
      return success();
    return emitError(taken->getLoc())
           << "@" << name << " is the name of the derived entry; rename this";
  }

  void cloneAs(OpBuilder &builder, GraphOp graph, StringRef name) {
    auto copy = cast<GraphOp>(builder.clone(*graph));
    copy.setSymName(name);
    copy.setVariant(name);
    copy->setAttr("blocks.cost", builder.getStringAttr(cost));
    if (name == "eval")
      dropAssignments(copy);
  }

  /// Evaluation changes nothing: what the model carries from batch to batch is
  /// training's.
  static void dropAssignments(GraphOp graph) {
    for (AssignOp assign :
         llvm::make_early_inc_range(graph.getBody().front().getOps<AssignOp>()))
      assign.erase();
  }
};

} // namespace
} // namespace blocks
