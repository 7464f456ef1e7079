// One structured operation as loops over the threads of a GPU; see
// MemberNest.cpp.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOGPU_MEMBERNEST_H
#define BLOCKS_LIB_CONVERSION_LINALGTOGPU_MEMBERNEST_H

#include "lib/Conversion/LinalgToCpu/Element.h"
#include "lib/Conversion/LinalgToGpu/ThreadGroup.h"

namespace blocks {

/// Emits an operation's work on a group's row, or all of it if the group has
/// none.
void emitMember(mlir::linalg::LinalgOp op, DeviceKernel &kernel,
                ThreadGroup &group);

/// Emits an operation whose loops are all parallel for the element with this
/// number, in the order of its loops.
void emitElement(mlir::linalg::LinalgOp op, DeviceKernel &kernel,
                 mlir::Value number);

/// The number of iterations of these loops, for the host.
mlir::OpFoldResult getIterations(mlir::linalg::LinalgOp op, Extents &extents,
                                 llvm::ArrayRef<unsigned> loops);

} // namespace blocks
#endif
