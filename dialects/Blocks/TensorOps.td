//===- TensorOps.td - The functional tensor operations --------------------===//
//
// Elementwise arithmetic is upstream arith and math on tensors, reshapes are
// tensor.collapse_shape and tensor.expand_shape; here is the rest. Broadcasts
// are explicit. Constraints are numbered (C1 …); the verifier and the negative
// tests use the same labels.
//
//===----------------------------------------------------------------------===//
#ifndef DIALECTS_BLOCKS_TENSOROPS_TD
#define DIALECTS_BLOCKS_TENSOROPS_TD

include "dialects/Blocks/Attributes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def FloatTensor : RankedTensorOf<[F32, F64]>;
def IntTensor : RankedTensorOf<[AnyInteger]>;
def NumberTensor : RankedTensorOf<[AnyInteger, F16, F32, F64]>;

class Blocks_TensorOp<string mnemonic, list<Trait> traits = []>
    : Blocks_Op<mnemonic, !listconcat([Pure], traits)> {
  let hasVerifier = 1;
}

def Blocks_BroadcastOp : Blocks_TensorOp<"broadcast"> {
  let summary = "repeats a tensor along new axes";
  let description = [{
    Axis `i` of the input becomes axis `dims[i]` of the result; along the other
    axes the input is repeated. The result has the shape of `like` (whose values do not
    matter) and the element type of the input.
    C1: `dims` is strictly increasing, one per input axis, each within the result's rank.
    C2: extents of matched axes are equal.

    ```mlir
    %0 = blocks.broadcast %b like %x dims [1] : tensor<500xf32>, tensor<?x500xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$like, DenseI64ArrayAttr:$dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$input `like` $like `dims` $dims attr-dict `:` type($input) `,` type($like) custom<BroadcastResult>(ref(type($input)), ref(type($like)), type($result))";
  let builders = [OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$like, "::llvm::ArrayRef<int64_t>":$dims)>];
}

def Blocks_ReduceKind : I32EnumAttr<"ReduceKind", "a reduction", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Max", 1, "max">, I32EnumAttrCase<"Min", 2, "min">]> {
  let cppNamespace = "::blocks";
}

def Blocks_ReduceOp : Blocks_TensorOp<"reduce"> {
  let summary = "reduces axes by a sum, maximum or minimum";
  let description = [{
    The reduced axes disappear. An empty sum is 0; an empty maximum is -inf, an
    empty minimum +inf. The order of a sum is fixed by the shape alone. A maximum
    of equal elements sends its gradient to the first of them.
    C1: `dims` is strictly increasing and within the rank. C2: the result's shape is the rest.
  }];
  let arguments = (ins Blocks_ReduceKind:$kind, FloatTensor:$input, DenseI64ArrayAttr:$dims);
  let results = (outs FloatTensor:$result);
  let assemblyFormat = "$kind $input `dims` $dims attr-dict `:` type($input) `to` type($result)";
  let builders = [OpBuilder<(ins "::blocks::ReduceKind":$kind, "::mlir::Value":$input, "::llvm::ArrayRef<int64_t>":$dims)>];
}

def Blocks_ExtentOp : Blocks_TensorOp<"extent"> {
  let summary = "the product of the extents of some axes, as a number";
  let description = [{ For means over dynamic axes. C1: `dims` within the rank. }];
  let arguments = (ins AnyRankedTensor:$input, DenseI64ArrayAttr:$dims);
  let results = (outs FloatTensor:$result);
  let assemblyFormat = "$input `dims` $dims attr-dict `:` type($input) `to` type($result)";
}

def Blocks_MatmulOp : Blocks_TensorOp<"matmul"> {
  let summary = "the product of two matrices";
  let description = [{
    op(lhs)·op(rhs), where op transposes if the flag is set.
    C1: both operands have rank 2. C2: the contracted extents are equal. C3: the
    result's shape is (rows of op(lhs), columns of op(rhs)).
  }];
  let arguments = (ins FloatTensor:$lhs, FloatTensor:$rhs, UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs);
  let results = (outs FloatTensor:$result);
  let assemblyFormat = "$lhs (`transposed` $transpose_lhs^)? `,` $rhs (`transposed` $transpose_rhs^)? attr-dict `:` type($lhs) `,` type($rhs) `to` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs, CArg<"bool", "false">:$transposeLhs, CArg<"bool", "false">:$transposeRhs)>];
}

def Blocks_CastOp : Blocks_TensorOp<"cast"> {
  let summary = "converts the element type";
  let description = [{
    Between integers of any width and signedness, i1, f16, f32 and f64. Float to
    integer truncates toward zero; i1 is 0 or 1, and what is not 0 becomes 1. C1: shapes are equal.
    Its gradient (between floats) is the cast back; through integers none flows.
  }];
  let arguments = (ins NumberTensor:$input);
  let results = (outs NumberTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `to` type($result)";
}

def Blocks_RectifierOp : Blocks_TensorOp<"rectifier", [AllTypesMatch<["input", "result"]>]> {
  let summary = "max(x, 0) + leak·min(x, 0)";
  let description = [{ The gradient at 0 is `leak` (0 for the plain rectifier). }];
  let arguments = (ins FloatTensor:$input, DefaultValuedAttr<F64Attr, "0.0">:$leak);
  let results = (outs FloatTensor:$result);
  let assemblyFormat = "$input (`leak` $leak^)? attr-dict `:` type($input)";
  let hasVerifier = 0;
}

def Blocks_LogisticOp : Blocks_TensorOp<"logistic", [AllTypesMatch<["input", "result"]>]> {
  let summary = "1 / (1 + exp(-x))";
  let arguments = (ins FloatTensor:$input);
  let results = (outs FloatTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
  let hasVerifier = 0;
}

def Blocks_SoftmaxOp : Blocks_TensorOp<"softmax", [AllTypesMatch<["input", "result"]>]> {
  let summary = "softmax over the last axis";
  let description = [{
    exp(x - max) / Σ exp(x - max), row by row. With a mask, positions where it is
    false do not take part whatever their value: they are exactly 0, and so is
    their gradient; a row without any position is all zeros.
    C1: rank at least 1. C2: the mask has the input's shape.
  }];
  let arguments = (ins FloatTensor:$input, Optional<RankedTensorOf<[I1]>>:$mask);
  let results = (outs FloatTensor:$result);
  let assemblyFormat = "$input (`masked` $mask^)? attr-dict `:` type($input) (`,` type($mask)^)?";
  let builders = [OpBuilder<(ins "::mlir::Value":$input, CArg<"::mlir::Value", "{}">:$mask)>];
}

def Blocks_LogSoftmaxOp : Blocks_TensorOp<"log_softmax", [AllTypesMatch<["input", "result"]>]> {
  let summary = "logarithm of the softmax over the last axis";
  let description = [{ x - max - log Σ exp(x - max), row by row. C1: rank at least 1. }];
  let arguments = (ins FloatTensor:$input);
  let results = (outs FloatTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

def Blocks_SoftmaxCrossEntropyOp : Blocks_TensorOp<"softmax_cross_entropy"> {
  let summary = "cross-entropy of logits against labels, one value per row";
  let description = [{
    With lp = log_softmax(logits) over the last axis: integer labels give
    cost[i] = -lp[i, label[i]]; a distribution gives -Σ_j label[i,j]·lp[i,j]. A
    label outside 0 … C-1 makes the step fail (status record); its cost and its
    gradient are 0. The second result is lp, which the gradient uses.
    C1: integer labels have the logits' shape without the last axis; a distribution
    has the logits' type. C2: cost has the logits' shape without the last axis.
    `brick` is the brick's path, for the error message.
  }];
  let arguments = (ins FloatTensor:$logits, NumberTensor:$labels, DefaultValuedStrAttr<StrAttr, "">:$brick);
  let results = (outs FloatTensor:$cost, FloatTensor:$log_probabilities);
  let assemblyFormat = "$logits `,` $labels attr-dict `:` type($logits) `,` type($labels) `to` type($cost) `,` type($log_probabilities)";
  let builders = [OpBuilder<(ins "::mlir::Value":$logits, "::mlir::Value":$labels, "::llvm::StringRef":$brick)>];
}

def Blocks_SoftmaxCrossEntropyGradOp : Blocks_TensorOp<"softmax_cross_entropy_grad", [AllTypesMatch<["log_probabilities", "result"]>]> {
  let summary = "gradient of softmax_cross_entropy with respect to the logits";
  let description = [{
    (exp(lp) - onehot(labels)) · gradient[i] for integer labels,
    (exp(lp)·Σ_j label[i,j] - label) · gradient[i] for a distribution; 0 in a row
    whose label is out of range. C1: labels and gradient as softmax_cross_entropy has
    its labels and its cost.
  }];
  let arguments = (ins FloatTensor:$log_probabilities, NumberTensor:$labels, FloatTensor:$gradient);
  let results = (outs FloatTensor:$result);
  let assemblyFormat = "$log_probabilities `,` $labels `,` $gradient attr-dict `:` type($log_probabilities) `,` type($labels) `,` type($gradient)";
}

def Blocks_PickOp : Blocks_TensorOp<"pick"> {
  let summary = "one element of each row: x[i, index[i]]";
  let description = [{
    Over the last axis. An index out of range makes the step fail (status
    record) and yields 0. C1: `indices` has the input's shape without the last axis; so has the result.
  }];
  let arguments = (ins FloatTensor:$input, IntTensor:$indices, DefaultValuedStrAttr<StrAttr, "">:$brick);
  let results = (outs FloatTensor:$result);
  let assemblyFormat = "$input `,` $indices attr-dict `:` type($input) `,` type($indices) `to` type($result)";
}

def Blocks_UnpickOp : Blocks_TensorOp<"unpick"> {
  let summary = "the gradient of pick: zeros but for [i, index[i]] = x[i]";
  let description = [{ The result has the type of `like`. C1 as for pick. }];
  let arguments = (ins FloatTensor:$input, IntTensor:$indices, FloatTensor:$like);
  let results = (outs FloatTensor:$result);
  let assemblyFormat = "$input `,` $indices `like` $like attr-dict `:` type($input) `,` type($indices) `,` type($like) `to` type($result)";
}

def Blocks_ArgmaxOp : Blocks_TensorOp<"argmax"> {
  let summary = "index of the largest element over the last axis";
  let description = [{ The first of equal ones. C1: the result has the input's shape without the last axis, i64. }];
  let arguments = (ins FloatTensor:$input);
  let results = (outs RankedTensorOf<[I64]>:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `to` type($result)";
}

def Blocks_RandomKind : I32EnumAttr<"RandomKind", "a distribution", [
    I32EnumAttrCase<"Uniform", 0, "uniform">, I32EnumAttrCase<"Normal", 1, "normal">]> {
  let cppNamespace = "::blocks";
}

def Blocks_RandomOp : Blocks_TensorOp<"random"> {
  let summary = "independent deviates from the counter-based generator";
  let description = [{
    Element e of the result is a function of (seed, site, step, index, e) alone:
    Philox4x32-10 as in include/blocks/Philox.h. `uniform` is on [0, 1), a multiple
    of 2^-24; `normal` is the standard normal by AS 241. `site` is unique in a
    program; `index` are the positions of the enclosing scans. Seed and step are
    the state "/algorithm.seed" and "/algorithm.step". Recomputing the operation
    with the same site and index gives the same values.
  }];
  let arguments = (ins Blocks_RandomKind:$kind, AnyRankedTensor:$like, I32Attr:$site, Variadic<Index>:$index);
  let results = (outs FloatTensor:$result);
  let assemblyFormat = "$kind `like` $like `site` $site (`index` $index^)? attr-dict `:` type($like) `to` type($result)";
}

#endif
