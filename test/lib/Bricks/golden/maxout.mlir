// Maxout of consecutive pieces, and Linear before it.
// Written by test/golden/brick_values.py.
// RUN: blocks-interpret %s --quiet --passes=blocks-expand-bricks,blocks-inline-applications,blocks-convert-to-f64

blocks.brick @maxout = "Maxout" {num_pieces = 3}

blocks.brick @both = "LinearMaxout" {input_dim = 4, output_dim = 2, num_pieces = 3, weights_init = #blocks.uniform<width = 2.0>, biases_init = #blocks.uniform<width = 2.0>}

blocks.graph @pieces() {
  %c0 = arith.constant dense<[[1.296875, -1.28125, 1.515625, -0.0, 1.859375, -1.984375], [1.6875, 0.515625, -0.78125, -0.640625, -1.4375, -0.046875]]> : tensor<2x6xf32>
  %y0 = blocks.apply @maxout::@apply(%c0) : (tensor<2x6xf32>) -> (tensor<2x2xf32>)
  "check.close"(%y0) {expected = dense<[[1.515625, 1.859375], [1.6875, -0.046875]]> : tensor<2x2xf64>, tolerance = 1.0e-12} : (tensor<2x2xf32>) -> ()
}

blocks.graph @time() {
  %c0 = arith.constant dense<[[[-1.859375, -0.046875, 1.390625, -0.359375, 0.53125, -0.84375], [0.171875, -1.09375, -1.03125, 1.8125, 0.578125, -1.921875], [1.984375, 0.9375, 0.890625, -0.359375, -1.1875, 1.84375], [-1.109375, -1.8125, 1.53125, 1.5625, 1.84375, 0.4375], [1.9375, -0.390625, -1.375, 0.34375, -0.46875, -0.828125]], [[-1.9375, -0.125, 1.640625, -1.59375, -0.28125, -1.46875], [-1.546875, 1.71875, 0.484375, -0.921875, 0.9375, -1.25], [-0.875, -0.828125, 0.078125, -0.453125, -1.078125, 1.21875], [0.828125, 1.40625, -0.546875, -0.65625, 1.71875, 1.09375], [0.359375, 1.546875, 0.71875, -1.921875, 1.203125, 0.65625]]]> : tensor<2x5x6xf32>
  %y0 = blocks.apply @maxout::@apply(%c0) : (tensor<2x5x6xf32>) -> (tensor<2x5x2xf32>)
  "check.close"(%y0) {expected = dense<[[[1.390625, 0.53125], [0.171875, 1.8125], [1.984375, 1.84375], [1.53125, 1.84375], [1.9375, 0.34375]], [[1.640625, -0.28125], [1.71875, 0.9375], [0.078125, 1.21875], [1.40625, 1.71875], [1.546875, 1.203125]]]> : tensor<2x5x2xf64>, tolerance = 1.0e-12} : (tensor<2x5x2xf32>) -> ()
}

blocks.graph @linear() {
  %c0 = arith.constant dense<[[0.21875, -0.421875, -1.8125, 0.109375], [-1.390625, 0.0, -0.96875, 0.171875], [0.1875, -1.09375, -1.640625, -0.1875]]> : tensor<3x4xf32>
  %y0 = blocks.apply @both::@apply(%c0) : (tensor<3x4xf32>) -> (tensor<3x2xf32>)
  "check.close"(%y0) {expected = dense<[[1.142812104895711, 0.24556909315288067], [1.4120611790567636, 0.9801793750375509], [1.7837751246988773, -0.02490668185055256]]> : tensor<3x2xf64>, tolerance = 1.0e-12} : (tensor<3x2xf32>) -> ()
}
