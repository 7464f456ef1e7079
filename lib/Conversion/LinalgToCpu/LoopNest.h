// A structured operation as loops over pointers; see LoopNest.cpp.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOCPU_LOOPNEST_H
#define BLOCKS_LIB_CONVERSION_LINALGTOCPU_LOOPNEST_H

#include "lib/Conversion/LinalgToCpu/KernelArguments.h"

namespace blocks {

/// A range of rows or columns of the operations in a dispatch.
struct Range {
  mlir::Value low, high;
};

/// The part of its operations' results that a dispatch computes at once.
struct DispatchBlock {
  std::optional<Range> rows, columns; ///< None: all of them.
};

/// Emits the loops of an operation into a kernel, for one block.
void emitLoopNest(mlir::linalg::LinalgOp op, Kernel &kernel,
                  const DispatchBlock &block);

/// The loop that runs innermost: the one along which most operands are
/// contiguous.
unsigned getInnermostLoop(mlir::linalg::LinalgOp op, Extents &extents);

/// Emits the product of a block as a call of the runtime's gemm.
void emitProductCall(mlir::linalg::LinalgOp op, Kernel &kernel,
                     const DispatchBlock &block);

/// Emits the copy of a block that packs a product's operand.
void emitPackCall(mlir::linalg::LinalgOp op, Kernel &kernel,
                  const DispatchBlock &block);

/// Emits the products of a stack, one call for each position in the range.
void emitBatchProductCalls(mlir::linalg::LinalgOp op, Kernel &kernel,
                           const DispatchBlock &block);

} // namespace blocks
#endif
