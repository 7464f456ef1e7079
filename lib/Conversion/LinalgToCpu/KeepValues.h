// See KeepValues.cpp.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOCPU_KEEPVALUES_H
#define BLOCKS_LIB_CONVERSION_LINALGTOCPU_KEEPVALUES_H

#include <mlir/Dialect/Func/IR/FuncOps.h>

namespace blocks {

/// Copies what would be overwritten while it is still needed.
void keepNeededValues(mlir::func::FuncOp function);

} // namespace blocks
#endif
