//===- SelectEntries.cpp - Keep only the graphs asked for -----------------===//
#include "dialects/Blocks/Blocks.h"
#include "lib/Pipelines/Passes.h"
#include "lib/Roles/AnnotationEffects.h"

#include <llvm/ADT/StringSet.h>

using namespace mlir;

namespace blocks {
#define GEN_PASS_DEF_SELECTENTRIES
#include "lib/Pipelines/Passes.h.inc"

namespace {
struct SelectEntries : impl::SelectEntriesBase<SelectEntries>,
                       AnnotationEffects {
  using SelectEntriesBase::SelectEntriesBase;

  // A graph goes with its names.
  bool retires(AnnotationAttr) const override { return true; }

  void runOnOperation() override {
    llvm::StringSet<> wanted, known;
    wanted.insert(entries.begin(), entries.end());
    for (GraphOp graph :
         llvm::make_early_inc_range(getOperation().getOps<GraphOp>())) {
      known.insert(graph.getSymName());
      if (!wanted.contains(graph.getSymName()))
        graph.erase();
    }
    for (const std::string &name : entries)
      if (!known.contains(name))
        return reportUnknown(name, known);
  }

  void reportUnknown(StringRef name, const llvm::StringSet<> &known) {
    SmallVector<StringRef> names(known.keys());
    llvm::sort(names);
    InFlightDiagnostic error = getOperation().emitError()
                               << "the model has no graph '" << name
                               << "'; it has ";
    llvm::interleaveComma(names, error);
    signalPassFailure();
  }
};
} // namespace
} // namespace blocks
