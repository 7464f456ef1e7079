//===- SquareRoot.h - The square root of an extent ------------------------===//
//
// A loop of T steps is cut into segments of about √T. The root of an extent is
// written with operations of arith and math, which the reference computes as
// they stand; here is their form, for who writes it and who recognizes it.
//
//===----------------------------------------------------------------------===//
#ifndef DIALECTS_BLOCKS_SQUAREROOT_H
#define DIALECTS_BLOCKS_SQUAREROOT_H

#include <mlir/IR/Builders.h>

namespace blocks {

/// ⌊√extent⌋, but at least 1.
mlir::Value createSquareRoot(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value extent);
/// The extent that `value` is the root of, in that form; null if it is none.
mlir::Value squareRootOf(mlir::Value value);

} // namespace blocks

#endif
