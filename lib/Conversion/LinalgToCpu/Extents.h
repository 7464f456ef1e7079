// The extents of memrefs as constants or values at the start of an entry, so
// that equal extents are equal values. Relies on the promise that every dynamic
// extent is that of an axis of a source or a size of an allocation.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOCPU_EXTENTS_H
#define BLOCKS_LIB_CONVERSION_LINALGTOCPU_EXTENTS_H

#include <map>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>

namespace blocks {

class Extents {
public:
  explicit Extents(mlir::func::FuncOp function);

  /// The size of one dimension of a memref.
  mlir::OpFoldResult get(mlir::Value memref, unsigned dim);
  /// The distance, in elements, between neighbours in one dimension.
  mlir::OpFoldResult getStride(mlir::Value memref, unsigned dim);
  /// The trip count of a loop of a structured operation.
  mlir::OpFoldResult getLoop(mlir::linalg::LinalgOp op, unsigned loop);
  /// The product of two, folded, and the same value for the same factors.
  mlir::OpFoldResult multiply(mlir::OpFoldResult a, mlir::OpFoldResult b);

private:
  mlir::OpFoldResult getOfArgument(mlir::BlockArgument argument, unsigned dim);
  mlir::func::FuncOp function;
  std::map<std::pair<unsigned, unsigned>, mlir::Value> arguments;
  std::map<std::string, mlir::Value> axes;
  std::map<std::pair<void *, void *>, mlir::Value> products;
};

/// A builder that creates after a value's definition.
mlir::OpBuilder buildAfter(mlir::Value value);

} // namespace blocks
#endif
