//===- KernelOps.td - Operations that the user writes in CUDA C++ ---------===//
//
// A kernel is a symbol at the module's top: a body of ordinary tensor
// operations, which says what it computes, and CUDA C++ source, which does so
// on a GPU. A call stands in graphs, applications and loops like any operation.
//
//===----------------------------------------------------------------------===//
#ifndef DIALECTS_BLOCKS_KERNELOPS_TD
#define DIALECTS_BLOCKS_KERNELOPS_TD

include "dialects/Blocks/BrickOps.td"
include "dialects/Blocks/TensorOps.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"

def Blocks_KernelOp : Blocks_Op<"kernel", [
    FunctionOpInterface, IsolatedFromAbove, SingleBlock, AffineScope,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "an operation of the user's own, with CUDA C++ source for GPUs";
  let description = [{
    The body says what the kernel computes, in ordinary tensor operations. It is what
    the reference interpreter runs, what is compiled for the processor, and what is
    differentiated if no `gradient` is named. On a GPU the function `entry` (default:
    the kernel's name) of the source takes its place: NVRTC compiles it for the GPU at
    hand. The source is `cuda`, an array of lines, or `cuda_file`, a file beside the
    model. A kernel without source is its body everywhere.

    Axes are named as in graphs (`blocks.axes`); a name has one extent in a call, static or
    dynamic. The CUDA function takes pointers to the inputs, pointers to the results,
    and then a `long long` for each axis name, in the order in which the arguments
    name them. Elements lie in row-major order without gaps.

    The grid is one thread for each element of the first result, rounded up to
    whole blocks of `block` threads (256 unless given), so the source must check
    its number against the count; with `grid` it is one block for each position of
    the named axes. A result that lacks an axis of that grid is full of zeros when the
    kernel starts, so that sums may be added into it. A grid without blocks is not
    launched.

    `gradient` names a kernel which takes the inputs, the results, and the gradients
    of the floating-point results, and which gives the gradients of the
    floating-point inputs.
    C1: stands at the module's top. C2: arguments and results are tensors of f32,
    f64 or integers of 8 to 64 bits. C3: `blocks.axes` has one string for each axis, and
    names every dynamic one. C4: dynamic axes of results are axes of arguments; a name has one
    static extent. C5: the body holds pure tensor operations: no parameters, applications, kernels
    or random numbers. C6: `block` is 1 to 1024, `grid` names axes of the arguments. C7: `entry`, `block` and
    `grid` go with a source. C8: the gradient's signature is the one above.

    ```mlir
    blocks.kernel @swish(%x: tensor<?xf32> {blocks.axes = ["n"]}) -> (tensor<?xf32> {blocks.axes = ["n"]})
        attributes {cuda = ["extern \"C\" __global__ void swish(const float *x, float *y, long long n) {",
                            "  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;",
                            "  if (i < n) y[i] = x[i] / (1.0f + expf(-x[i]));",
                            "}"]} {
      %s = blocks.logistic %x : tensor<?xf32>
      %y = arith.mulf %x, %s : tensor<?xf32>
      blocks.return %y : tensor<?xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrArrayAttr>:$cuda,
                       OptionalAttr<StrAttr>:$cuda_file,
                       OptionalAttr<DenseI64ArrayAttr>:$cuda_lines,
                       OptionalAttr<StrAttr>:$entry,
                       OptionalAttr<I64Attr>:$block,
                       OptionalAttr<StrArrayAttr>:$grid,
                       OptionalAttr<FlatSymbolRefAttr>:$gradient,
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
    /// True if a GPU can run source of the user's.
    bool hasSource() { return getCuda() || getCudaFile(); }
    /// The function in the source.
    ::llvm::StringRef getEntryName() { return getEntry() ? *getEntry() : getSymName(); }
    /// Threads of a block.
    int64_t getThreads() { return getBlock() ? int64_t(*getBlock()) : 256; }
    /// The names of an argument's or a result's axes, "" where there is none.
    ::llvm::SmallVector<::llvm::StringRef> getArgumentAxes(unsigned i);
    ::llvm::SmallVector<::llvm::StringRef> getResultAxes(unsigned i);
    /// All names, in the order in which the arguments have them.
    ::llvm::SmallVector<::llvm::StringRef> getAxes();
    /// The axes that the grid spans.
    ::llvm::SmallVector<::llvm::StringRef> getGridAxes();
  }];
}

def Blocks_CallKernelOp : Blocks_Op<"call_kernel", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "calls a kernel of the user's";
  let description = [{
    The results have the extents that the kernel's names for axes have in the inputs.
    C1: there is such a kernel. C2: inputs have the kernel's element types, ranks and
    static extents. C3: axes of one name have one extent. C4: results are as the names tell.

    ```mlir
    %y = blocks.call_kernel @swish(%x) : (tensor<?xf32>) -> tensor<?xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<AnyRankedTensor>:$inputs);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let assemblyFormat = "$kernel `(` $inputs `)` attr-dict `:` functional-type($inputs, results)";
  let extraClassDeclaration = [{
    /// The kernel that is called; null if there is none.
    KernelOp getCallee();
  }];
}

def Blocks_KernelLaunchOp : Blocks_Op<"kernel_launch", [
    DestinationStyleOpInterface, AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "starts a CUDA function of the user's, after to-linalg";
  let description = [{
    What a call becomes for a GPU: on tensors, then on buffers without gaps, in
    destination style. `kernel` is the number of the function in the module's attribute
    `blocks.cuda_kernels`, which has name, entry, file and text of each. The function gets
    the buffers and the extents; `blocks` is the size of the grid. Never written by hand.
  }];
  let arguments = (ins I64Attr:$kernel, I64Attr:$threads, Variadic<AnyShaped>:$inputs, Variadic<AnyShaped>:$outputs,
                       Variadic<Index>:$extents, Index:$blocks);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $kernel `blocks` $blocks `threads` $threads (`ins` `(` $inputs^ `:` type($inputs) `)`)? `outs` `(` $outputs `:` type($outputs) `)`
    (`extents` `(` $extents^ `)`)? attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutputsMutable(); }
  }];
}

#endif
