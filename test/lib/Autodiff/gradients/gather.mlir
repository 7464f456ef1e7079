// Gradients of rows by number: duplicates are summed, an index out of range has
// no gradient; and of the gradient itself.
// RUN: blocks-gradcheck %s

module @duplicates {
  blocks.brick @b {
    blocks.parameter @w : tensor<5x3xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-2, 2]}
  }
  blocks.graph @cost() {
    %w = blocks.get @b::@w : tensor<5x3xf64>
    %i = arith.constant dense<[[1, 4, 1], [0, 1, 4]]> : tensor<2x3xi8>
    %y = blocks.gather %w, %i : tensor<5x3xf64>, tensor<2x3xi8> to tensor<2x3x3xf64>
    %s = math.sin %y : tensor<2x3x3xf64>
    %q = arith.mulf %s, %y : tensor<2x3x3xf64>
    %cost = blocks.reduce sum %q dims [0, 1, 2] : tensor<2x3x3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @scalar_index {
  blocks.brick @b {
    blocks.parameter @w : tensor<5x2x3xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-2, 2]}
  }
  blocks.graph @cost() {
    %w = blocks.get @b::@w : tensor<5x2x3xf64>
    %i = arith.constant dense<3> : tensor<i64>
    %y = blocks.gather %w, %i : tensor<5x2x3xf64>, tensor<i64> to tensor<2x3xf64>
    %q = arith.mulf %y, %y : tensor<2x3xf64>
    %cost = blocks.reduce sum %q dims [0, 1] : tensor<2x3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @of_a_vector {
  blocks.brick @b {
    blocks.parameter @w : tensor<5xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-2, 2]}
  }
  blocks.graph @cost() {
    %w = blocks.get @b::@w : tensor<5xf64>
    %i = arith.constant dense<[3, 3, 0, 2]> : tensor<4xui8>
    %y = blocks.gather %w, %i : tensor<5xf64>, tensor<4xui8> to tensor<4xf64>
    %q = arith.mulf %y, %y : tensor<4xf64>
    %cost = blocks.reduce sum %q dims [0] : tensor<4xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @scatter_add {
  blocks.brick @b {
    blocks.parameter @r : tensor<4x3xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-2, 2]}
  }
  blocks.graph @cost() {
    %r = blocks.get @b::@r : tensor<4x3xf64>
    %like = arith.constant dense<0.0> : tensor<5x3xf64>
    %i = arith.constant dense<[3, 1, 3, 0]> : tensor<4xi32>
    %y = blocks.scatter_add %r, %i like %like : tensor<4x3xf64>, tensor<4xi32>, tensor<5x3xf64>
    %q = arith.mulf %y, %y : tensor<5x3xf64>
    %cost = blocks.reduce sum %q dims [0, 1] : tensor<5x3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

// In a loop, of a table outside of it: one scatter_add after the loop.
module @in_a_scan {
  blocks.brick @b {
    blocks.parameter @w : tensor<4x3xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-1, 1]}
    blocks.parameter @u : tensor<3x3xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-1, 1]}
  }
  blocks.graph @cost() {
    %w = blocks.get @b::@w : tensor<4x3xf64>
    %u = blocks.get @b::@u : tensor<3x3xf64>
    %i = arith.constant dense<[[1, 2], [0, 2], [3, 3]]> : tensor<3x2xi8>
    %h0 = arith.constant dense<0.5> : tensor<2x3xf64>
    %hs = blocks.scan sequences(%i) states(%h0) : (tensor<3x2xi8>, tensor<2x3xf64>) -> tensor<3x2x3xf64> {
    ^bb0(%t: index, %k: tensor<2xi8>, %h: tensor<2x3xf64>):
      %x = blocks.gather %w, %k : tensor<4x3xf64>, tensor<2xi8> to tensor<2x3xf64>
      %p = blocks.matmul %h, %u : tensor<2x3xf64>, tensor<3x3xf64> to tensor<2x3xf64>
      %a = arith.addf %p, %x : tensor<2x3xf64>
      %n = math.tanh %a : tensor<2x3xf64>
      blocks.yield states(%n : tensor<2x3xf64>)
    }
    %cost = blocks.reduce sum %hs dims [0, 1, 2] : tensor<3x2x3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}
