// Rows of a table; for numbers of any shape one axis more.
// Written by test/golden/brick_values.py.
// RUN: blocks-interpret %s --quiet --passes=blocks-expand-bricks,blocks-inline-applications,blocks-convert-to-f64

blocks.brick @table = "LookupTable" {length = 7, dim = 3, weights_init = #blocks.uniform<width = 2.0>}

blocks.graph @rows() {
  %c0 = arith.constant dense<[6, 0, 6]> : tensor<3xui8>
  %y0 = blocks.apply @table::@apply(%c0) : (tensor<3xui8>) -> (tensor<3x3xf32>)
  "check.close"(%y0) {expected = dense<[[0.23403918743133545, 0.21936273574829102, -0.19583821296691895], [0.10032296180725098, 0.24426233768463135, 0.49107325077056885], [0.23403918743133545, 0.21936273574829102, -0.19583821296691895]]> : tensor<3x3xf64>, tolerance = 1.0e-12} : (tensor<3x3xf32>) -> ()
}

blocks.graph @grid() {
  %c0 = arith.constant dense<[[1, 2], [3, 1]]> : tensor<2x2xi64>
  %y0 = blocks.apply @table::@apply(%c0) : (tensor<2x2xi64>) -> (tensor<2x2x3xf32>)
  "check.close"(%y0) {expected = dense<[[[-0.15105700492858887, -0.325009822845459, 0.2861814498901367], [-0.6029399633407593, -0.6923575401306152, -0.44582974910736084]], [[0.2552034854888916, 0.5916025638580322, -0.4754819869995117], [-0.15105700492858887, -0.325009822845459, 0.2861814498901367]]]> : tensor<2x2x3xf64>, tolerance = 1.0e-12} : (tensor<2x2x3xf32>) -> ()
}

blocks.graph @one() {
  %c0 = arith.constant dense<4> : tensor<i32>
  %y0 = blocks.apply @table::@apply(%c0) : (tensor<i32>) -> (tensor<3xf32>)
  "check.close"(%y0) {expected = dense<[0.30798518657684326, -0.7784007787704468, 0.7252985239028931]> : tensor<3xf64>, tolerance = 1.0e-12} : (tensor<3xf32>) -> ()
}
