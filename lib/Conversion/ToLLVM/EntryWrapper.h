// The C interface of an entry; see EntryWrapper.cpp.
#ifndef BLOCKS_LIB_CONVERSION_TOLLVM_ENTRYWRAPPER_H
#define BLOCKS_LIB_CONVERSION_TOLLVM_ENTRYWRAPPER_H

#include <mlir/Dialect/Func/IR/FuncOps.h>

namespace blocks {

/// Gives an entry the type `BlocksEntry` and the name `blocks_entry_<name>`.
mlir::LogicalResult wrapEntry(mlir::func::FuncOp function);

} // namespace blocks
#endif
