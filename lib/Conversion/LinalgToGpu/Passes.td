// The GPU's counterpart of blocks-form-dispatches.
#ifndef BLOCKS_CONVERSION_LINALGTOGPU_PASSES
#define BLOCKS_CONVERSION_LINALGTOGPU_PASSES

include "mlir/Pass/PassBase.td"

def MarkEpilogues : Pass<"blocks-mark-epilogues", "::mlir::ModuleOp"> {
  let summary = "Mark what a GPU's product does to its result before it writes it";
  let description = [{
    Marks (`blocks.epilogue`) an operation that stands behind a product of f32
    or bf16 and, in place, adds one number for each column (a bias), or sets
    negative numbers to 0 (a rectifier), or both. `blocks-form-launches` makes
    one call of product and mark, which cuBLASLt does in one launch.
  }];
}

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
