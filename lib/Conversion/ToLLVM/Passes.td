// The last pass before machine code.
#ifndef BLOCKS_CONVERSION_TOLLVM_PASSES
#define BLOCKS_CONVERSION_TOLLVM_PASSES

include "mlir/Pass/PassBase.td"

def ToLLVM : Pass<"blocks-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Convert kernels and entries to the llvm dialect";
  let description = [{
    An entry `@train` becomes `@blocks_entry_train(context, args)` with the type
    `BlocksEntry` of StepABI.h: pointers and dynamic sizes are loaded from the
    memref descriptors that `args` points to. Everything else goes through
    MLIR's own conversions.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif
