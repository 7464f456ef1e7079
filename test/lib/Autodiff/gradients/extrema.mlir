// Gradients of maxima and minima over axes that are neither first nor last.
// RUN: blocks-gradcheck %s

module @max_1 {
  blocks.brick @b {
    blocks.parameter @x : tensor<3x2x4x3xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-3, 3]}
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3x2x4x3xf64>
    %y = blocks.reduce max %x dims [1] : tensor<3x2x4x3xf64> to tensor<3x4x3xf64>
    %q = arith.mulf %y, %y : tensor<3x4x3xf64>
    %cost = blocks.reduce sum %q dims [0, 1, 2] : tensor<3x4x3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @max_0_2 {
  blocks.brick @b {
    blocks.parameter @x : tensor<3x2x4x3xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-3, 3]}
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3x2x4x3xf64>
    %y = blocks.reduce max %x dims [0, 2] : tensor<3x2x4x3xf64> to tensor<2x3xf64>
    %q = arith.mulf %y, %y : tensor<2x3xf64>
    %cost = blocks.reduce sum %q dims [0, 1] : tensor<2x3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @max_1_3 {
  blocks.brick @b {
    blocks.parameter @x : tensor<3x2x4x3xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-3, 3]}
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3x2x4x3xf64>
    %y = blocks.reduce max %x dims [1, 3] : tensor<3x2x4x3xf64> to tensor<3x4xf64>
    %q = arith.mulf %y, %y : tensor<3x4xf64>
    %cost = blocks.reduce sum %q dims [0, 1] : tensor<3x4xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @min_1 {
  blocks.brick @b {
    blocks.parameter @x : tensor<3x2x4x3xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-3, 3]}
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3x2x4x3xf64>
    %y = blocks.reduce min %x dims [1] : tensor<3x2x4x3xf64> to tensor<3x4x3xf64>
    %q = arith.mulf %y, %y : tensor<3x4x3xf64>
    %cost = blocks.reduce sum %q dims [0, 1, 2] : tensor<3x4x3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @min_0_2 {
  blocks.brick @b {
    blocks.parameter @x : tensor<3x2x4x3xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-3, 3]}
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3x2x4x3xf64>
    %y = blocks.reduce min %x dims [0, 2] : tensor<3x2x4x3xf64> to tensor<2x3xf64>
    %q = arith.mulf %y, %y : tensor<2x3xf64>
    %cost = blocks.reduce sum %q dims [0, 1] : tensor<2x3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @min_1_3 {
  blocks.brick @b {
    blocks.parameter @x : tensor<3x2x4x3xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-3, 3]}
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3x2x4x3xf64>
    %y = blocks.reduce min %x dims [1, 3] : tensor<3x2x4x3xf64> to tensor<3x4xf64>
    %q = arith.mulf %y, %y : tensor<3x4xf64>
    %cost = blocks.reduce sum %q dims [0, 1] : tensor<3x4xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}
