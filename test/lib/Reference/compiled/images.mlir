// Convolutions, pools and their gradients as machine code against the
// reference, in both precisions, for several batches.
//
// RUN: test-compiled-graphs %s --shape batch=5,time=3 | FileCheck %s
// RUN: test-compiled-graphs %s --shape batch=1,time=3 | FileCheck %s
// RUN: test-compiled-graphs %s --shape batch=33,time=3 --seed 7 | FileCheck %s
// RUN: test-compiled-graphs %s --f64 --shape batch=5,time=3 | FileCheck %s
// RUN: test-compiled-graphs %s --shape batch=0,time=2 | FileCheck %s
// RUN: test-compiled-graphs %s --shape batch=3,time=0 | FileCheck %s
// CHECK: images agrees
module @images {

blocks.graph @convolutions(%x: tensor<?x3x8x9xf32> {blocks.source = "x", blocks.axes = ["batch", "", "", ""]},
    %w: tensor<4x3x3x2xf32> {blocks.source = "w", blocks.axes = ["", "", "", ""]},
    %g: tensor<?x4x4x10xf32> {blocks.source = "g", blocks.axes = ["batch", "", "", ""]}) {
  %y = blocks.convolution %x, %w strides [2, 1] padding [1, 0, 1, 1] : tensor<?x3x8x9xf32>, tensor<4x3x3x2xf32> to tensor<?x4x4x10xf32>
  %flipped = blocks.convolution flipped %x, %w strides [2, 1] padding [1, 0, 1, 1] : tensor<?x3x8x9xf32>, tensor<4x3x3x2xf32> to tensor<?x4x4x10xf32>
  %dx = blocks.convolution_input_grad %g, %w strides [2, 1] padding [1, 0, 1, 1] : tensor<?x4x4x10xf32>, tensor<4x3x3x2xf32> to tensor<?x3x8x9xf32>
  %dx_flipped = blocks.convolution_input_grad flipped %g, %w strides [2, 1] padding [1, 0, 1, 1] : tensor<?x4x4x10xf32>, tensor<4x3x3x2xf32> to tensor<?x3x8x9xf32>
  %dw = blocks.convolution_filter_grad %x, %g strides [2, 1] padding [1, 0, 1, 1] : tensor<?x3x8x9xf32>, tensor<?x4x4x10xf32> to tensor<4x3x3x2xf32>
  %dw_flipped = blocks.convolution_filter_grad flipped %x, %g strides [2, 1] padding [1, 0, 1, 1] : tensor<?x3x8x9xf32>, tensor<?x4x4x10xf32> to tensor<4x3x3x2xf32>
  blocks.output %y "y" : tensor<?x4x4x10xf32>
  blocks.output %flipped "flipped" : tensor<?x4x4x10xf32>
  blocks.output %dx "dx" : tensor<?x3x8x9xf32>
  blocks.output %dx_flipped "dx_flipped" : tensor<?x3x8x9xf32>
  blocks.output %dw "dw" : tensor<4x3x3x2xf32>
  blocks.output %dw_flipped "dw_flipped" : tensor<4x3x3x2xf32>
}

blocks.graph @pools(%x: tensor<?x3x8x9xf32> {blocks.source = "x", blocks.axes = ["batch", "", "", ""]},
    %g: tensor<?x3x4x5xf32> {blocks.source = "g", blocks.axes = ["batch", "", "", ""]},
    %h: tensor<?x3x4x4xf32> {blocks.source = "h", blocks.axes = ["batch", "", "", ""]}) {
  %pairs = blocks.pool max %x window [2, 2] strides [2, 2] padding [0, 0] : tensor<?x3x8x9xf32> to tensor<?x3x4x4xf32>
  %max = blocks.pool max %x window [3, 3] strides [2, 2] padding [1, 1] : tensor<?x3x8x9xf32> to tensor<?x3x4x5xf32>
  %average = blocks.pool average %x window [2, 2] strides [2, 2] padding [0, 0] partial : tensor<?x3x8x9xf32> to tensor<?x3x4x5xf32>
  %padded = blocks.pool average_padded %x window [3, 3] strides [2, 2] padding [1, 1] : tensor<?x3x8x9xf32> to tensor<?x3x4x5xf32>
  %dpairs = blocks.pool_grad max %x, %h window [2, 2] strides [2, 2] padding [0, 0] : tensor<?x3x8x9xf32>, tensor<?x3x4x4xf32>
  %dmax = blocks.pool_grad max %x, %g window [3, 3] strides [2, 2] padding [1, 1] : tensor<?x3x8x9xf32>, tensor<?x3x4x5xf32>
  %daverage = blocks.pool_grad average %x, %g window [2, 2] strides [2, 2] padding [0, 0] partial : tensor<?x3x8x9xf32>, tensor<?x3x4x5xf32>
  %dpadded = blocks.pool_grad average_padded %x, %g window [3, 3] strides [2, 2] padding [1, 1] : tensor<?x3x8x9xf32>, tensor<?x3x4x5xf32>
  blocks.output %pairs "pairs" : tensor<?x3x4x4xf32>
  blocks.output %max "max" : tensor<?x3x4x5xf32>
  blocks.output %average "average" : tensor<?x3x4x5xf32>
  blocks.output %padded "padded" : tensor<?x3x4x5xf32>
  blocks.output %dpairs "dpairs" : tensor<?x3x8x9xf32>
  blocks.output %dmax "dmax" : tensor<?x3x8x9xf32>
  blocks.output %daverage "daverage" : tensor<?x3x8x9xf32>
  blocks.output %dpadded "dpadded" : tensor<?x3x8x9xf32>
}

// In a loop the images are slices of a sequence, the states of a stacked buffer.
blocks.graph @loop(%xs: tensor<?x?x2x5x5xf32> {blocks.source = "xs", blocks.axes = ["time", "batch", "", "", ""]},
    %w: tensor<2x2x3x3xf32> {blocks.source = "w2", blocks.axes = ["", "", "", ""]}) {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %xs, %c1 : tensor<?x?x2x5x5xf32>
  %zero = arith.constant dense<0.25> : tensor<f32>
  %like = tensor.empty(%n) : tensor<?x2x5x5xf32>
  %h0 = blocks.broadcast %zero like %like dims [] : tensor<f32>, tensor<?x2x5x5xf32>
  %hs = blocks.scan sequences(%xs) states(%h0) : (tensor<?x?x2x5x5xf32>, tensor<?x2x5x5xf32>) -> tensor<?x?x2x5x5xf32> {
  ^bb0(%t: index, %x: tensor<?x2x5x5xf32>, %h: tensor<?x2x5x5xf32>):
    %a = blocks.convolution %h, %w strides [1, 1] padding [1, 1, 1, 1] : tensor<?x2x5x5xf32>, tensor<2x2x3x3xf32> to tensor<?x2x5x5xf32>
    %b = blocks.pool average %x window [3, 3] strides [1, 1] padding [1, 1] : tensor<?x2x5x5xf32> to tensor<?x2x5x5xf32>
    %s = arith.addf %a, %b : tensor<?x2x5x5xf32>
    %next = math.tanh %s : tensor<?x2x5x5xf32>
    blocks.yield states(%next : tensor<?x2x5x5xf32>)
  }
  blocks.output %hs "hs" : tensor<?x?x2x5x5xf32>
}

// Filters that are some channels of a parameter's: the routines want them in one
// piece, and get a copy.
blocks.brick @p {
  blocks.parameter @f : tensor<3x2x3x3xf32> roles [weight] init #blocks.uniform<width = 2.0>
}

blocks.graph @part(%x: tensor<?x1x5x5xf32> {blocks.source = "x", blocks.axes = ["batch", "", "", ""]}) {
  %f = blocks.get @p::@f : tensor<3x2x3x3xf32>
  %one = tensor.extract_slice %f[0, 1, 0, 0] [3, 1, 3, 3] [1, 1, 1, 1] : tensor<3x2x3x3xf32> to tensor<3x1x3x3xf32>
  %y = blocks.convolution %x, %one strides [1, 1] padding [0, 0, 0, 0] : tensor<?x1x5x5xf32>, tensor<3x1x3x3xf32> to tensor<?x3x3x3xf32>
  blocks.output %y "part" : tensor<?x3x3x3xf32>
}

}
