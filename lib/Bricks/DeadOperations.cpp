//===- DeadOperations.cpp - What a rewrite leaves behind ------------------===//
#include "lib/Bricks/DeadOperations.h"

#include <llvm/ADT/SetVector.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>

using namespace mlir;

namespace blocks {

void eraseDead(Operation *op) {
  SmallVector<Operation *> queue{op};
  while (!queue.empty()) {
    Operation *dead = queue.pop_back_val();
    if (!isOpTriviallyDead(dead))
      continue;
    llvm::SmallSetVector<Operation *, 4> used;
    for (Value operand : dead->getOperands())
      if (Operation *definition = operand.getDefiningOp())
        used.insert(definition);
    dead->erase();
    queue.append(used.begin(), used.end());
  }
}

} // namespace blocks
