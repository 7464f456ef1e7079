// Calls of the runtime's routines over images, on their way to a kernel; see
// ImageCall.cpp.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOCPU_IMAGECALL_H
#define BLOCKS_LIB_CONVERSION_LINALGTOCPU_IMAGECALL_H

#include "dialects/Blocks/Blocks.h"
#include "lib/Conversion/LinalgToCpu/Dispatch.h"
#include "lib/Conversion/LinalgToCpu/LoopNest.h"

namespace blocks {

void registerImageCallBufferization(mlir::DialectRegistry &registry);

/// True if row r of the output needs only row r of this input.
bool readsByRow(ImageCallOp call, unsigned input);

/// Declares the runtime's functions that the module's calls need, before the
/// kernels that call them are part of it.
void declareImageFunctions(KernelTable &table, mlir::ModuleOp module);

/// Emits the call for a block of rows.
void emitImageCall(ImageCallOp call, Kernel &kernel, Range rows);

} // namespace blocks
#endif
