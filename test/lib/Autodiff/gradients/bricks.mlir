// Gradients of bricks, by finite differences; batch normalization as it trains.
// RUN: blocks-gradcheck %s --shape batch=5 --passes="blocks-expand-bricks,blocks-inline-applications,blocks-convert-to-f64,blocks-derive-entries{cost=cost},blocks-batch-normalize,blocks-differentiate{cost=cost}"

module @lookup {
  blocks.brick @table = "LookupTable" {length = 6, dim = 3}
  blocks.graph @cost(%i: tensor<?x2xui8> {blocks.source = "i", check.range = [0, 6]}) {
    %0 = blocks.apply @table::@apply(%i) : (tensor<?x2xui8>) -> tensor<?x2x3xf32>
    // Every row is read.
    %all = arith.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi64>
    %1 = blocks.apply @table::@apply(%all) : (tensor<6xi64>) -> tensor<6x3xf32>
    %t = math.sin %0 : tensor<?x2x3xf32>
    %u = math.sin %1 : tensor<6x3xf32>
    %a = blocks.reduce sum %t dims [0, 1, 2] : tensor<?x2x3xf32> to tensor<f32>
    %b = blocks.reduce sum %u dims [0, 1] : tensor<6x3xf32> to tensor<f32>
    %cost = arith.addf %a, %b : tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

module @maxout {
  blocks.brick @maxout = "LinearMaxout" {input_dim = 3, output_dim = 2, num_pieces = 3}
  blocks.brick @softsign = "Softsign" {}
  blocks.graph @cost(%x: tensor<?x3xf32> {blocks.source = "x"}) {
    %0 = blocks.apply @maxout::@apply(%x) : (tensor<?x3xf32>) -> tensor<?x2xf32>
    %1 = blocks.apply @softsign::@apply(%0) : (tensor<?x2xf32>) -> tensor<?x2xf32>
    %q = arith.mulf %1, %0 : tensor<?x2xf32>
    %cost = blocks.reduce sum %q dims [0, 1] : tensor<?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

module @parallel {
  blocks.brick @fork = "Fork" {output_names = ["a", "b"], input_dim = 3, output_dims = [2, 4]}
  blocks.brick @distribute = "Distribute" {target_names = ["a", "b"], source_name = "s", target_dims = [2, 4], source_dim = 3}
  blocks.brick @parallel = "Parallel" {input_names = ["a", "b"], input_dims = [2, 4], output_dims = [3, 2]}
  blocks.brick @merge = "Merge" {input_names = ["a", "b"], input_dims = [3, 2], output_dim = 2}
  blocks.graph @cost(%x: tensor<?x3xf32> {blocks.source = "x"}) {
    %a, %b = blocks.apply @fork::@apply(%x) : (tensor<?x3xf32>) -> (tensor<?x2xf32>, tensor<?x4xf32>)
    %ta = math.tanh %a : tensor<?x2xf32>
    %tb = math.tanh %b : tensor<?x4xf32>
    %c, %d = blocks.apply @distribute::@apply(%x, %ta, %tb) : (tensor<?x3xf32>, tensor<?x2xf32>, tensor<?x4xf32>) -> (tensor<?x2xf32>, tensor<?x4xf32>)
    %tc = math.tanh %c : tensor<?x2xf32>
    %td = math.tanh %d : tensor<?x4xf32>
    %e, %f = blocks.apply @parallel::@apply(%tc, %td) : (tensor<?x2xf32>, tensor<?x4xf32>) -> (tensor<?x3xf32>, tensor<?x2xf32>)
    %g = blocks.apply @merge::@apply(%e, %f) : (tensor<?x3xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
    %q = math.tanh %g : tensor<?x2xf32>
    %cost = blocks.reduce sum %q dims [0, 1] : tensor<?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

module @normalization {
  blocks.brick @linear = "Linear" {input_dim = 3, output_dim = 4}
  blocks.brick @batch = "BatchNormalization" {input_dim = 4}
  blocks.brick @layer = "LayerNormalization" {dim = 4}
  blocks.brick @order = "FixedPermutation" {order = [1, 3, 0, 2]}
  blocks.brick @number = "FixedPermutation" {order = [1, 3, 0, 2], dot = false}
  blocks.graph @cost(%x: tensor<?x3xf32> {blocks.source = "x"}) {
    %0 = blocks.apply @linear::@apply(%x) : (tensor<?x3xf32>) -> tensor<?x4xf32>
    %1 = blocks.apply @batch::@apply(%0) : (tensor<?x4xf32>) -> tensor<?x4xf32>
    %2 = blocks.apply @order::@apply(%1) : (tensor<?x4xf32>) -> tensor<?x4xf32>
    %3 = math.sin %2 : tensor<?x4xf32>
    %4 = blocks.apply @layer::@apply(%3) : (tensor<?x4xf32>) -> tensor<?x4xf32>
    %5 = blocks.apply @number::@apply(%4) : (tensor<?x4xf32>) -> tensor<?x4xf32>
    %6 = math.sin %5 : tensor<?x4xf32>
    %cost = blocks.reduce sum %6 dims [0, 1] : tensor<?x4xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

module @spatial {
  blocks.brick @bias = "Bias" {dim = 2}
  blocks.brick @batch = "SpatialBatchNormalization" {input_dim = [3, 2, 2]}
  blocks.graph @cost(%x: tensor<?x3x2x2xf32> {blocks.source = "x"}) {
    %s = math.sin %x : tensor<?x3x2x2xf32>
    %0 = blocks.apply @bias::@apply(%s) : (tensor<?x3x2x2xf32>) -> tensor<?x3x2x2xf32>
    %1 = blocks.apply @batch::@apply(%0) : (tensor<?x3x2x2xf32>) -> tensor<?x3x2x2xf32>
    %2 = math.sin %1 : tensor<?x3x2x2xf32>
    %cost = blocks.reduce sum %2 dims [0, 1, 2, 3] : tensor<?x3x2x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

module @normalized_mlp {
  blocks.brick @mlp = "BatchNormalizedMLP" {dims = [3, 4, 2], activations = ["Tanh", "Logistic"]}
  blocks.brick @binary = "BinaryCrossEntropy" {}
  blocks.brick @absolute = "AbsoluteError" {}
  blocks.graph @cost(%x: tensor<?x3xf32> {blocks.source = "x"}, %y: tensor<?x2xf32> {blocks.source = "y", check.range = [0, 1]}) {
    %p = blocks.apply @mlp::@apply(%x) : (tensor<?x3xf32>) -> tensor<?x2xf32>
    %0 = blocks.apply @binary::@apply(%y, %p) : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<f32>
    %1 = blocks.apply @absolute::@apply(%y, %p) : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<f32>
    %cost = arith.addf %0, %1 : tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

module @softmax {
  blocks.brick @linear = "Linear" {input_dim = 3, output_dim = 4}
  blocks.brick @softmax = "NDimensionalSoftmax" {extra_ndim = 1}
  blocks.graph @cost(%x: tensor<?x2x3xf32> {blocks.source = "x"}, %y: tensor<?x2xui8> {blocks.source = "y", check.range = [0, 4]}) {
    %0 = blocks.apply @linear::@apply(%x) : (tensor<?x2x3xf32>) -> tensor<?x2x4xf32>
    %1 = blocks.apply @softmax::@categorical_cross_entropy(%y, %0) : (tensor<?x2xui8>, tensor<?x2x4xf32>) -> tensor<?x2xf32>
    %cost = blocks.reduce sum %1 dims [0, 1] : tensor<?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}
