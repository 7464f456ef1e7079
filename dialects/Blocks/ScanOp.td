//===- ScanOp.td - The loop over time -------------------------------------===//
#ifndef DIALECTS_BLOCKS_SCANOP_TD
#define DIALECTS_BLOCKS_SCANOP_TD

include "dialects/Blocks/TensorOps.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Blocks_ScanOp : Blocks_Op<"scan", [AttrSizedOperandSegments, SingleBlock, RecursiveMemoryEffects]> {
  let summary = "carries states over the steps of sequences";
  let description = [{
    Sequences have time as axis 0; all have T steps. Without sequences, or beside
    them, `steps` gives T: a constant, or the extent of an axis (`tensor.dim`).
    The body's arguments are the position t (index), the slices sequence[t], and the states; it yields the next
    states and per-step outputs. Values from outside may be used in the body (they
    are the contexts). The results are, first, each state *after* each step, then
    each output, stacked along a new axis 0 of length T; with `reverse` the
    positions are visited from T-1 down to 0, and results stay at their position.
    C1: at least one sequence, or `steps`. C2: body arguments are (index, slices, states).
    C3: yielded states have the states' types. C4: results are the stacked yields.

    ```mlir
    %hs = blocks.scan sequences(%xs) states(%h0) : (tensor<?x?x8xf32>, tensor<?x8xf32>) -> tensor<?x?x8xf32> {
    ^bb0(%t: index, %x: tensor<?x8xf32>, %h: tensor<?x8xf32>):
      %p = blocks.matmul %h, %W : tensor<?x8xf32>, tensor<8x8xf32> to tensor<?x8xf32>
      %a = arith.addf %p, %x : tensor<?x8xf32>
      %n = math.tanh %a : tensor<?x8xf32>
      blocks.yield states(%n) : tensor<?x8xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$sequences, Variadic<AnyRankedTensor>:$states,
                       Optional<Index>:$steps, UnitAttr:$reverse);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`reverse` $reverse^)? (`sequences` `(` $sequences^ `)`)? (`states` `(` $states^ `)`)?
    (`steps` `(` $steps^ `)`)? attr-dict
    `:` functional-type(operands, results) $body
  }];
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::ValueRange":$sequences, "::mlir::ValueRange":$states,
                                 CArg<"bool", "false">:$reverse), [{
    build($_builder, $_state, results, sequences, states, ::mlir::Value(), reverse);
  }]>];
  let extraClassDeclaration = [{
    /// The number of steps where the types or a constant tell, or kDynamic.
    int64_t getStepCount();
    ::mlir::Value getPosition() { return getBody().front().getArgument(0); }
    /// The body's arguments for the slices and for the states.
    ::mlir::Block::BlockArgListType getSliceArguments();
    ::mlir::Block::BlockArgListType getStateArguments();
    /// The stacked states and the stacked outputs among the results.
    ::mlir::ResultRange getStackedStates();
    ::mlir::ResultRange getStackedOutputs();
  }];
}

def Blocks_YieldOp : Blocks_Op<"yield", [Pure, Terminator, HasParent<"ScanOp">, AttrSizedOperandSegments]> {
  let summary = "the next states and the outputs of a scan's step";
  let arguments = (ins Variadic<AnyRankedTensor>:$states, Variadic<AnyRankedTensor>:$outputs);
  let assemblyFormat = "(`states` `(` $states^ `:` type($states) `)`)? (`outputs` `(` $outputs^ `:` type($outputs) `)`)? attr-dict";
}

#endif
