//===- Expanded.cpp - A model's copy with its bricks expanded -------------===//
//
// People ask for the tree of the model that they wrote, not of a stage of it.
//
//===----------------------------------------------------------------------===//
#include "lib/Inspect/Expanded.h"

#include "dialects/Blocks/Blocks.h"
#include "lib/Bricks/Passes.h"

#include <mlir/Pass/PassManager.h>

using namespace mlir;

namespace blocks {

OwningOpRef<ModuleOp> expandedCopy(ModuleOp module, bool inlined) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager passes(module.getContext());
  passes.addPass(createExpandBricks());
  if (inlined)
    passes.addPass(createInlineApplications());
  if (failed(passes.run(*copy)))
    return {};
  return copy;
}

} // namespace blocks
