//===- GatherOps.td - Rows of a table by number ---------------------------===//
//
// What lookup tables consist of. An index out of range is reported as a label
// out of range is: the step fails and names the brick, the row and the value.
//
//===----------------------------------------------------------------------===//
#ifndef DIALECTS_BLOCKS_GATHEROPS_TD
#define DIALECTS_BLOCKS_GATHEROPS_TD

include "dialects/Blocks/TensorOps.td"

def Blocks_GatherOp : Blocks_TensorOp<"gather"> {
  let summary = "rows of a table: result[i…, j…] = table[indices[i…], j…]";
  let description = [{
    Takes the slices of `table` along axis 0 that `indices` name, integers of any
    width and sign, of any rank. An index out of range makes the step fail (status
    record: which row of the indices, which value) and gives zeros. `brick` is the
    brick's path, for the message. The gradient of the table is a `scatter_add`.
    C1: the table has rank at least 1. C2: the result has the indices' shape
    followed by the table's without axis 0, and the table's element type.

    ```mlir
    %y = blocks.gather %W, %words : tensor<1000x64xf32>, tensor<?x?xi32> to tensor<?x?x64xf32>
    ```
  }];
  let arguments = (ins NumberTensor:$table, IntTensor:$indices, DefaultValuedStrAttr<StrAttr, "">:$brick);
  let results = (outs NumberTensor:$result);
  let assemblyFormat = "$table `,` $indices attr-dict `:` type($table) `,` type($indices) `to` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$table, "::mlir::Value":$indices, CArg<"::llvm::StringRef", "{}">:$brick)>];
}

def Blocks_ScatterAddOp : Blocks_TensorOp<"scatter_add", [AllTypesMatch<["like", "result"]>]> {
  let summary = "the gradient of gather: result[indices[i…], j…] += rows[i…, j…]";
  let description = [{
    Zeros in the shape of `like`, whose values do not matter, plus every slice of
    `rows` at its index. Slices of one index are added in their order, so the
    result does not depend on the number of threads. An index out of range adds
    nothing. The gradient of `rows` is a `gather`.
    C1: `like` has rank at least 1. C2: `rows` has the indices' shape followed by
    that of `like` without axis 0, and the element type of `like`.

    ```mlir
    %dW = blocks.scatter_add %dy, %words like %W : tensor<?x?x64xf32>, tensor<?x?xi32>, tensor<1000x64xf32>
    ```
  }];
  let arguments = (ins FloatTensor:$rows, IntTensor:$indices, FloatTensor:$like);
  let results = (outs FloatTensor:$result);
  let assemblyFormat = "$rows `,` $indices `like` $like attr-dict `:` type($rows) `,` type($indices) `,` type($like)";
}

#endif
