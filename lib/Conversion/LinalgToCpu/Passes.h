// The passes that take an entry from linalg on tensors to kernels on pointers
// (see Passes.td), and what a registry needs for them.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOCPU_PASSES_H
#define BLOCKS_LIB_CONVERSION_LINALGTOCPU_PASSES_H

#include <memory>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/DialectRegistry.h>
#include <mlir/Pass/Pass.h>

namespace blocks {

#define GEN_PASS_DECL
#include "lib/Conversion/LinalgToCpu/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "lib/Conversion/LinalgToCpu/Passes.h.inc"

/// Registers the dialects of this half and the bufferization interfaces that
/// the one-shot analysis looks up at run time.
void registerLinalgToCpuDialects(mlir::DialectRegistry &registry);

} // namespace blocks
#endif
