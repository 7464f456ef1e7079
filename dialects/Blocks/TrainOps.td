//===- TrainOps.td - The training form of a graph -------------------------===//
//
// Between `blocks-differentiate` and `blocks-step-rules` a training graph holds
// one blocks.step for each parameter.
//
//===----------------------------------------------------------------------===//
#ifndef DIALECTS_BLOCKS_TRAINOPS_TD
#define DIALECTS_BLOCKS_TRAINOPS_TD

include "dialects/Blocks/TensorOps.td"
include "mlir/IR/SymbolInterfaces.td"

def Blocks_StepOp : Blocks_Op<"step", [HasParent<"GraphOp">, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a parameter and the gradient that its step rule starts from";
  let description = [{
    Says that the parameter is trained, and by which gradient of the cost. It
    changes nothing by itself: `blocks-step-rules` turns all steps of a graph
    together into assignments, parameter minus step.
    C1: the gradient has the parameter's type. C2: one step for each parameter.

    ```mlir
    blocks.step @mlp::@linear_0::@W, %g : tensor<784x500xf32>
    ```
  }];
  let arguments = (ins SymbolRefAttr:$parameter, FloatTensor:$gradient);
  let assemblyFormat = "$parameter `,` $gradient attr-dict `:` type($gradient)";
  let hasVerifier = 1;
}

#endif
