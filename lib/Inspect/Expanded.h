//===- Expanded.h - A model's copy with its bricks expanded ---------------===//
#ifndef LIB_INSPECT_EXPANDED_H
#define LIB_INSPECT_EXPANDED_H

#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/OwningOpRef.h>

namespace blocks {

/// A copy of the module with library bricks expanded and, if `inlined`, their
/// applications inlined; null after diagnostics. What is printed is thus the
/// same before and after those passes, and the module stays as it is.
mlir::OwningOpRef<mlir::ModuleOp> expandedCopy(mlir::ModuleOp module,
                                               bool inlined);

} // namespace blocks

#endif
