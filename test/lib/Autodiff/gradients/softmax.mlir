// Gradients of softmax cross-entropy and of picking by label.
// RUN: blocks-gradcheck %s

module @integer_labels {
  blocks.brick @b {
    blocks.parameter @x : tensor<3x4xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-3, 3]}
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3x4xf64>
    %labels = arith.constant dense<[0, 3, 2]> : tensor<3xi64>
    %y, %lp = blocks.softmax_cross_entropy %x, %labels : tensor<3x4xf64>, tensor<3xi64> to tensor<3xf64>, tensor<3x4xf64>
    %square = arith.mulf %y, %y : tensor<3xf64>
    %third = arith.constant dense<0.3> : tensor<3xf64>
    %linear = arith.mulf %y, %third : tensor<3xf64>
    %weighed = arith.addf %square, %linear : tensor<3xf64>
    %cost = blocks.reduce sum %weighed dims [0] : tensor<3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

// The second result has a gradient of its own.
module @log_probabilities_too {
  blocks.brick @b {
    blocks.parameter @x : tensor<3x4xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-3, 3]}
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3x4xf64>
    %labels = arith.constant dense<[0, 3, 2]> : tensor<3xi64>
    %c, %lp = blocks.softmax_cross_entropy %x, %labels : tensor<3x4xf64>, tensor<3xi64> to tensor<3xf64>, tensor<3x4xf64>
    %r = blocks.reduce sum %lp dims [1] : tensor<3x4xf64> to tensor<3xf64>
    %y = arith.mulf %c, %r : tensor<3xf64>
    %square = arith.mulf %y, %y : tensor<3xf64>
    %third = arith.constant dense<0.3> : tensor<3xf64>
    %linear = arith.mulf %y, %third : tensor<3xf64>
    %weighed = arith.addf %square, %linear : tensor<3xf64>
    %cost = blocks.reduce sum %weighed dims [0] : tensor<3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

// The second row does not sum to 1.
module @distribution {
  blocks.brick @b {
    blocks.parameter @x : tensor<2x3xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-3, 3]}
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<2x3xf64>
    %labels = arith.constant dense<[[0.2, 0.3, 0.5], [0.5, 0.5, 0.5]]> : tensor<2x3xf64>
    %y, %lp = blocks.softmax_cross_entropy %x, %labels : tensor<2x3xf64>, tensor<2x3xf64> to tensor<2xf64>, tensor<2x3xf64>
    %square = arith.mulf %y, %y : tensor<2xf64>
    %third = arith.constant dense<0.3> : tensor<2xf64>
    %linear = arith.mulf %y, %third : tensor<2xf64>
    %weighed = arith.addf %square, %linear : tensor<2xf64>
    %cost = blocks.reduce sum %weighed dims [0] : tensor<2xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @time_axis {
  blocks.brick @b {
    blocks.parameter @x : tensor<2x3x4xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-3, 3]}
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<2x3x4xf64>
    %labels = arith.constant dense<[[0, 3, 2], [1, 1, 0]]> : tensor<2x3xui8>
    %y, %lp = blocks.softmax_cross_entropy %x, %labels : tensor<2x3x4xf64>, tensor<2x3xui8> to tensor<2x3xf64>, tensor<2x3x4xf64>
    %square = arith.mulf %y, %y : tensor<2x3xf64>
    %third = arith.constant dense<0.3> : tensor<2x3xf64>
    %linear = arith.mulf %y, %third : tensor<2x3xf64>
    %weighed = arith.addf %square, %linear : tensor<2x3xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1] : tensor<2x3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @pick {
  blocks.brick @b {
    blocks.parameter @x : tensor<3x4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3x4xf64>
    %labels = arith.constant dense<[0, 3, 2]> : tensor<3xi64>
    %y = blocks.pick %x, %labels : tensor<3x4xf64>, tensor<3xi64> to tensor<3xf64>
    %square = arith.mulf %y, %y : tensor<3xf64>
    %third = arith.constant dense<0.3> : tensor<3xf64>
    %linear = arith.mulf %y, %third : tensor<3xf64>
    %weighed = arith.addf %square, %linear : tensor<3xf64>
    %cost = blocks.reduce sum %weighed dims [0] : tensor<3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @unpick {
  blocks.brick @b {
    blocks.parameter @x : tensor<3xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3xf64>
    %labels = arith.constant dense<[0, 3, 2]> : tensor<3xi64>
    %like = arith.constant dense<0.0> : tensor<3x4xf64>
    %y = blocks.unpick %x, %labels like %like : tensor<3xf64>, tensor<3xi64>, tensor<3x4xf64> to tensor<3x4xf64>
    %square = arith.mulf %y, %y : tensor<3x4xf64>
    %third = arith.constant dense<0.3> : tensor<3x4xf64>
    %linear = arith.mulf %y, %third : tensor<3x4xf64>
    %weighed = arith.addf %square, %linear : tensor<3x4xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1] : tensor<3x4xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}
