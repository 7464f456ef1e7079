// Gradients of products, with and without transposes.
// RUN: blocks-gradcheck %s

module @matmul {
  blocks.brick @b {
    blocks.parameter @a : tensor<3x4xf64> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @c : tensor<4x2xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %a = blocks.get @b::@a : tensor<3x4xf64>
    %c = blocks.get @b::@c : tensor<4x2xf64>
    %y = blocks.matmul %a, %c : tensor<3x4xf64>, tensor<4x2xf64> to tensor<3x2xf64>
    %square = arith.mulf %y, %y : tensor<3x2xf64>
    %third = arith.constant dense<0.3> : tensor<3x2xf64>
    %linear = arith.mulf %y, %third : tensor<3x2xf64>
    %weighed = arith.addf %square, %linear : tensor<3x2xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1] : tensor<3x2xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @matmul_right {
  blocks.brick @b {
    blocks.parameter @a : tensor<3x4xf64> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @c : tensor<2x4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %a = blocks.get @b::@a : tensor<3x4xf64>
    %c = blocks.get @b::@c : tensor<2x4xf64>
    %y = blocks.matmul %a, %c transposed : tensor<3x4xf64>, tensor<2x4xf64> to tensor<3x2xf64>
    %square = arith.mulf %y, %y : tensor<3x2xf64>
    %third = arith.constant dense<0.3> : tensor<3x2xf64>
    %linear = arith.mulf %y, %third : tensor<3x2xf64>
    %weighed = arith.addf %square, %linear : tensor<3x2xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1] : tensor<3x2xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @matmul_left {
  blocks.brick @b {
    blocks.parameter @a : tensor<4x3xf64> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @c : tensor<4x2xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %a = blocks.get @b::@a : tensor<4x3xf64>
    %c = blocks.get @b::@c : tensor<4x2xf64>
    %y = blocks.matmul %a transposed, %c : tensor<4x3xf64>, tensor<4x2xf64> to tensor<3x2xf64>
    %square = arith.mulf %y, %y : tensor<3x2xf64>
    %third = arith.constant dense<0.3> : tensor<3x2xf64>
    %linear = arith.mulf %y, %third : tensor<3x2xf64>
    %weighed = arith.addf %square, %linear : tensor<3x2xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1] : tensor<3x2xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @matmul_left_right {
  blocks.brick @b {
    blocks.parameter @a : tensor<4x3xf64> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @c : tensor<2x4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %a = blocks.get @b::@a : tensor<4x3xf64>
    %c = blocks.get @b::@c : tensor<2x4xf64>
    %y = blocks.matmul %a transposed, %c transposed : tensor<4x3xf64>, tensor<2x4xf64> to tensor<3x2xf64>
    %square = arith.mulf %y, %y : tensor<3x2xf64>
    %third = arith.constant dense<0.3> : tensor<3x2xf64>
    %linear = arith.mulf %y, %third : tensor<3x2xf64>
    %weighed = arith.addf %square, %linear : tensor<3x2xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1] : tensor<3x2xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @same_matrix_twice {
  blocks.brick @b {
    blocks.parameter @a : tensor<3x3xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %a = blocks.get @b::@a : tensor<3x3xf64>
    %y = blocks.matmul %a, %a transposed : tensor<3x3xf64>, tensor<3x3xf64> to tensor<3x3xf64>
    %square = arith.mulf %y, %y : tensor<3x3xf64>
    %third = arith.constant dense<0.3> : tensor<3x3xf64>
    %linear = arith.mulf %y, %third : tensor<3x3xf64>
    %weighed = arith.addf %square, %linear : tensor<3x3xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1] : tensor<3x3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}
