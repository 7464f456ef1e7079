// Rewrites before grouping; see Prepare.cpp.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOCPU_PREPARE_H
#define BLOCKS_LIB_CONVERSION_LINALGTOCPU_PREPARE_H

#include <mlir/Dialect/Func/IR/FuncOps.h>

namespace blocks {

/// Rewrites the operations of an entry so that dispatches become larger and
/// buffers fewer.
void prepareForDispatch(mlir::func::FuncOp function);

} // namespace blocks
#endif
