// Convolutions, pools, their gradients and the runtime's call, printed and read.
// RUN: blocks-opt %s | blocks-opt | FileCheck %s

// CHECK-LABEL: @images
blocks.graph @images(%x: tensor<?x3x8x9xf32> {blocks.source = "x"}, %w: tensor<4x3x3x2xf32> {blocks.source = "w"},
                     %g: tensor<?x4x4x10xf32> {blocks.source = "g"}) {
  // CHECK: blocks.convolution %{{.*}}, %{{.*}} strides [2, 1] padding [1, 0, 1, 1] : tensor<?x3x8x9xf32>, tensor<4x3x3x2xf32> to tensor<?x4x4x10xf32>
  %0 = blocks.convolution %x, %w strides [2, 1] padding [1, 0, 1, 1] : tensor<?x3x8x9xf32>, tensor<4x3x3x2xf32> to tensor<?x4x4x10xf32>
  // CHECK: blocks.convolution flipped %
  %1 = blocks.convolution flipped %x, %w strides [2, 1] padding [1, 0, 1, 1] : tensor<?x3x8x9xf32>, tensor<4x3x3x2xf32> to tensor<?x4x4x10xf32>
  // CHECK: blocks.convolution_input_grad %{{.*}}, %{{.*}} strides [2, 1] padding [1, 0, 1, 1] : tensor<?x4x4x10xf32>, tensor<4x3x3x2xf32> to tensor<?x3x8x9xf32>
  %2 = blocks.convolution_input_grad %g, %w strides [2, 1] padding [1, 0, 1, 1] : tensor<?x4x4x10xf32>, tensor<4x3x3x2xf32> to tensor<?x3x8x9xf32>
  // CHECK: blocks.convolution_filter_grad %{{.*}}, %{{.*}} strides [2, 1] padding [1, 0, 1, 1] : tensor<?x3x8x9xf32>, tensor<?x4x4x10xf32> to tensor<4x3x3x2xf32>
  %3 = blocks.convolution_filter_grad %x, %g strides [2, 1] padding [1, 0, 1, 1] : tensor<?x3x8x9xf32>, tensor<?x4x4x10xf32> to tensor<4x3x3x2xf32>
  // CHECK: blocks.pool max %{{.*}} window [2, 2] strides [2, 2] padding [0, 0] : tensor<?x3x8x9xf32> to tensor<?x3x4x4xf32>
  %4 = blocks.pool max %x window [2, 2] strides [2, 2] padding [0, 0] : tensor<?x3x8x9xf32> to tensor<?x3x4x4xf32>
  // CHECK: blocks.pool average %{{.*}} window [2, 2] strides [2, 2] padding [0, 0] partial : tensor<?x3x8x9xf32> to tensor<?x3x4x5xf32>
  %5 = blocks.pool average %x window [2, 2] strides [2, 2] padding [0, 0] partial : tensor<?x3x8x9xf32> to tensor<?x3x4x5xf32>
  // CHECK: blocks.pool average_padded %{{.*}} window [3, 3] strides [1, 1] padding [1, 1]
  %6 = blocks.pool average_padded %x window [3, 3] strides [1, 1] padding [1, 1] : tensor<?x3x8x9xf32> to tensor<?x3x8x9xf32>
  // CHECK: blocks.pool_grad max %{{.*}}, %{{.*}} window [2, 2] strides [2, 2] padding [0, 0] : tensor<?x3x8x9xf32>, tensor<?x3x4x4xf32>
  %7 = blocks.pool_grad max %x, %4 window [2, 2] strides [2, 2] padding [0, 0] : tensor<?x3x8x9xf32>, tensor<?x3x4x4xf32>
}

// CHECK-LABEL: @call
func.func @call(%x: memref<2x1x4x4xf32>, %y: memref<2x1x2x2xf32>) {
  // CHECK: blocks.image_call pool ins(%{{.*}} : memref<2x1x4x4xf32>) outs(%{{.*}} : memref<2x1x2x2xf32>) geometry [1, 4, 4, 1, 2, 2, 2, 2, 2, 2, 0, 0, 0]
  blocks.image_call pool ins(%x : memref<2x1x4x4xf32>) outs(%y : memref<2x1x2x2xf32>) geometry [1, 4, 4, 1, 2, 2, 2, 2, 2, 2, 0, 0, 0]
  return
}
