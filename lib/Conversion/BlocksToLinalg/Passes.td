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
  let options = [Option<
      "storesRounded", "store-bf16", "bool", /*default=*/"false",
      "Store the rounded operands of products in 16 bits, for a GPU">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def Bf16 : Pass<"blocks-bf16", "::mlir::ModuleOp"> {
  let summary = "round the operands of f32 products and convolutions to bf16";
  let description = [{
    Marks the products, stacks of products, convolutions and their gradients of
    f32 in all functions; blocks-to-linalg then rounds their operands to bf16
    (8 bits of mantissa) and adds in f32. Parameters, their updates, softmax,
    costs and everything else stay f32. Stands behind all that makes products:
    differentiation and step rules.
  }];
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
