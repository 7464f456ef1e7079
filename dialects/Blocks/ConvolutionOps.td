//===- ConvolutionOps.td - Convolutions and pools over images -------------===//
//
// Images are (batch, channels, height, width), filters (filters, channels,
// height, width). Only the batch may be dynamic: extents of results would be
// sums, and every dynamic extent of an entry is a product of named axes. The
// gradients are operations, too; those of a convolution are convolutions, so
// the three are closed under differentiation.
//
//===----------------------------------------------------------------------===//
#ifndef DIALECTS_BLOCKS_CONVOLUTIONOPS_TD
#define DIALECTS_BLOCKS_CONVOLUTIONOPS_TD

include "dialects/Blocks/TensorOps.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"

def Blocks_ConvolutionOp : Blocks_TensorOp<"convolution"> {
  let summary = "slides filters over images";
  let description = [{
    y[n, f, i, j] = Σ_{c, u, v} x[n, c, i·s₀ + u - top, j·s₁ + v - left] · w[f, c, u, v],
    a cross-correlation; where x is asked beyond its border it is 0. With `flipped`
    it is w[f, c, h-1-u, w-1-v], the convolution of the textbooks (and of Blocks).
    `padding` is [top, bottom, left, right].
    C1: images and filters have rank 4, and every extent but the batch is known.
    C2: both have the same number of channels. C3: two positive strides, four
    paddings of at least 0. C4: the kernel is not larger than the padded image.
    C5: the result is (batch, filters, height, width), where an extent is
    (image + padding - kernel) / stride + 1, rounded down.

    ```mlir
    %y = blocks.convolution %x, %w strides [1, 1] padding [2, 2, 2, 2]
      : tensor<?x1x28x28xf32>, tensor<20x1x5x5xf32> to tensor<?x20x28x28xf32>
    ```
  }];
  let arguments = (ins FloatTensor:$image, FloatTensor:$filters, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$padding, UnitAttr:$flipped);
  let results = (outs FloatTensor:$result);
  let assemblyFormat = "(`flipped` $flipped^)? $image `,` $filters `strides` $strides `padding` $padding attr-dict `:` type($image) `,` type($filters) `to` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$image, "::mlir::Value":$filters, "::llvm::ArrayRef<int64_t>":$strides, "::llvm::ArrayRef<int64_t>":$padding, CArg<"bool", "false">:$flipped)>];
}

def Blocks_ConvolutionInputGradOp : Blocks_TensorOp<"convolution_input_grad"> {
  let summary = "the gradient of a convolution with respect to its images";
  let description = [{
    dx[n, c, y, x] = Σ gradient[n, f, i, j] · w[f, c, u, v] over all (f, i, j, u, v) whose
    tap is (y, x). It is the transposed convolution, and what
    ConvolutionalTranspose computes. Its own gradients are a convolution and a
    `convolution_filter_grad`.
    C1 to C5 as for `convolution` with the result as image and the gradient as result.
  }];
  let arguments = (ins FloatTensor:$gradient, FloatTensor:$filters, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$padding, UnitAttr:$flipped);
  let results = (outs FloatTensor:$result);
  let assemblyFormat = "(`flipped` $flipped^)? $gradient `,` $filters `strides` $strides `padding` $padding attr-dict `:` type($gradient) `,` type($filters) `to` type($result)";
}

def Blocks_ConvolutionFilterGradOp : Blocks_TensorOp<"convolution_filter_grad"> {
  let summary = "the gradient of a convolution with respect to its filters";
  let description = [{
    dw[f, c, u, v] = Σ_{n, i, j} gradient[n, f, i, j] · x[n, c, i·s₀ + u - top, j·s₁ + v - left].
    The order of the sum is fixed by the shape alone. Its own gradients are a
    `convolution_input_grad` and a convolution.
    C1 to C5 as for `convolution` with the result as filters and the gradient as result.
  }];
  let arguments = (ins FloatTensor:$image, FloatTensor:$gradient, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$padding, UnitAttr:$flipped);
  let results = (outs FloatTensor:$result);
  let assemblyFormat = "(`flipped` $flipped^)? $image `,` $gradient `strides` $strides `padding` $padding attr-dict `:` type($image) `,` type($gradient) `to` type($result)";
}

def Blocks_PoolKind : I32EnumAttr<"PoolKind", "a pool", [
    I32EnumAttrCase<"Max", 0, "max">, I32EnumAttrCase<"Average", 1, "average">,
    I32EnumAttrCase<"AveragePadded", 2, "average_padded">]> {
  let cppNamespace = "::blocks";
}

