// The GPU's counterpart of blocks-form-dispatches.
#ifndef BLOCKS_CONVERSION_LINALGTOGPU_PASSES
#define BLOCKS_CONVERSION_LINALGTOGPU_PASSES

include "mlir/Pass/PassBase.td"

def FormLaunches : Pass<"blocks-form-launches", "::mlir::ModuleOp"> {
  let summary = "Turn dispatches into kernels for a GPU, and entries into launches";
  let description = [{
    The module gets a module `@device` with one kernel for each launch of
    another form; entries stay behind as host code that computes sizes and
    addresses, loops over time and calls `blocks_rt_launch` and
    `blocks_rt_device_gemm_*`. The host never reads the GPU's memory: scalars
    are loaded by the kernels that need them.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::NVVM::NVVMDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

#endif
