// Gradients of a concatenation: each part gets its piece.
// RUN: blocks-gradcheck %s

module @axis_1 {
  blocks.brick @b {
    blocks.parameter @x : tensor<2x3x2xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-2, 2]}
    blocks.parameter @y : tensor<2x1x2xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-2, 2]}
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<2x3x2xf64>
    %y = blocks.get @b::@y : tensor<2x1x2xf64>
    %c = tensor.concat dim(1) %x, %y, %x : (tensor<2x3x2xf64>, tensor<2x1x2xf64>, tensor<2x3x2xf64>) -> tensor<2x7x2xf64>
    %w = arith.constant dense<[[0.5], [-1.0], [2.0], [1.5], [-0.25], [0.75], [3.0]]> : tensor<7x1xf64>
    %v = tensor.collapse_shape %w [[0, 1]] : tensor<7x1xf64> into tensor<7xf64>
    %s = blocks.broadcast %v like %c dims [1] : tensor<7xf64>, tensor<2x7x2xf64>
    %t = arith.mulf %s, %c : tensor<2x7x2xf64>
    %q = math.tanh %t : tensor<2x7x2xf64>
    %cost = blocks.reduce sum %q dims [0, 1, 2] : tensor<2x7x2xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}
