// A convolution, its bias and activation, a pool, and the gradient of both last
// ones run on one block of images; the gradient of the filters is computed for
// 16 shares of the batch, which a sum combines.
// RUN: blocks-opt %s --blocks-compile="stop-after=to-linalg step-rule=scale(learning_rate=1.0)" | FileCheck %s --check-prefix=LINALG
// RUN: blocks-opt %s --blocks-compile="stop-after=plan-memory step-rule=scale(learning_rate=1.0)" | FileCheck %s --check-prefix=GROUPED
// RUN: blocks-opt %s --blocks-compile="stop-after=dispatch step-rule=scale(learning_rate=1.0)" | FileCheck %s --check-prefix=CALLS

blocks.brick @c = "Convolutional" {filter_size = [3, 3], num_filters = 4, num_channels = 2}
blocks.brick @tanh = "Tanh" {}
blocks.brick @max = "MaxPooling" {pooling_size = [2, 2]}
blocks.graph @cost(%x: tensor<?x2x8x8xf32> {blocks.source = "x", blocks.axes = ["batch", "channel", "height", "width"]}) {
  %0 = blocks.apply @c::@apply(%x) : (tensor<?x2x8x8xf32>) -> tensor<?x4x6x6xf32>
  %1 = blocks.apply @tanh::@apply(%0) : (tensor<?x4x6x6xf32>) -> tensor<?x4x6x6xf32>
  %2 = blocks.apply @max::@apply(%1) : (tensor<?x4x6x6xf32>) -> tensor<?x4x3x3xf32>
  %3 = blocks.reduce sum %2 dims [0, 1, 2, 3] : tensor<?x4x3x3xf32> to tensor<f32>
  blocks.output %3 "cost" roles [cost] : tensor<f32>
}

// LINALG-LABEL: func.func @train
// LINALG: blocks.image_call convolution ins({{.*}} : tensor<?x2x8x8xf32>, tensor<4x2x3x3xf32>) outs({{.*}} : tensor<?x4x6x6xf32>) geometry [2, 8, 8, 4, 3, 3, 6, 6, 1, 1, 0, 0, 0] -> tensor<?x4x6x6xf32>
// LINALG: blocks.image_call pool ins({{.*}}) outs({{.*}}) geometry [4, 6, 6, 4, 2, 2, 3, 3, 2, 2, 0, 0, 0]
// LINALG: blocks.image_call pool_grad ins({{.*}} : tensor<?x4x6x6xf32>, tensor<?x4x3x3xf32>) outs({{.*}} : tensor<?x4x6x6xf32>)
// LINALG: %[[PARTS:.*]] = blocks.image_call convolution_filter_grad ins({{.*}} : tensor<?x2x8x8xf32>, tensor<?x4x6x6xf32>) outs({{.*}} : tensor<16x4x2x3x3xf32>)
// LINALG: linalg.generic {{.*}}iterator_types = ["reduction", "parallel", "parallel", "parallel", "parallel"]{{.*}} ins(%[[PARTS]] : tensor<16x4x2x3x3xf32>) outs({{.*}} : tensor<4x2x3x3xf32>)

// GROUPED-LABEL: func.func @train
// GROUPED: blocks.image_call convolution ins({{.*}}) outs(%[[Y:.*]] : memref<?x4x6x6xf32>) {{.*}} {blocks.dispatch = 0 : i64}
// GROUPED: linalg.generic {{.*}} outs(%[[Y]] : memref<?x4x6x6xf32>) attrs = {blocks.dispatch = 0 : i64}
// GROUPED: math.tanh
// GROUPED: blocks.image_call pool ins(%[[Y]] {{.*}} {blocks.dispatch = 0 : i64}
// GROUPED: blocks.image_call pool_grad ins(%[[Y]], {{.*}} {blocks.dispatch = 0 : i64}
// GROUPED: blocks.image_call convolution_filter_grad {{.*}} outs(%[[PARTS:.*]] : memref<16x4x2x3x3xf32>) {{.*}} {blocks.dispatch = [[N:[0-9]+]] : i64}

// CALLS: func.func private @kernel_0
// CALLS: call @blocks_rt_convolution_f32(
// CALLS: math.tanh
// CALLS: call @blocks_rt_pool_f32(
// CALLS: call @blocks_rt_pool_grad_f32(
// CALLS: call @blocks_rt_convolution_filter_grad_f32(
