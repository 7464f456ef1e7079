//===- RandomSites.h - Sites of bricks that draw numbers ------------------===//
//
// A brick that draws numbers does not know where it will be applied. It leaves
// a name; inlining completes it with the path of calls, and then each place
// gets a site that no other operation of the module has, and the positions of
// the loops around it.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_BRICKS_RANDOMSITES_H
#define LIB_BRICKS_RANDOMSITES_H

#include "dialects/Blocks/Blocks.h"

#include <mlir/IR/BuiltinOps.h>

namespace blocks {

/// Deviates of the shape of `like` for a brick's body; `name` tells apart the
/// draws of one body.
mlir::Value drawLike(mlir::OpBuilder &ops, mlir::Location loc, RandomKind kind,
                     mlir::Value like, llvm::StringRef name);

/// Puts the path of calls before the names below `op` that have none.
void completeDraws(mlir::Operation *op, llvm::StringRef path);

/// Gives all draws of the module that bricks made their sites.
void assignSites(mlir::ModuleOp module);

} // namespace blocks

#endif
