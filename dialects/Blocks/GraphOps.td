//===- GraphOps.td - Graphs, outputs, annotations -------------------------===//
#ifndef DIALECTS_BLOCKS_GRAPHOPS_TD
#define DIALECTS_BLOCKS_GRAPHOPS_TD

include "dialects/Blocks/Attributes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"

def Blocks_Aggregate : I32EnumAttr<"AggregateKind", "how an output is aggregated over batches", [
    I32EnumAttrCase<"Last", 0, "last">, I32EnumAttrCase<"Mean", 1, "mean">,
    I32EnumAttrCase<"Sum", 2, "sum">]> {
  let cppNamespace = "::blocks";
}

def Blocks_GraphOp : Blocks_Op<"graph", [
    FunctionOpInterface, IsolatedFromAbove, SingleBlock, NoTerminator, AffineScope]> {
  let summary = "an entry: named sources in, named outputs out";
  let description = [{
    Each argument names its source in `blocks.source` (default: the argument has
    no name and the verifier asks for one) and may name its axes in `blocks.axes`,
    an array of strings. Equally named dynamic axes have equal extents; a dynamic
    axis 0 without a name is "batch". `derive-entries` sets `variant` ("train",
    "eval") on the clones that it makes.

    ```mlir
    blocks.graph @cost(%x: tensor<?x784xf32> {blocks.source = "features", blocks.axes = ["batch", "feature"]},
                       %y: tensor<?x1xui8> {blocks.source = "targets"}) {
      ...
      blocks.output %c "cost" roles [cost] aggregate mean : tensor<f32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$variant,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    /// Name of the source of argument `i`.
    ::llvm::StringRef getSourceName(unsigned i);
    /// Axis names of argument `i`, "" where unnamed; "batch" for a dynamic,
    /// unnamed axis 0.
    ::llvm::SmallVector<::llvm::StringRef> getAxisNames(unsigned i);
  }];
}

def Blocks_OutputOp : Blocks_Op<"output", [HasParent<"GraphOp">]> {
  let summary = "a named output of a graph";
  let description = [{
    `aggregate mean` weighs batches by their number of examples, `sum` adds them,
    `last` (the default) keeps the last batch's value.
  }];
  let arguments = (ins AnyRankedTensor:$value, StrAttr:$name, Blocks_RolesAttr:$roles,
                       DefaultValuedAttr<Blocks_Aggregate, "::blocks::AggregateKind::Last">:$aggregate);
  let assemblyFormat = [{
    $value $name custom<OptionalRoles>($roles) (`aggregate` $aggregate^)? attr-dict `:` type($value)
  }];
  let hasVerifier = 1;
}

def Blocks_TagOp : Blocks_Op<"tag", [Pure, AllTypesMatch<["input", "result"]>]> {
  let summary = "an annotated value";
  let description = [{
    The identity, carrying what the value was in the model. Canonicalization, CSE
    and fusion keep it; `to-linalg` turns it into a location. Several tags in a
    row annotate one underlying value.

    ```mlir
    %1 = blocks.tag %0 <"/mlp/linear_0", "apply", "output", [output], "mlp.apply#0/linear_0.apply#0"> : tensor<?x500xf32>
    ```
  }];
  let arguments = (ins AnyType:$input, Blocks_AnnotationAttr:$annotation);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input $annotation attr-dict `:` type($input)";
}

#endif
