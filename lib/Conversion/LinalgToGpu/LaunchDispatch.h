// The operations of one dispatch as launches; see LaunchDispatch.cpp.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOGPU_LAUNCHDISPATCH_H
#define BLOCKS_LIB_CONVERSION_LINALGTOGPU_LAUNCHDISPATCH_H

#include "dialects/Blocks/Blocks.h"
#include "lib/Conversion/LinalgToGpu/DeviceEntry.h"

#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

namespace blocks {

/// Replaces operations that stand together in a dispatch by launches and calls
/// of products.
mlir::LogicalResult launchDispatch(llvm::ArrayRef<mlir::Operation *> ops,
                                   DeviceEntry &entry);

/// Calls the runtime's product on the GPU: a product, or a stack of them.
/// `epilogue`: what is done to it before it is written, or null.
void callProduct(mlir::linalg::LinalgOp op, mlir::linalg::GenericOp epilogue,
                 DeviceEntry &entry);

/// Launches the kernel of a routine over images.
mlir::LogicalResult launchImageCall(ImageCallOp call, DeviceEntry &entry);

/// A CUDA function of the user's, and how its call becomes one on buffers.
void launchUserKernel(KernelLaunchOp launch, DeviceEntry &entry);

/// True for a loop that adds rows to places which stand in memory.
bool isScatterLoop(mlir::scf::ForOp loop, DeviceEntry &entry);
/// Launches its kernel, and erases it.
mlir::LogicalResult launchScatter(mlir::scf::ForOp loop, DeviceEntry &entry);

/// Launches the kernel of a branch that reports, and erases it.
mlir::LogicalResult launchReport(mlir::scf::IfOp branch, DeviceEntry &entry);

} // namespace blocks
#endif
