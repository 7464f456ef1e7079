// Operations that read an array across its rows; see Transposition.cpp.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOGPU_TRANSPOSITION_H
#define BLOCKS_LIB_CONVERSION_LINALGTOGPU_TRANSPOSITION_H

#include "lib/Conversion/LinalgToGpu/DeviceEntry.h"

#include <mlir/Dialect/Linalg/IR/Linalg.h>

namespace blocks {

/// The two loops of a tile, and the inputs that are contiguous along the one
/// that the results are not.
struct Transposition {
  unsigned inner, other;
  llvm::SmallVector<mlir::OpOperand *> inputs;
};

/// Of an operation whose loops are all parallel, if tiles are worth it.
std::optional<Transposition> findTransposition(mlir::linalg::LinalgOp op,
                                               Extents &extents);

void launchTransposition(mlir::linalg::LinalgOp op,
                         const Transposition &transposition,
                         DeviceEntry &entry);

} // namespace blocks
#endif
