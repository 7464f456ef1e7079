// Gradients of broadcasts, reshapes and casts.
// RUN: blocks-gradcheck %s

module @broadcast_row {
  blocks.brick @b {
    blocks.parameter @x : tensor<4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<4xf64>
    %like = arith.constant dense<0.0> : tensor<3x4xf64>
    %b = blocks.broadcast %x like %like dims [1] : tensor<4xf64>, tensor<3x4xf64>
    %y = math.sin %b : tensor<3x4xf64>
    %square = arith.mulf %y, %y : tensor<3x4xf64>
    %third = arith.constant dense<0.3> : tensor<3x4xf64>
    %linear = arith.mulf %y, %third : tensor<3x4xf64>
    %weighed = arith.addf %square, %linear : tensor<3x4xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1] : tensor<3x4xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @broadcast_column {
  blocks.brick @b {
    blocks.parameter @x : tensor<3xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3xf64>
    %like = arith.constant dense<0.0> : tensor<3x4xf64>
    %b = blocks.broadcast %x like %like dims [0] : tensor<3xf64>, tensor<3x4xf64>
    %y = math.sin %b : tensor<3x4xf64>
    %square = arith.mulf %y, %y : tensor<3x4xf64>
    %third = arith.constant dense<0.3> : tensor<3x4xf64>
    %linear = arith.mulf %y, %third : tensor<3x4xf64>
    %weighed = arith.addf %square, %linear : tensor<3x4xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1] : tensor<3x4xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @broadcast_matrix_over_time {
  blocks.brick @b {
    blocks.parameter @x : tensor<3x4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3x4xf64>
    %like = arith.constant dense<0.0> : tensor<2x3x4xf64>
    %b = blocks.broadcast %x like %like dims [1, 2] : tensor<3x4xf64>, tensor<2x3x4xf64>
    %y = math.sin %b : tensor<2x3x4xf64>
    %square = arith.mulf %y, %y : tensor<2x3x4xf64>
    %third = arith.constant dense<0.3> : tensor<2x3x4xf64>
    %linear = arith.mulf %y, %third : tensor<2x3x4xf64>
    %weighed = arith.addf %square, %linear : tensor<2x3x4xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1, 2] : tensor<2x3x4xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @broadcast_outer_axes {
  blocks.brick @b {
    blocks.parameter @x : tensor<2x4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<2x4xf64>
    %like = arith.constant dense<0.0> : tensor<2x3x4xf64>
    %b = blocks.broadcast %x like %like dims [0, 2] : tensor<2x4xf64>, tensor<2x3x4xf64>
    %y = math.sin %b : tensor<2x3x4xf64>
    %square = arith.mulf %y, %y : tensor<2x3x4xf64>
    %third = arith.constant dense<0.3> : tensor<2x3x4xf64>
    %linear = arith.mulf %y, %third : tensor<2x3x4xf64>
    %weighed = arith.addf %square, %linear : tensor<2x3x4xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1, 2] : tensor<2x3x4xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @broadcast_nothing_new {
  blocks.brick @b {
    blocks.parameter @x : tensor<3x4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3x4xf64>
    %like = arith.constant dense<0.0> : tensor<3x4xf64>
    %b = blocks.broadcast %x like %like dims [0, 1] : tensor<3x4xf64>, tensor<3x4xf64>
    %y = math.sin %b : tensor<3x4xf64>
    %square = arith.mulf %y, %y : tensor<3x4xf64>
    %third = arith.constant dense<0.3> : tensor<3x4xf64>
    %linear = arith.mulf %y, %third : tensor<3x4xf64>
    %weighed = arith.addf %square, %linear : tensor<3x4xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1] : tensor<3x4xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @broadcast_scalar {
  blocks.brick @b {
    blocks.parameter @x : tensor<f64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<f64>
    %like = arith.constant dense<0.0> : tensor<3x4xf64>
    %b = blocks.broadcast %x like %like dims [] : tensor<f64>, tensor<3x4xf64>
    %square = arith.mulf %b, %b : tensor<3x4xf64>
    %third = arith.constant dense<0.3> : tensor<3x4xf64>
    %linear = arith.mulf %b, %third : tensor<3x4xf64>
    %weighed = arith.addf %square, %linear : tensor<3x4xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1] : tensor<3x4xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @broadcast_over_the_batch {
  blocks.brick @b {
    blocks.parameter @x : tensor<4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost(%in: tensor<?x4xf64> {blocks.source = "x"}) {
    %x = blocks.get @b::@x : tensor<4xf64>
    %b = blocks.broadcast %x like %in dims [1] : tensor<4xf64>, tensor<?x4xf64>
    %p = arith.mulf %b, %in : tensor<?x4xf64>
    %y = math.tanh %p : tensor<?x4xf64>
    %s = blocks.reduce sum %y dims [0, 1] : tensor<?x4xf64> to tensor<f64>
    %n = blocks.extent %in dims [0] : tensor<?x4xf64> to tensor<f64>
    %cost = arith.divf %s, %n : tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @collapse {
  blocks.brick @b {
    blocks.parameter @x : tensor<2x3x4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<2x3x4xf64>
    %y = tensor.collapse_shape %x [[0], [1, 2]] : tensor<2x3x4xf64> into tensor<2x12xf64>
    %square = arith.mulf %y, %y : tensor<2x12xf64>
    %third = arith.constant dense<0.3> : tensor<2x12xf64>
    %linear = arith.mulf %y, %third : tensor<2x12xf64>
    %weighed = arith.addf %square, %linear : tensor<2x12xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1] : tensor<2x12xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @expand {
  blocks.brick @b {
    blocks.parameter @x : tensor<2x12xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<2x12xf64>
    %y = tensor.expand_shape %x [[0], [1, 2]] output_shape [2, 3, 4] : tensor<2x12xf64> into tensor<2x3x4xf64>
    %square = arith.mulf %y, %y : tensor<2x3x4xf64>
    %third = arith.constant dense<0.3> : tensor<2x3x4xf64>
    %linear = arith.mulf %y, %third : tensor<2x3x4xf64>
    %weighed = arith.addf %square, %linear : tensor<2x3x4xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1, 2] : tensor<2x3x4xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @tag {
  blocks.brick @b {
    blocks.parameter @x : tensor<3x4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3x4xf64>
    %y = blocks.tag %x <"/b", "apply", "output", [output], "b.apply#0"> : tensor<3x4xf64>
    %square = arith.mulf %y, %y : tensor<3x4xf64>
    %third = arith.constant dense<0.3> : tensor<3x4xf64>
    %linear = arith.mulf %y, %third : tensor<3x4xf64>
    %weighed = arith.addf %square, %linear : tensor<3x4xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1] : tensor<3x4xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

module @cast {
  blocks.brick @b {
    blocks.parameter @x : tensor<3x4xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3x4xf64>
    %y = blocks.cast %x : tensor<3x4xf64> to tensor<3x4xf64>
    %square = arith.mulf %y, %y : tensor<3x4xf64>
    %third = arith.constant dense<0.3> : tensor<3x4xf64>
    %linear = arith.mulf %y, %third : tensor<3x4xf64>
    %weighed = arith.addf %square, %linear : tensor<3x4xf64>
    %cost = blocks.reduce sum %weighed dims [0, 1] : tensor<3x4xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}
