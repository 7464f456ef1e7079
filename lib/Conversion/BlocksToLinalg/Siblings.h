//===- Siblings.h - Operations that need the same values ------------------===//
#ifndef LIB_CONVERSION_BLOCKSTOLINALG_SIBLINGS_H
#define LIB_CONVERSION_BLOCKSTOLINALG_SIBLINGS_H

#include <mlir/Dialect/Linalg/IR/Linalg.h>

namespace blocks {

/// Makes one operation of all that use the results of `producer`, if they are
/// several, visit its elements in its order, and one of them reduces; null
/// otherwise. It stands where the first of them stood.
mlir::linalg::GenericOp mergeUsers(mlir::RewriterBase &rewriter,
                                   mlir::linalg::GenericOp producer);

} // namespace blocks

#endif
