// Rewrites before grouping; see Prepare.cpp.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOCPU_PREPARE_H
#define BLOCKS_LIB_CONVERSION_LINALGTOCPU_PREPARE_H

#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

namespace blocks {

class Extents;

/// Rewrites the operations of an entry so that dispatches become larger and
/// buffers fewer.
void prepareForDispatch(mlir::func::FuncOp function, bool packs,
                        bool foldsSums);

/// B := A·W, B := B + X as a product that adds to X; see FoldSums.cpp.
void foldSum(mlir::linalg::GenericOp op);

/// W := W - s·(A·B) as a product that adds to W; see FoldUpdates.cpp.
void foldUpdate(mlir::linalg::GenericOp op, Extents &extents);

/// Packs before the loop what its products multiply by in every step; see
/// PackWeights.cpp.
void packWeights(mlir::scf::ForOp loop);

} // namespace blocks
#endif
