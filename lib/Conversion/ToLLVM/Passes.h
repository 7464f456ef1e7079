// The pass to the llvm dialect (see Passes.td), and what a registry needs.
#ifndef BLOCKS_LIB_CONVERSION_TOLLVM_PASSES_H
#define BLOCKS_LIB_CONVERSION_TOLLVM_PASSES_H

#include <memory>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/DialectRegistry.h>
#include <mlir/Pass/Pass.h>

namespace blocks {

#define GEN_PASS_DECL
#include "lib/Conversion/ToLLVM/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "lib/Conversion/ToLLVM/Passes.h.inc"

/// Registers the interfaces that the generic conversion to LLVM looks up.
void registerToLLVMDialects(mlir::DialectRegistry &registry);

} // namespace blocks
#endif
