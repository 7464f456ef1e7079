// Gradients of bricks inside small models, by finite differences in f64: those
// that bricks.mlir and the recurrent ones do not have; for several examples, and
// for one.
// DEFINE: %{passes} = --passes="blocks-expand-bricks,blocks-inline-applications,blocks-convert-to-f64,blocks-derive-entries{cost=cost},blocks-differentiate{cost=cost}"
// RUN: blocks-gradcheck %s %{passes} --shape batch=3,time=3 | FileCheck %s
// RUN: blocks-gradcheck %s %{passes} --shape batch=1,time=1 --seeds 1

// CHECK: averages: {{[1-9][0-9]*}} elements agree
module @averages {
  blocks.brick @net = "ConvolutionalSequence" {num_channels = 1, image_size = [6, 6], layers = [{kind = "Convolutional", filter_size = [3, 3], num_filters = 2, tied_biases = false}, "Tanh", {kind = "AveragePooling", pooling_size = [2, 2]}, "Flattener"]}
  blocks.brick @soft = "Softmax" {}
  blocks.graph @cost(%x: tensor<?x1x6x6xf32> {blocks.source = "x"}, %y: tensor<?xui8> {blocks.source = "y", check.range = [0, 8]}) {
    %0 = blocks.apply @net::@apply(%x) : (tensor<?x1x6x6xf32>) -> tensor<?x8xf32>
    %1 = blocks.apply @soft::@categorical_cross_entropy(%y, %0) : (tensor<?xui8>, tensor<?x8xf32>) -> tensor<?xf32>
    %cost = blocks.reduce sum %1 dims [0] : tensor<?xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

module @chain {
  blocks.brick @s = "FeedforwardSequence" {application_methods = [{kind = "Linear", input_dim = 3, output_dim = 4}, "Softplus", {kind = "Maxout", num_pieces = 2}, "LeakyRectifier", "Logistic"]}
  blocks.brick @sq = "SquaredError" {}
  blocks.graph @cost(%x: tensor<?x3xf32> {blocks.source = "x"}, %y: tensor<?x2xf32> {blocks.source = "y"}) {
    %0 = blocks.apply @s::@apply(%x) : (tensor<?x3xf32>) -> tensor<?x2xf32>
    %cost = blocks.apply @sq::@apply(%y, %0) : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

module @attend {
  blocks.brick @a = "AttentionRecurrent" {transition = {kind = "SimpleRecurrent", dim = 3, activation = "Tanh"}, attention = {kind = "SimpleSequenceAttention", attended_dim = 2}}
  blocks.graph @cost(%x: tensor<?x?x3xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}, %a: tensor<?x?x2xf32> {blocks.source = "a", blocks.axes = ["time", "batch", ""]}) {
    %s, %g, %n = blocks.apply @a::@apply(%x, %a) {arguments = ["inputs", "attended"]} : (tensor<?x?x3xf32>, tensor<?x?x2xf32>) -> (tensor<?x?x3xf32>, tensor<?x?x2xf32>, tensor<?x?xi64>)
    %q = arith.mulf %s, %s : tensor<?x?x3xf32>
    %cost = blocks.reduce sum %q dims [0, 1, 2] : tensor<?x?x3xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

module @reader_writer {
  blocks.brick @r = "Reader" {x_dim = 4, dec_dim = 3}
  blocks.brick @w = "Writer" {input_dim = 3, output_dim = 4}
  blocks.graph @cost(%x: tensor<?x4xf32> {blocks.source = "x"}, %h: tensor<?x3xf32> {blocks.source = "h"}) {
    %c = blocks.apply @w::@apply(%h) : (tensor<?x3xf32>) -> tensor<?x4xf32>
    %r = blocks.apply @r::@apply(%x, %c, %h) : (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x3xf32>) -> tensor<?x8xf32>
    %q = arith.mulf %r, %r : tensor<?x8xf32>
    %cost = blocks.reduce sum %q dims [0, 1] : tensor<?x8xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

module @largest {
  blocks.brick @net = "ConvolutionalSequence" {num_channels = 1, image_size = [7, 7], layers = [{kind = "Convolutional", filter_size = [3, 3], num_filters = 2}, "Rectifier", {kind = "MaxPooling", pooling_size = [2, 2], ignore_border = false}, "Flattener"]}
  blocks.brick @soft = "Softmax" {}
  blocks.brick @cross = "CategoricalCrossEntropy" {}
  blocks.graph @cost(%x: tensor<?x1x7x7xf32> {blocks.source = "x"}, %y: tensor<?xui8> {blocks.source = "y", check.range = [0, 18]}) {
    %0 = blocks.apply @net::@apply(%x) : (tensor<?x1x7x7xf32>) -> tensor<?x18xf32>
    %p = blocks.apply @soft::@apply(%0) : (tensor<?x18xf32>) -> tensor<?x18xf32>
    %cost = blocks.apply @cross::@apply(%y, %p) : (tensor<?xui8>, tensor<?x18xf32>) -> tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// CHECK: transposed: {{[1-9][0-9]*}} elements agree
module @transposed {
  blocks.brick @net = "ConvolutionalSequence" {num_channels = 1, image_size = [6, 5], layers = [{kind = "Convolutional", filter_size = [3, 3], num_filters = 2, step = [2, 2]}, "Tanh"]}
  blocks.brick @up = "ConvolutionalTranspose" {filter_size = [3, 3], num_filters = 1, num_channels = 2, image_size = [2, 2], original_image_size = [6, 5], step = [2, 2], tied_biases = false}
  blocks.brick @sq = "SquaredError" {}
  blocks.graph @cost(%x: tensor<?x1x6x5xf32> {blocks.source = "x"}) {
    %0 = blocks.apply @net::@apply(%x) : (tensor<?x1x6x5xf32>) -> tensor<?x2x2x2xf32>
    %1 = blocks.apply @up::@apply(%0) : (tensor<?x2x2x2xf32>) -> tensor<?x1x6x5xf32>
    %cost = blocks.apply @sq::@apply(%x, %1) : (tensor<?x1x6x5xf32>, tensor<?x1x6x5xf32>) -> tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// The cost of each element, or of each row, with weights of one's own.
// CHECK: matrices: {{[1-9][0-9]*}} elements agree
module @matrices {
  blocks.brick @net = "MLP" {dims = [3, 4], activations = ["Logistic"]}
  blocks.brick @soft = "Softmax" {}
  blocks.brick @sq = "SquaredError" {}
  blocks.brick @abs = "AbsoluteError" {}
  blocks.brick @bce = "BinaryCrossEntropy" {}
  blocks.brick @cross = "CategoricalCrossEntropy" {}
  blocks.graph @cost(%x: tensor<?x3xf32> {blocks.source = "x"}, %y: tensor<?x4xf32> {blocks.source = "y"}, %w: tensor<?x4xf32> {blocks.source = "w"}, %l: tensor<?xui8> {blocks.source = "l", check.range = [0, 4]}) {
    %p = blocks.apply @net::@apply(%x) : (tensor<?x3xf32>) -> tensor<?x4xf32>
    %a = blocks.apply @sq::@cost_matrix(%y, %p) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %b = blocks.apply @abs::@cost_matrix(%y, %p) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %c = blocks.apply @bce::@cost_matrix(%y, %p) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %s = blocks.apply @soft::@apply(%p) : (tensor<?x4xf32>) -> tensor<?x4xf32>
    %r = blocks.apply @cross::@cost_matrix(%l, %s) : (tensor<?xui8>, tensor<?x4xf32>) -> tensor<?xf32>
    %ab = arith.addf %a, %b : tensor<?x4xf32>
    %abc = arith.addf %ab, %c : tensor<?x4xf32>
    %weighted = arith.mulf %abc, %w : tensor<?x4xf32>
    %c0 = blocks.reduce sum %weighted dims [0, 1] : tensor<?x4xf32> to tensor<f32>
    %r2 = arith.mulf %r, %r : tensor<?xf32>
    %c1 = blocks.reduce sum %r2 dims [0] : tensor<?xf32> to tensor<f32>
    %cost = arith.addf %c0, %c1 : tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}
