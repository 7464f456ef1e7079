//===- BatchMatmulOp.td - Many matrix products at once --------------------===//
#ifndef DIALECTS_BLOCKS_BATCHMATMULOP_TD
#define DIALECTS_BLOCKS_BATCHMATMULOP_TD

include "dialects/Blocks/TensorOps.td"

def Blocks_BatchMatmulOp : Blocks_TensorOp<"batch_matmul"> {
  let summary = "the products of two stacks of matrices";
  let description = [{
    op(lhs[b…])·op(rhs[b…]) for each position of the leading axes, where op
    transposes the last two axes if the flag is set.
    C1: both operands have one rank, at least 3, and equal leading extents. C2: the
    contracted extents are equal. C3: the result has the leading extents, then the
    rows of op(lhs) and the columns of op(rhs).

    ```mlir
    %c = blocks.batch_matmul %a, %b transposed : tensor<?x8x4xf32>, tensor<?x?x4xf32> to tensor<?x8x?xf32>
    ```
  }];
  let arguments = (ins FloatTensor:$lhs, FloatTensor:$rhs, UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs);
  let results = (outs FloatTensor:$result);
  let assemblyFormat = "$lhs (`transposed` $transpose_lhs^)? `,` $rhs (`transposed` $transpose_rhs^)? attr-dict `:` type($lhs) `,` type($rhs) `to` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs, CArg<"bool", "false">:$transposeLhs, CArg<"bool", "false">:$transposeRhs)>];
}

#endif
