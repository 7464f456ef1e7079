//===- Sizes.h - Extents of a value, from where they come -----------------===//
//
// A gradient that has a forward value's shape needs its extents, not the value.
// Asked of the value itself, they would keep it alive, in a scan even saved for
// every step; so they are asked of what the value was made of.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_AUTODIFF_SIZES_H
#define LIB_AUTODIFF_SIZES_H

#include "dialects/Blocks/Blocks.h"

namespace blocks {

/// The extents of `value`, static ones as attributes.
llvm::SmallVector<mlir::OpFoldResult>
sizesOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);

} // namespace blocks

#endif
