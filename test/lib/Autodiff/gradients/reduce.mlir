// Gradients of reductions, over first, last, outer and all axes. A maximum sends its
// gradient to one element.
// RUN: blocks-gradcheck %s

module @sum_0 {
  blocks.brick @b {
    blocks.parameter @x : tensor<3x4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3x4xf64>
    %y = blocks.reduce sum %x dims [0] : tensor<3x4xf64> to tensor<4xf64>
    %square = arith.mulf %y, %y : tensor<4xf64>
    %third = arith.constant dense<0.3> : tensor<4xf64>
    %linear = arith.mulf %y, %third : tensor<4xf64>
    %weighed = arith.addf %square, %linear : tensor<4xf64>
    %cost = blocks.reduce sum %weighed dims [0] : tensor<4xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @sum_1 {
  blocks.brick @b {
    blocks.parameter @x : tensor<3x4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3x4xf64>
    %y = blocks.reduce sum %x dims [1] : tensor<3x4xf64> to tensor<3xf64>
    %square = arith.mulf %y, %y : tensor<3xf64>
    %third = arith.constant dense<0.3> : tensor<3xf64>
    %linear = arith.mulf %y, %third : tensor<3xf64>
    %weighed = arith.addf %square, %linear : tensor<3xf64>
    %cost = blocks.reduce sum %weighed dims [0] : tensor<3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @sum_outer_axes {
  blocks.brick @b {
    blocks.parameter @x : tensor<2x3x4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<2x3x4xf64>
    %y = blocks.reduce sum %x dims [0, 2] : tensor<2x3x4xf64> to tensor<3xf64>
    %square = arith.mulf %y, %y : tensor<3xf64>
    %third = arith.constant dense<0.3> : tensor<3xf64>
    %linear = arith.mulf %y, %third : tensor<3xf64>
    %weighed = arith.addf %square, %linear : tensor<3xf64>
    %cost = blocks.reduce sum %weighed dims [0] : tensor<3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @sum_everything {
  blocks.brick @b {
    blocks.parameter @x : tensor<3x4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3x4xf64>
    %s = blocks.reduce sum %x dims [0, 1] : tensor<3x4xf64> to tensor<f64>
    %cost = math.sin %s : tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @max_0 {
  blocks.brick @b {
    blocks.parameter @x : tensor<3x4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3x4xf64>
    %y = blocks.reduce max %x dims [0] : tensor<3x4xf64> to tensor<4xf64>
    %square = arith.mulf %y, %y : tensor<4xf64>
    %third = arith.constant dense<0.3> : tensor<4xf64>
    %linear = arith.mulf %y, %third : tensor<4xf64>
    %weighed = arith.addf %square, %linear : tensor<4xf64>
    %cost = blocks.reduce sum %weighed dims [0] : tensor<4xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @max_1 {
  blocks.brick @b {
    blocks.parameter @x : tensor<3x4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3x4xf64>
    %y = blocks.reduce max %x dims [1] : tensor<3x4xf64> to tensor<3xf64>
    %square = arith.mulf %y, %y : tensor<3xf64>
    %third = arith.constant dense<0.3> : tensor<3xf64>
    %linear = arith.mulf %y, %third : tensor<3xf64>
    %weighed = arith.addf %square, %linear : tensor<3xf64>
    %cost = blocks.reduce sum %weighed dims [0] : tensor<3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @max_last_axes {
  blocks.brick @b {
    blocks.parameter @x : tensor<2x3x4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<2x3x4xf64>
    %y = blocks.reduce max %x dims [1, 2] : tensor<2x3x4xf64> to tensor<2xf64>
    %square = arith.mulf %y, %y : tensor<2xf64>
    %third = arith.constant dense<0.3> : tensor<2xf64>
    %linear = arith.mulf %y, %third : tensor<2xf64>
    %weighed = arith.addf %square, %linear : tensor<2xf64>
    %cost = blocks.reduce sum %weighed dims [0] : tensor<2xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @max_everything {
  blocks.brick @b {
    blocks.parameter @x : tensor<3x4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3x4xf64>
    %s = blocks.reduce max %x dims [0, 1] : tensor<3x4xf64> to tensor<f64>
    %cost = math.sin %s : tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @min_0 {
  blocks.brick @b {
    blocks.parameter @x : tensor<3x4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3x4xf64>
    %y = blocks.reduce min %x dims [0] : tensor<3x4xf64> to tensor<4xf64>
    %square = arith.mulf %y, %y : tensor<4xf64>
    %third = arith.constant dense<0.3> : tensor<4xf64>
    %linear = arith.mulf %y, %third : tensor<4xf64>
    %weighed = arith.addf %square, %linear : tensor<4xf64>
    %cost = blocks.reduce sum %weighed dims [0] : tensor<4xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @min_1 {
  blocks.brick @b {
    blocks.parameter @x : tensor<3x4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3x4xf64>
    %y = blocks.reduce min %x dims [1] : tensor<3x4xf64> to tensor<3xf64>
    %square = arith.mulf %y, %y : tensor<3xf64>
    %third = arith.constant dense<0.3> : tensor<3xf64>
    %linear = arith.mulf %y, %third : tensor<3xf64>
    %weighed = arith.addf %square, %linear : tensor<3xf64>
    %cost = blocks.reduce sum %weighed dims [0] : tensor<3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @min_last_axes {
  blocks.brick @b {
    blocks.parameter @x : tensor<2x3x4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<2x3x4xf64>
    %y = blocks.reduce min %x dims [1, 2] : tensor<2x3x4xf64> to tensor<2xf64>
    %square = arith.mulf %y, %y : tensor<2xf64>
    %third = arith.constant dense<0.3> : tensor<2xf64>
    %linear = arith.mulf %y, %third : tensor<2xf64>
    %weighed = arith.addf %square, %linear : tensor<2xf64>
    %cost = blocks.reduce sum %weighed dims [0] : tensor<2xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @min_everything {
  blocks.brick @b {
    blocks.parameter @x : tensor<3x4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3x4xf64>
    %s = blocks.reduce min %x dims [0, 1] : tensor<3x4xf64> to tensor<f64>
    %cost = math.sin %s : tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}
