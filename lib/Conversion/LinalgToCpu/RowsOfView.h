// Which rows of a buffer are the rows of a view: columns of a matrix, the
// matrix with its columns split, and one step of a stack have rows in common
// with what they are views of. Dispatches cut by rows rely on it.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOCPU_ROWSOFVIEW_H
#define BLOCKS_LIB_CONVERSION_LINALGTOCPU_ROWSOFVIEW_H

#include <mlir/IR/Value.h>

namespace blocks {

/// True if row i of both, along dimension 0, is known to be part of one row of
/// one buffer, for every i.
bool haveSameRows(mlir::Value a, mlir::Value b);

} // namespace blocks
#endif
