//===- Passes.td - From tensor operations to fused linalg -----------------===//
#ifndef LIB_CONVERSION_BLOCKSTOLINALG_PASSES_TD
#define LIB_CONVERSION_BLOCKSTOLINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

def ToLinalg : Pass<"blocks-to-linalg", "::mlir::ModuleOp"> {
  let summary = "lower entries to linalg, scf and tensor over memref arguments";
  let description = [{
    Turns every function with `blocks.entry` (docs/architecture.md, "After
    materialize-state") into one over memrefs ("After to-linalg"): state is read
    and written through its argument, dynamic extents are read once a named axis
    at the top, tags become locations, labels are checked, and updates of state
    come last.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def Fuse : Pass<"blocks-fuse", "::mlir::func::FuncOp"> {
  let summary = "fuse elementwise operations; compute updates in their state";
  let description = [{
    Fuses elementwise chains, broadcasts and reductions into fewer
    `linalg.generic`s without computing anything expensive twice, then lets each
    operation write into its final destination: the state that it updates, or an
    operand that nobody else needs.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

#endif
