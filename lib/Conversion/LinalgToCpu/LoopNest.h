// A structured operation as loops over pointers; see LoopNest.cpp.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOCPU_LOOPNEST_H
#define BLOCKS_LIB_CONVERSION_LINALGTOCPU_LOOPNEST_H

#include "lib/Conversion/LinalgToCpu/KernelArguments.h"

namespace blocks {

/// A range of rows of the operations in a dispatch.
struct RowRange {
  mlir::Value low, high;
};

/// Emits the loops of an operation into a kernel, for the rows in the range, or
/// for all if there is none.
void emitLoopNest(mlir::linalg::LinalgOp op, Kernel &kernel,
                  std::optional<RowRange> rows);

/// The loop that runs innermost: the one along which most operands are
/// contiguous.
unsigned getInnermostLoop(mlir::linalg::LinalgOp op, Extents &extents);

/// Emits the product of a block of rows as a call of the runtime's gemm.
void emitProductCall(mlir::linalg::LinalgOp op, Kernel &kernel,
                     std::optional<RowRange> rows);

} // namespace blocks
#endif
