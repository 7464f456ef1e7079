//===- Overwrites.h - What must stand before a state's update -------------===//
#ifndef LIB_CONVERSION_BLOCKSTOLINALG_OVERWRITES_H
#define LIB_CONVERSION_BLOCKSTOLINALG_OVERWRITES_H

#include <mlir/Dialect/Func/IR/FuncOps.h>

namespace blocks {

/// The tensor that `tensor` shows, through slices and reshapes.
mlir::Value behindViews(mlir::Value tensor);

/// The operations that have to stand after `op` because they overwrite a state
/// whose old value it reads: what computes the new value, and what writes it.
llvm::SmallVector<mlir::Operation *> overwritersOf(mlir::Operation *op);

/// The operations of `block` that use results of `op`, also from inside.
llvm::SmallVector<mlir::Operation *> usersIn(mlir::Block &block,
                                             mlir::Operation *op);

/// True if `producer` and `consumer` cannot become one operation: another one
/// has to stand after the producer and before the consumer. If `isCopied`, the
/// producer's other users keep the producer, and don't count.
bool somethingStandsBetween(mlir::Operation *producer,
                            mlir::Operation *consumer, bool isCopied);

/// Moves the block's operations into the order `wanted`, but each behind what
/// it uses and behind the readers of the states that it overwrites. Operations
/// on one buffer, and calls, keep their wanted order.
void placeInOrder(mlir::Block &block, llvm::ArrayRef<mlir::Operation *> wanted);

} // namespace blocks

#endif
