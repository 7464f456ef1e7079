//===- Layout.h - Slices and the order of axes ----------------------------===//
#ifndef LIB_CONVERSION_BLOCKSTOLINALG_LAYOUT_H
#define LIB_CONVERSION_BLOCKSTOLINALG_LAYOUT_H

#include "dialects/Blocks/Blocks.h"
#include "lib/Conversion/BlocksToLinalg/Lowering.h"

namespace blocks {

/// In Concat.cpp.
mlir::LogicalResult lowerConcat(mlir::tensor::ConcatOp op, Lowering &lowering);
mlir::LogicalResult lowerTranspose(TransposeOp op, Lowering &lowering);
/// True if the slice is the last step of a scan's stacked state, all of it:
/// its position is the last one, or the first where the scan is reversed.
bool isLastStep(mlir::tensor::ExtractSliceOp op, Lowering &lowering);
mlir::LogicalResult lowerExtractSlice(mlir::tensor::ExtractSliceOp op,
                                      Lowering &lowering);
mlir::LogicalResult lowerInsertSlice(mlir::tensor::InsertSliceOp op,
                                     Lowering &lowering);

} // namespace blocks

#endif