def Blocks_PoolOp : Blocks_TensorOp<"pool"> {
  let summary = "the maximum or average of each window of an image";
  let description = [{
    Over the last two axes of (batch, channels, height, width). Padding is the same on
    both sides and never a maximum; `average` is over the elements inside the image,
    `average_padded` counts the padding as zeros. Sizes are those of Blocks: windows
    that fit into the padded image; with `partial` (ignore_border = false) also those
    that stand out at the end, cut to the image. NaN is the largest number.
    C1: rank 4, every extent but the batch known. C2: two positive extents of the window,
    two positive strides, two paddings of at least 0 and smaller than the window.
    C3: the window is not larger than the padded image, unless `partial`. C4: `partial`
    goes without padding. C5: the result is (batch, channels, height, width), where an
    extent is (image + 2·padding - window) / stride + 1, rounded down; with `partial`
    (image - 1) / stride + 1 if stride ≥ window, else max(0, (image - 1 - window + stride) / stride) + 1.

    ```mlir
    %y = blocks.pool max %x window [2, 2] strides [2, 2] padding [0, 0] : tensor<?x20x24x24xf32> to tensor<?x20x12x12xf32>
    ```
  }];
  let arguments = (ins Blocks_PoolKind:$kind, FloatTensor:$input, DenseI64ArrayAttr:$window,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding, UnitAttr:$partial);
  let results = (outs FloatTensor:$result);
  let assemblyFormat = "$kind $input `window` $window `strides` $strides `padding` $padding (`partial` $partial^)? attr-dict `:` type($input) `to` type($result)";
  let builders = [OpBuilder<(ins "::blocks::PoolKind":$kind, "::mlir::Value":$input, "::llvm::ArrayRef<int64_t>":$window, "::llvm::ArrayRef<int64_t>":$strides, "::llvm::ArrayRef<int64_t>":$padding, "bool":$partial)>];
}

def Blocks_PoolGradOp : Blocks_TensorOp<"pool_grad", [AllTypesMatch<["input", "result"]>]> {
  let summary = "the gradient of a pool";
  let description = [{
    Of a maximum each window's gradient goes to the first of its largest elements, row by
    row; of an average it is shared. The values of `input` matter for the maximum
    only. The gradient of an average's gradient is a pool; that of a maximum's is none.
    C1 to C5 as for `pool`, where the gradient has the result's shape.
  }];
  let arguments = (ins Blocks_PoolKind:$kind, FloatTensor:$input, FloatTensor:$gradient, DenseI64ArrayAttr:$window,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding, UnitAttr:$partial);
  let results = (outs FloatTensor:$result);
  let assemblyFormat = "$kind $input `,` $gradient `window` $window `strides` $strides `padding` $padding (`partial` $partial^)? attr-dict `:` type($input) `,` type($gradient)";
}

def Blocks_ImageRoutineAttr : I32EnumAttr<"ImageRoutine", "a routine of the runtime over images", [
    I32EnumAttrCase<"Convolution", 0, "convolution">,
    I32EnumAttrCase<"ConvolutionInputGrad", 1, "convolution_input_grad">,
    I32EnumAttrCase<"ConvolutionFilterGrad", 2, "convolution_filter_grad">,
    I32EnumAttrCase<"Pool", 3, "pool">, I32EnumAttrCase<"PoolGrad", 4, "pool_grad">]> {
  let cppNamespace = "::blocks";
}

def Blocks_ImageCallOp : Blocks_Op<"image_call", [
    DestinationStyleOpInterface, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a routine of the runtime over a batch of images, after to-linalg";
  let description = [{
    What the operations above become: on tensors, then on buffers, in destination
    style. The first axis of the output is cut into blocks of rows; each row is
    written whole by one call. Of `convolution_filter_grad` the rows are shares of the
    batch, whose results a sum combines in order. `geometry` has the numbers that
    follow `out` in the runtime's function (include/blocks/abi/StepABI.h). Never
    written by hand.
  }];
  let arguments = (ins Blocks_ImageRoutineAttr:$routine, Variadic<AnyShaped>:$inputs, AnyShaped:$output, DenseI64ArrayAttr:$geometry);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = "$routine `ins` `(` $inputs `:` type($inputs) `)` `outs` `(` $output `:` type($output) `)` `geometry` $geometry attr-dict (`->` type($results)^)?";
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutputMutable(); }
  }];
}

#endif
