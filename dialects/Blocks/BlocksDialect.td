//===- BlocksDialect.td - The dialect of bricks and annotated graphs ------===//
//
// The dialect holds three layers (docs/architecture.md): bricks (BrickOps.td),
// the annotated graph (GraphOps.td, Attributes.td) and the tensor operations
// (TensorOps.td, ScanOp.td). This file is the root that all of them include.
//
//===----------------------------------------------------------------------===//
#ifndef DIALECTS_BLOCKS_BLOCKSDIALECT_TD
#define DIALECTS_BLOCKS_BLOCKSDIALECT_TD

include "mlir/IR/OpBase.td"

def Blocks_Dialect : Dialect {
  let name = "blocks";
  let cppNamespace = "::blocks";
  let summary = "Bricks, roles on graph values, and tensor operations";
  let description = [{
    A model is a module of *bricks* (parametrized operations, composed
    hierarchically) and *graphs* (entries over named sources). Passes expand the
    bricks, inline their applications into the graphs as tensor operations whose
    values carry *annotations*, transform them, differentiate them, and lower
    them to machine code.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"
  ];
  let useDefaultAttributePrinterParser = 1;
}

class Blocks_Op<string mnemonic, list<Trait> traits = []>
    : Op<Blocks_Dialect, mnemonic, traits>;

#endif
