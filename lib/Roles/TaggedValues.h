//===- TaggedValues.h - Walking the annotations of a graph ----------------===//
//
// Tags are identities; several in a row annotate one *underlying* value. These
// helpers answer which value that is, where a value flows, and what an entry's
// results need.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_ROLES_TAGGEDVALUES_H
#define LIB_ROLES_TAGGEDVALUES_H

#include "dialects/Blocks/Blocks.h"

#include <llvm/ADT/DenseSet.h>

namespace blocks {

/// The value below all tags.
mlir::Value underlyingValue(mlir::Value value);

/// The values that `value` flows into, itself included: through operations,
/// and in and out of scans.
llvm::DenseSet<mlir::Value> reachedFrom(mlir::Value value);

/// The operations that some effect below `root` needs: outputs, assignments,
/// steps, and whatever they use.
llvm::DenseSet<mlir::Operation *> liveOperations(mlir::Operation *root);

} // namespace blocks

#endif
