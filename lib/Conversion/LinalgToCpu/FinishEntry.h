// What both targets do with an entry around its dispatches.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOCPU_FINISHENTRY_H
#define BLOCKS_LIB_CONVERSION_LINALGTOCPU_FINISHENTRY_H

#include "lib/Conversion/LinalgToCpu/Extents.h"

namespace blocks {

/// The dispatches of an entry, in order: neighbours with the same number.
llvm::SmallVector<llvm::SmallVector<mlir::Operation *>>
collectDispatches(mlir::func::FuncOp function);

/// Removes what is left of memrefs when all work on them is in kernels; fails
/// with a diagnostic where something is left.
mlir::LogicalResult finishEntry(mlir::func::FuncOp function, Extents &extents);

} // namespace blocks
#endif
