//===- ExpandBricks.cpp - The pass blocks-expand-bricks -------------------===//
//
// The first stage: see BrickExpander.h, which does the work.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/BrickExpander.h"
#include "lib/Bricks/BrickLibrary.h"
#include "lib/Bricks/Passes.h"

namespace blocks {

#define GEN_PASS_DEF_EXPANDBRICKS
#include "lib/Bricks/Passes.h.inc"

namespace {

class ExpandBricksPass : public impl::ExpandBricksBase<ExpandBricksPass> {
  void runOnOperation() override {
    InitUsage usage(/*warns=*/true);
    BrickExpander expander(getOperation(), BrickLibrary::get(&getContext()),
                           usage);
    if (failed(expander.declareAll()) || failed(expander.expandCalls()))
      signalPassFailure();
  }
};

} // namespace
} // namespace blocks
