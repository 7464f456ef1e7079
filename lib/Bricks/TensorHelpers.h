//===- TensorHelpers.h - Common pieces of bricks' bodies ------------------===//
//
// Small compositions of tensor operations that several bricks use.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_BRICKS_TENSORHELPERS_H
#define LIB_BRICKS_TENSORHELPERS_H

#include "dialects/Blocks/Blocks.h"

namespace blocks {

/// The number `value` as a tensor of the type of `like`.
mlir::Value splatLike(mlir::OpBuilder &ops, mlir::Location loc, double value,
                      mlir::Value like);

/// The mean over all axes, a scalar.
mlir::Value meanOfAll(mlir::OpBuilder &ops, mlir::Location loc,
                      mlir::Value value);

/// Merges the axes [first, last] into one.
mlir::Value mergeAxes(mlir::OpBuilder &ops, mlir::Location loc,
                      mlir::Value value, int64_t first, int64_t last);

/// Splits axis 0 of `value` (rows, features) into the leading axes of `like`:
/// the inverse of merging all but the last axis of `like`.
mlir::Value splitRowsLike(mlir::OpBuilder &ops, mlir::Location loc,
                          mlir::Value value, mlir::Value like);

/// Splits the last axis into two, the second of extent `inner`.
mlir::Value splitLastAxis(mlir::OpBuilder &ops, mlir::Location loc,
                          mlir::Value value, int64_t inner);

/// `value` with a new axis of extent 1 before its axis `axis`.
mlir::Value insertUnitAxis(mlir::OpBuilder &ops, mlir::Location loc,
                           mlir::Value value, int64_t axis);

/// The mean over the axes `axes`, which disappear.
mlir::Value meanOver(mlir::OpBuilder &ops, mlir::Location loc,
                     mlir::Value value, llvm::ArrayRef<int64_t> axes);

} // namespace blocks

#endif
