//===- SliceWindow.h - Where a slice stands in a tensor -------------------===//
#ifndef LIB_CONVERSION_BLOCKSTOLINALG_SLICEWINDOW_H
#define LIB_CONVERSION_BLOCKSTOLINALG_SLICEWINDOW_H

#include "lib/Conversion/BlocksToLinalg/Lowering.h"

#include <mlir/Interfaces/ViewLikeInterface.h>

namespace blocks {

/// Offsets and sizes of a slice, of unit stride.
struct SliceWindow {
  llvm::SmallVector<mlir::OpFoldResult> offsets; ///< Lowered values or numbers.
  SymbolicShape sizes;
  llvm::SmallBitVector dropped;   ///< Axes that the smaller tensor lacks.
  llvm::SmallBitVector uncertain; ///< Axes whose position may be outside.

  unsigned rank() const { return sizes.size(); }
  /// True where a range of elements may be outside.
  bool moves() const {
    return llvm::any_of(uncertain.set_bits(),
                        [&](unsigned axis) { return !isPosition(axis); });
  }
  bool isPosition(unsigned axis) const {
    return sizes[axis] == Extent(1) && dropped.test(axis);
  }
  /// The smaller tensor's shape.
  SymbolicShape reduced() const {
    SymbolicShape shape;
    for (unsigned axis = 0; axis < rank(); ++axis)
      if (!dropped.test(axis))
        shape.push_back(sizes[axis]);
    return shape;
  }
};

/// The window of a slice operation with unit stride in `whole`; reports what
/// has no lowering. `dropped` are the axes that the operation's smaller type
/// lacks.
mlir::FailureOr<SliceWindow>
sliceWindow(mlir::OffsetSizeAndStrideOpInterface op,
            const llvm::SmallBitVector &dropped, mlir::Value whole,
            Lowering &lowering);

} // namespace blocks

#endif
