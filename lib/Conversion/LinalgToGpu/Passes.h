// The pass that makes GPU kernels of dispatches (see Passes.td).
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOGPU_PASSES_H
#define BLOCKS_LIB_CONVERSION_LINALGTOGPU_PASSES_H

#include <memory>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/DialectRegistry.h>
#include <mlir/Pass/Pass.h>

namespace blocks {

#define GEN_PASS_DECL
#include "lib/Conversion/LinalgToGpu/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "lib/Conversion/LinalgToGpu/Passes.h.inc"

/// Registers how the user's kernels become buffers.
void registerLinalgToGpuDialects(mlir::DialectRegistry &registry);

} // namespace blocks
#endif
