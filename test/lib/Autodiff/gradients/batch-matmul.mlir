// Gradients of stacks of products, each of the four transpositions.
// RUN: blocks-gradcheck %s

module @transposed_00 {
  blocks.brick @b {
    blocks.parameter @a : tensor<2x2x3x5xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-2, 2]}
    blocks.parameter @b : tensor<2x2x5x4xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-2, 2]}
  }
  blocks.graph @cost() {
    %a = blocks.get @b::@a : tensor<2x2x3x5xf64>
    %b = blocks.get @b::@b : tensor<2x2x5x4xf64>
    %y = blocks.batch_matmul %a, %b : tensor<2x2x3x5xf64>, tensor<2x2x5x4xf64> to tensor<2x2x3x4xf64>
    %t = math.tanh %y : tensor<2x2x3x4xf64>
    %q = arith.mulf %t, %y : tensor<2x2x3x4xf64>
    %cost = blocks.reduce sum %q dims [0, 1, 2, 3] : tensor<2x2x3x4xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @transposed_01 {
  blocks.brick @b {
    blocks.parameter @a : tensor<2x2x3x5xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-2, 2]}
    blocks.parameter @b : tensor<2x2x4x5xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-2, 2]}
  }
  blocks.graph @cost() {
    %a = blocks.get @b::@a : tensor<2x2x3x5xf64>
    %b = blocks.get @b::@b : tensor<2x2x4x5xf64>
    %y = blocks.batch_matmul %a, %b transposed : tensor<2x2x3x5xf64>, tensor<2x2x4x5xf64> to tensor<2x2x3x4xf64>
    %t = math.tanh %y : tensor<2x2x3x4xf64>
    %q = arith.mulf %t, %y : tensor<2x2x3x4xf64>
    %cost = blocks.reduce sum %q dims [0, 1, 2, 3] : tensor<2x2x3x4xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @transposed_10 {
  blocks.brick @b {
    blocks.parameter @a : tensor<2x2x5x3xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-2, 2]}
    blocks.parameter @b : tensor<2x2x5x4xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-2, 2]}
  }
  blocks.graph @cost() {
    %a = blocks.get @b::@a : tensor<2x2x5x3xf64>
    %b = blocks.get @b::@b : tensor<2x2x5x4xf64>
    %y = blocks.batch_matmul %a transposed, %b : tensor<2x2x5x3xf64>, tensor<2x2x5x4xf64> to tensor<2x2x3x4xf64>
    %t = math.tanh %y : tensor<2x2x3x4xf64>
    %q = arith.mulf %t, %y : tensor<2x2x3x4xf64>
    %cost = blocks.reduce sum %q dims [0, 1, 2, 3] : tensor<2x2x3x4xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @transposed_11 {
  blocks.brick @b {
    blocks.parameter @a : tensor<2x2x5x3xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-2, 2]}
    blocks.parameter @b : tensor<2x2x4x5xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-2, 2]}
  }
  blocks.graph @cost() {
    %a = blocks.get @b::@a : tensor<2x2x5x3xf64>
    %b = blocks.get @b::@b : tensor<2x2x4x5xf64>
    %y = blocks.batch_matmul %a transposed, %b transposed : tensor<2x2x5x3xf64>, tensor<2x2x4x5xf64> to tensor<2x2x3x4xf64>
    %t = math.tanh %y : tensor<2x2x3x4xf64>
    %q = arith.mulf %t, %y : tensor<2x2x3x4xf64>
    %cost = blocks.reduce sum %q dims [0, 1, 2, 3] : tensor<2x2x3x4xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}
