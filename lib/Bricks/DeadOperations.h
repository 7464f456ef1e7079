//===- DeadOperations.h - What a rewrite leaves behind --------------------===//
#ifndef LIB_BRICKS_DEADOPERATIONS_H
#define LIB_BRICKS_DEADOPERATIONS_H

#include <mlir/IR/Operation.h>

namespace blocks {

/// Erases `op`, if nothing uses it, and what only it used.
void eraseDead(mlir::Operation *op);

} // namespace blocks

#endif
