//===- TransposeOp.td - The order of axes ---------------------------------===//
//
// Files hold one example after the other, recurrent bricks take one time step
// after the other: this operation is between them.
//
//===----------------------------------------------------------------------===//
#ifndef DIALECTS_BLOCKS_TRANSPOSEOP_TD
#define DIALECTS_BLOCKS_TRANSPOSEOP_TD

include "dialects/Blocks/Attributes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Blocks_TransposeOp : Blocks_Op<"transpose", [Pure]> {
  let summary = "puts the axes into another order";
  let description = [{
    Axis `i` of the result is axis `permutation[i]` of the input, for elements of
    any type. Its gradient is the transposition back.
    C1: `permutation` holds every axis of the input once. C2: the result has the
    input's extents in that order and the input's element type.

    ```mlir
    %0 = blocks.transpose %x permutation [1, 0, 2] : tensor<?x?x8xf32> to tensor<?x?x8xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$input `permutation` $permutation attr-dict `:` type($input) `to` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$input, "::llvm::ArrayRef<int64_t>":$permutation)>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The permutation that undoes this one.
    ::llvm::SmallVector<int64_t> getInversePermutation();
  }];
}

#endif
