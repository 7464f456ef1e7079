// Gradients of convolutions and pools, and of the gradients that have one.
// RUN: blocks-gradcheck %s

module @valid {
  blocks.brick @b {
    blocks.parameter @x : tensor<2x2x4x5xf64> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @w : tensor<3x2x2x3xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<2x2x4x5xf64>
    %w = blocks.get @b::@w : tensor<3x2x2x3xf64>
    %y = blocks.convolution %x, %w strides [1, 1] padding [0, 0, 0, 0] : tensor<2x2x4x5xf64>, tensor<3x2x2x3xf64> to tensor<2x3x3x3xf64>
    %square = arith.mulf %y, %y : tensor<2x3x3x3xf64>
    %cost = blocks.reduce sum %square dims [0, 1, 2, 3] : tensor<2x3x3x3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @flipped {
  blocks.brick @b {
    blocks.parameter @x : tensor<1x2x4x4xf64> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @w : tensor<2x2x3x2xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<1x2x4x4xf64>
    %w = blocks.get @b::@w : tensor<2x2x3x2xf64>
    %y = blocks.convolution flipped %x, %w strides [1, 1] padding [0, 0, 0, 0] : tensor<1x2x4x4xf64>, tensor<2x2x3x2xf64> to tensor<1x2x2x3xf64>
    %square = arith.mulf %y, %y : tensor<1x2x2x3xf64>
    %cost = blocks.reduce sum %square dims [0, 1, 2, 3] : tensor<1x2x2x3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @full_flipped {
  blocks.brick @b {
    blocks.parameter @x : tensor<1x1x3x3xf64> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @w : tensor<2x1x2x3xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<1x1x3x3xf64>
    %w = blocks.get @b::@w : tensor<2x1x2x3xf64>
    %y = blocks.convolution flipped %x, %w strides [1, 1] padding [1, 1, 2, 2] : tensor<1x1x3x3xf64>, tensor<2x1x2x3xf64> to tensor<1x2x4x5xf64>
    %square = arith.mulf %y, %y : tensor<1x2x4x5xf64>
    %cost = blocks.reduce sum %square dims [0, 1, 2, 3] : tensor<1x2x4x5xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @strides {
  blocks.brick @b {
    blocks.parameter @x : tensor<2x1x7x6xf64> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @w : tensor<2x1x3x2xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<2x1x7x6xf64>
    %w = blocks.get @b::@w : tensor<2x1x3x2xf64>
    %y = blocks.convolution %x, %w strides [2, 3] padding [1, 1, 0, 0] : tensor<2x1x7x6xf64>, tensor<2x1x3x2xf64> to tensor<2x2x4x2xf64>
    %square = arith.mulf %y, %y : tensor<2x2x4x2xf64>
    %cost = blocks.reduce sum %square dims [0, 1, 2, 3] : tensor<2x2x4x2xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @unused_edge {
  blocks.brick @b {
    blocks.parameter @x : tensor<1x2x6x6xf64> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @w : tensor<1x2x3x3xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<1x2x6x6xf64>
    %w = blocks.get @b::@w : tensor<1x2x3x3xf64>
    %y = blocks.convolution %x, %w strides [2, 2] padding [0, 0, 0, 0] : tensor<1x2x6x6xf64>, tensor<1x2x3x3xf64> to tensor<1x1x2x2xf64>
    %square = arith.mulf %y, %y : tensor<1x1x2x2xf64>
    %cost = blocks.reduce sum %square dims [0, 1, 2, 3] : tensor<1x1x2x2xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @one_by_one {
  blocks.brick @b {
    blocks.parameter @x : tensor<1x1x1x1xf64> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @w : tensor<1x1x1x1xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<1x1x1x1xf64>
    %w = blocks.get @b::@w : tensor<1x1x1x1xf64>
    %y = blocks.convolution %x, %w strides [1, 1] padding [0, 0, 0, 0] : tensor<1x1x1x1xf64>, tensor<1x1x1x1xf64> to tensor<1x1x1x1xf64>
    %square = arith.mulf %y, %y : tensor<1x1x1x1xf64>
    %cost = blocks.reduce sum %square dims [0, 1, 2, 3] : tensor<1x1x1x1xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @input_grad {
  blocks.brick @b {
    blocks.parameter @a : tensor<1x2x3x2xf64> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @c : tensor<2x2x2x3xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %a = blocks.get @b::@a : tensor<1x2x3x2xf64>
    %c = blocks.get @b::@c : tensor<2x2x2x3xf64>
    %y = blocks.convolution_input_grad %a, %c strides [2, 1] padding [0, 1, 0, 0] : tensor<1x2x3x2xf64>, tensor<2x2x2x3xf64> to tensor<1x2x6x4xf64>
    %square = arith.mulf %y, %y : tensor<1x2x6x4xf64>
    %cost = blocks.reduce sum %square dims [0, 1, 2, 3] : tensor<1x2x6x4xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @input_grad_flipped {
  blocks.brick @b {
    blocks.parameter @a : tensor<1x2x3x2xf64> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @c : tensor<2x1x2x2xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %a = blocks.get @b::@a : tensor<1x2x3x2xf64>
    %c = blocks.get @b::@c : tensor<2x1x2x2xf64>
    %y = blocks.convolution_input_grad flipped %a, %c strides [1, 1] padding [0, 0, 0, 0] : tensor<1x2x3x2xf64>, tensor<2x1x2x2xf64> to tensor<1x1x4x3xf64>
    %square = arith.mulf %y, %y : tensor<1x1x4x3xf64>
    %cost = blocks.reduce sum %square dims [0, 1, 2, 3] : tensor<1x1x4x3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @filter_grad {
  blocks.brick @b {
    blocks.parameter @a : tensor<2x2x5x4xf64> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @c : tensor<2x1x2x4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %a = blocks.get @b::@a : tensor<2x2x5x4xf64>
    %c = blocks.get @b::@c : tensor<2x1x2x4xf64>
    %y = blocks.convolution_filter_grad %a, %c strides [2, 1] padding [0, 0, 1, 0] : tensor<2x2x5x4xf64>, tensor<2x1x2x4xf64> to tensor<1x2x2x2xf64>
    %square = arith.mulf %y, %y : tensor<1x2x2x2xf64>
    %cost = blocks.reduce sum %square dims [0, 1, 2, 3] : tensor<1x2x2x2xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @filter_grad_flipped {
  blocks.brick @b {
    blocks.parameter @a : tensor<1x1x4x4xf64> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @c : tensor<1x2x2x3xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %a = blocks.get @b::@a : tensor<1x1x4x4xf64>
    %c = blocks.get @b::@c : tensor<1x2x2x3xf64>
    %y = blocks.convolution_filter_grad flipped %a, %c strides [1, 1] padding [0, 0, 0, 0] : tensor<1x1x4x4xf64>, tensor<1x2x2x3xf64> to tensor<2x1x3x2xf64>
    %square = arith.mulf %y, %y : tensor<2x1x3x2xf64>
    %cost = blocks.reduce sum %square dims [0, 1, 2, 3] : tensor<2x1x3x2xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @max {
  blocks.brick @b {
    blocks.parameter @x : tensor<2x2x4x5xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<2x2x4x5xf64>
    %y = blocks.pool max %x window [2, 2] strides [2, 2] padding [0, 0] : tensor<2x2x4x5xf64> to tensor<2x2x2x2xf64>
    %square = arith.mulf %y, %y : tensor<2x2x2x2xf64>
    %third = arith.constant dense<0.3> : tensor<2x2x2x2xf64>
    %linear = arith.mulf %y, %third : tensor<2x2x2x2xf64>
    %weighed = arith.addf %square, %linear : tensor<2x2x2x2xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1, 2, 3] : tensor<2x2x2x2xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @max_overlapping {
  blocks.brick @b {
    blocks.parameter @x : tensor<1x1x5x5xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<1x1x5x5xf64>
    %y = blocks.pool max %x window [3, 3] strides [2, 2] padding [1, 1] : tensor<1x1x5x5xf64> to tensor<1x1x3x3xf64>
    %square = arith.mulf %y, %y : tensor<1x1x3x3xf64>
    %third = arith.constant dense<0.3> : tensor<1x1x3x3xf64>
    %linear = arith.mulf %y, %third : tensor<1x1x3x3xf64>
    %weighed = arith.addf %square, %linear : tensor<1x1x3x3xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1, 2, 3] : tensor<1x1x3x3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @max_partial {
  blocks.brick @b {
    blocks.parameter @x : tensor<1x2x5x4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<1x2x5x4xf64>
    %y = blocks.pool max %x window [2, 3] strides [2, 3] padding [0, 0] partial : tensor<1x2x5x4xf64> to tensor<1x2x3x2xf64>
    %square = arith.mulf %y, %y : tensor<1x2x3x2xf64>
    %third = arith.constant dense<0.3> : tensor<1x2x3x2xf64>
    %linear = arith.mulf %y, %third : tensor<1x2x3x2xf64>
    %weighed = arith.addf %square, %linear : tensor<1x2x3x2xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1, 2, 3] : tensor<1x2x3x2xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @average {
  blocks.brick @b {
    blocks.parameter @x : tensor<1x2x4x5xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<1x2x4x5xf64>
    %y = blocks.pool average %x window [3, 3] strides [2, 2] padding [1, 1] : tensor<1x2x4x5xf64> to tensor<1x2x2x3xf64>
    %square = arith.mulf %y, %y : tensor<1x2x2x3xf64>
    %third = arith.constant dense<0.3> : tensor<1x2x2x3xf64>
    %linear = arith.mulf %y, %third : tensor<1x2x2x3xf64>
    %weighed = arith.addf %square, %linear : tensor<1x2x2x3xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1, 2, 3] : tensor<1x2x2x3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @average_partial {
  blocks.brick @b {
    blocks.parameter @x : tensor<1x1x6x5xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<1x1x6x5xf64>
    %y = blocks.pool average %x window [3, 3] strides [2, 2] padding [0, 0] partial : tensor<1x1x6x5xf64> to tensor<1x1x3x2xf64>
    %square = arith.mulf %y, %y : tensor<1x1x3x2xf64>
    %third = arith.constant dense<0.3> : tensor<1x1x3x2xf64>
    %linear = arith.mulf %y, %third : tensor<1x1x3x2xf64>
    %weighed = arith.addf %square, %linear : tensor<1x1x3x2xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1, 2, 3] : tensor<1x1x3x2xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @average_padded {
  blocks.brick @b {
    blocks.parameter @x : tensor<1x2x4x5xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<1x2x4x5xf64>
    %y = blocks.pool average_padded %x window [3, 3] strides [2, 2] padding [1, 1] : tensor<1x2x4x5xf64> to tensor<1x2x2x3xf64>
    %square = arith.mulf %y, %y : tensor<1x2x2x3xf64>
    %third = arith.constant dense<0.3> : tensor<1x2x2x3xf64>
    %linear = arith.mulf %y, %third : tensor<1x2x2x3xf64>
    %weighed = arith.addf %square, %linear : tensor<1x2x2x3xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1, 2, 3] : tensor<1x2x2x3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @average_grad {
  blocks.brick @b {
    blocks.parameter @x : tensor<1x2x2x3xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<1x2x2x3xf64>
    %like = arith.constant dense<0.0> : tensor<1x2x4x5xf64>
    %y = blocks.pool_grad average %like, %x window [3, 3] strides [2, 2] padding [1, 1] : tensor<1x2x4x5xf64>, tensor<1x2x2x3xf64>
    %square = arith.mulf %y, %y : tensor<1x2x4x5xf64>
    %third = arith.constant dense<0.3> : tensor<1x2x4x5xf64>
    %linear = arith.mulf %y, %third : tensor<1x2x4x5xf64>
    %weighed = arith.addf %square, %linear : tensor<1x2x4x5xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1, 2, 3] : tensor<1x2x4x5xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @average_padded_grad {
  blocks.brick @b {
    blocks.parameter @x : tensor<1x1x2x3xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<1x1x2x3xf64>
    %like = arith.constant dense<0.0> : tensor<1x1x4x5xf64>
    %y = blocks.pool_grad average_padded %like, %x window [3, 3] strides [2, 2] padding [1, 1] : tensor<1x1x4x5xf64>, tensor<1x1x2x3xf64>
    %square = arith.mulf %y, %y : tensor<1x1x4x5xf64>
    %third = arith.constant dense<0.3> : tensor<1x1x4x5xf64>
    %linear = arith.mulf %y, %third : tensor<1x1x4x5xf64>
    %weighed = arith.addf %square, %linear : tensor<1x1x4x5xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1, 2, 3] : tensor<1x1x4x5xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}
