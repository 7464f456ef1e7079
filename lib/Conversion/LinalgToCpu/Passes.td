// The CPU half of the lowering, after to-linalg: bufferize, group, plan the
// memory, outline kernels, approximate math functions.
#ifndef BLOCKS_CONVERSION_LINALGTOCPU_PASSES
#define BLOCKS_CONVERSION_LINALGTOCPU_PASSES

include "mlir/Pass/PassBase.td"

def Bufferize : Pass<"blocks-bufferize", "::mlir::ModuleOp"> {
  let summary = "Turn tensors into memrefs, in place";
  let description = [{
    Eliminates empty tensors, bufferizes with the one-shot analysis, and removes
    identity copies. A copy of a state argument, and an allocation whose size
    is not known at the start of its entry, are internal errors: the stages
    before promise that neither is needed.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::linalg::LinalgDialect"];
}

def GroupDispatches : Pass<"blocks-group-dispatches", "::mlir::ModuleOp"> {
  let summary = "Gather operations that can share one loop over blocks of rows";
  let description = [{
    Orders the operations of each block into dispatches and marks each with the
    number of its dispatch (`blocks.dispatch`). Runs before the memory plan,
    because the buffers of one dispatch are live together.
    Also prepares: a fill with zero before a product becomes the product's
    `blocks.overwrite`; a large full reduction becomes one partial per row; a
    weight's plain update goes into the product of its gradient; the
    result of an elementwise operation takes the place of an operand that dies.
  }];
  let options = [Option<
      "packs", "pack-weights", "bool", /*default=*/"true",
      "Copy the weights of a loop's products into the order of the processor's "
      "product kernel before the loop">,
      Option<
      "updatesLast", "updates-last", "bool", /*default=*/"false",
      "Run what has static shapes alone, as updates of parameters, behind "
      "everything else, so that it stands together">,
      Option<
      "foldsSums", "fold-sums", "bool", /*default=*/"false",
      "Let a product add to a term that is not needed after">];
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::mlir::linalg::LinalgDialect"];
}

def PlanMemory : Pass<"blocks-plan-memory", "::mlir::ModuleOp"> {
  let summary = "Turn allocations into views of one arena";
  let description = [{
    Each entry asks once for an arena (`blocks_rt_arena`). Buffers whose sizes
    have the same dynamic part and whose lifetimes are disjoint share a slot.
    Lifetimes are counted in dispatches; a buffer that lives across a loop's
    iterations lives for the whole loop.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def FormDispatches : Pass<"blocks-form-dispatches", "::mlir::ModuleOp"> {
  let summary = "Outline dispatches into kernels called through the runtime";
  let description = [{
    Each dispatch becomes a kernel over a range of blocks of rows, called
    through `blocks_rt_parallel_for`; products call `blocks_rt_gemm_*` on their
    block of rows. Operations without rows become serial kernels. Equal kernels
    are merged.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def ApproximateMath : Pass<"blocks-approximate-math", "::mlir::ModuleOp"> {
  let summary = "Replace math functions by polynomials or runtime calls";
  let description = [{
    f32 functions become polynomial approximations, which LLVM vectorizes; f64
    functions become calls of `blocks_rt_<function>_f64`, and in the module of
    a GPU's kernels of functions of that module. Nothing calls libm directly.
  }];
  let dependentDialects = ["::mlir::math::MathDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::func::FuncDialect"];
}

#endif
