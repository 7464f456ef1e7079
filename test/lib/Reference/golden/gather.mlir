// Rows of a table by number, and their sums.
// Written by test/golden/reference_ops.py.
// RUN: blocks-interpret --quiet %s

blocks.graph @rows_i8() {
  %c0 = arith.constant dense<[[-1.0, -1.8125, 0.703125], [-1.828125, -1.53125, 0.421875], [-1.234375, 0.671875, 1.671875], [-0.328125, -0.671875, -0.875], [-1.25, -0.734375, -0.078125]]> : tensor<5x3xf64>
  %c1 = arith.constant dense<[[0, 4, 4], [2, 1, 0]]> : tensor<2x3xi8>
  %y0 = blocks.gather %c0, %c1 : tensor<5x3xf64>, tensor<2x3xi8> to tensor<2x3x3xf64>
  "check.close"(%y0) {expected = dense<[[[-1.0, -1.8125, 0.703125], [-1.25, -0.734375, -0.078125], [-1.25, -0.734375, -0.078125]], [[-1.234375, 0.671875, 1.671875], [-1.828125, -1.53125, 0.421875], [-1.0, -1.8125, 0.703125]]]> : tensor<2x3x3xf64>, tolerance = 1.0e-13} : (tensor<2x3x3xf64>) -> ()
}

blocks.graph @rows_i16() {
  %c0 = arith.constant dense<[[-1.0, -1.8125, 0.703125], [-1.828125, -1.53125, 0.421875], [-1.234375, 0.671875, 1.671875], [-0.328125, -0.671875, -0.875], [-1.25, -0.734375, -0.078125]]> : tensor<5x3xf64>
  %c1 = arith.constant dense<[[0, 4, 4], [2, 1, 0]]> : tensor<2x3xi16>
  %y0 = blocks.gather %c0, %c1 : tensor<5x3xf64>, tensor<2x3xi16> to tensor<2x3x3xf64>
  "check.close"(%y0) {expected = dense<[[[-1.0, -1.8125, 0.703125], [-1.25, -0.734375, -0.078125], [-1.25, -0.734375, -0.078125]], [[-1.234375, 0.671875, 1.671875], [-1.828125, -1.53125, 0.421875], [-1.0, -1.8125, 0.703125]]]> : tensor<2x3x3xf64>, tolerance = 1.0e-13} : (tensor<2x3x3xf64>) -> ()
}

blocks.graph @rows_i32() {
  %c0 = arith.constant dense<[[-1.0, -1.8125, 0.703125], [-1.828125, -1.53125, 0.421875], [-1.234375, 0.671875, 1.671875], [-0.328125, -0.671875, -0.875], [-1.25, -0.734375, -0.078125]]> : tensor<5x3xf64>
  %c1 = arith.constant dense<[[0, 4, 4], [2, 1, 0]]> : tensor<2x3xi32>
  %y0 = blocks.gather %c0, %c1 : tensor<5x3xf64>, tensor<2x3xi32> to tensor<2x3x3xf64>
  "check.close"(%y0) {expected = dense<[[[-1.0, -1.8125, 0.703125], [-1.25, -0.734375, -0.078125], [-1.25, -0.734375, -0.078125]], [[-1.234375, 0.671875, 1.671875], [-1.828125, -1.53125, 0.421875], [-1.0, -1.8125, 0.703125]]]> : tensor<2x3x3xf64>, tolerance = 1.0e-13} : (tensor<2x3x3xf64>) -> ()
}

blocks.graph @rows_i64() {
  %c0 = arith.constant dense<[[-1.0, -1.8125, 0.703125], [-1.828125, -1.53125, 0.421875], [-1.234375, 0.671875, 1.671875], [-0.328125, -0.671875, -0.875], [-1.25, -0.734375, -0.078125]]> : tensor<5x3xf64>
  %c1 = arith.constant dense<[[0, 4, 4], [2, 1, 0]]> : tensor<2x3xi64>
  %y0 = blocks.gather %c0, %c1 : tensor<5x3xf64>, tensor<2x3xi64> to tensor<2x3x3xf64>
  "check.close"(%y0) {expected = dense<[[[-1.0, -1.8125, 0.703125], [-1.25, -0.734375, -0.078125], [-1.25, -0.734375, -0.078125]], [[-1.234375, 0.671875, 1.671875], [-1.828125, -1.53125, 0.421875], [-1.0, -1.8125, 0.703125]]]> : tensor<2x3x3xf64>, tolerance = 1.0e-13} : (tensor<2x3x3xf64>) -> ()
}

blocks.graph @rows_ui8() {
  %c0 = arith.constant dense<[[-1.0, -1.8125, 0.703125], [-1.828125, -1.53125, 0.421875], [-1.234375, 0.671875, 1.671875], [-0.328125, -0.671875, -0.875], [-1.25, -0.734375, -0.078125]]> : tensor<5x3xf64>
  %c1 = arith.constant dense<[[0, 4, 4], [2, 1, 0]]> : tensor<2x3xui8>
  %y0 = blocks.gather %c0, %c1 : tensor<5x3xf64>, tensor<2x3xui8> to tensor<2x3x3xf64>
  "check.close"(%y0) {expected = dense<[[[-1.0, -1.8125, 0.703125], [-1.25, -0.734375, -0.078125], [-1.25, -0.734375, -0.078125]], [[-1.234375, 0.671875, 1.671875], [-1.828125, -1.53125, 0.421875], [-1.0, -1.8125, 0.703125]]]> : tensor<2x3x3xf64>, tolerance = 1.0e-13} : (tensor<2x3x3xf64>) -> ()
}

blocks.graph @rows_ui16() {
  %c0 = arith.constant dense<[[-1.0, -1.8125, 0.703125], [-1.828125, -1.53125, 0.421875], [-1.234375, 0.671875, 1.671875], [-0.328125, -0.671875, -0.875], [-1.25, -0.734375, -0.078125]]> : tensor<5x3xf64>
  %c1 = arith.constant dense<[[0, 4, 4], [2, 1, 0]]> : tensor<2x3xui16>
  %y0 = blocks.gather %c0, %c1 : tensor<5x3xf64>, tensor<2x3xui16> to tensor<2x3x3xf64>
  "check.close"(%y0) {expected = dense<[[[-1.0, -1.8125, 0.703125], [-1.25, -0.734375, -0.078125], [-1.25, -0.734375, -0.078125]], [[-1.234375, 0.671875, 1.671875], [-1.828125, -1.53125, 0.421875], [-1.0, -1.8125, 0.703125]]]> : tensor<2x3x3xf64>, tolerance = 1.0e-13} : (tensor<2x3x3xf64>) -> ()
}

blocks.graph @rows_ui32() {
  %c0 = arith.constant dense<[[-1.0, -1.8125, 0.703125], [-1.828125, -1.53125, 0.421875], [-1.234375, 0.671875, 1.671875], [-0.328125, -0.671875, -0.875], [-1.25, -0.734375, -0.078125]]> : tensor<5x3xf64>
  %c1 = arith.constant dense<[[0, 4, 4], [2, 1, 0]]> : tensor<2x3xui32>
  %y0 = blocks.gather %c0, %c1 : tensor<5x3xf64>, tensor<2x3xui32> to tensor<2x3x3xf64>
  "check.close"(%y0) {expected = dense<[[[-1.0, -1.8125, 0.703125], [-1.25, -0.734375, -0.078125], [-1.25, -0.734375, -0.078125]], [[-1.234375, 0.671875, 1.671875], [-1.828125, -1.53125, 0.421875], [-1.0, -1.8125, 0.703125]]]> : tensor<2x3x3xf64>, tolerance = 1.0e-13} : (tensor<2x3x3xf64>) -> ()
}

blocks.graph @rows_ui64() {
  %c0 = arith.constant dense<[[-1.0, -1.8125, 0.703125], [-1.828125, -1.53125, 0.421875], [-1.234375, 0.671875, 1.671875], [-0.328125, -0.671875, -0.875], [-1.25, -0.734375, -0.078125]]> : tensor<5x3xf64>
  %c1 = arith.constant dense<[[0, 4, 4], [2, 1, 0]]> : tensor<2x3xui64>
  %y0 = blocks.gather %c0, %c1 : tensor<5x3xf64>, tensor<2x3xui64> to tensor<2x3x3xf64>
  "check.close"(%y0) {expected = dense<[[[-1.0, -1.8125, 0.703125], [-1.25, -0.734375, -0.078125], [-1.25, -0.734375, -0.078125]], [[-1.234375, 0.671875, 1.671875], [-1.828125, -1.53125, 0.421875], [-1.0, -1.8125, 0.703125]]]> : tensor<2x3x3xf64>, tolerance = 1.0e-13} : (tensor<2x3x3xf64>) -> ()
}

blocks.graph @rank_3_f32() {
  %c0 = arith.constant dense<[[[-0.5, 1.796875], [0.921875, 0.390625]], [[-1.375, -1.375], [-1.765625, 1.46875]], [[0.40625, 0.828125], [-1.921875, 1.875]], [[1.328125, -1.15625], [-1.265625, -1.265625]], [[-0.78125, 0.09375], [-0.265625, -0.828125]]]> : tensor<5x2x2xf32>
  %c1 = arith.constant dense<[3, 3]> : tensor<2xi64>
  %y0 = blocks.gather %c0, %c1 : tensor<5x2x2xf32>, tensor<2xi64> to tensor<2x2x2xf32>
  "check.close"(%y0) {expected = dense<[[[1.328125, -1.15625], [-1.265625, -1.265625]], [[1.328125, -1.15625], [-1.265625, -1.265625]]]> : tensor<2x2x2xf64>, tolerance = 1.0e-06} : (tensor<2x2x2xf32>) -> ()
}

blocks.graph @one_row() {
  %c0 = arith.constant dense<[[-1.0, -1.8125, 0.703125], [-1.828125, -1.53125, 0.421875], [-1.234375, 0.671875, 1.671875], [-0.328125, -0.671875, -0.875], [-1.25, -0.734375, -0.078125]]> : tensor<5x3xf64>
  %c1 = arith.constant dense<2> : tensor<i64>
  %y0 = blocks.gather %c0, %c1 : tensor<5x3xf64>, tensor<i64> to tensor<3xf64>
  "check.close"(%y0) {expected = dense<[-1.234375, 0.671875, 1.671875]> : tensor<3xf64>, tolerance = 1.0e-13} : (tensor<3xf64>) -> ()
}

blocks.graph @vector() {
  %c0 = arith.constant dense<[-1.0, -1.828125, -1.234375, -0.328125, -1.25]> : tensor<5xf64>
  %c1 = arith.constant dense<[4, 1]> : tensor<2xi64>
  %y0 = blocks.gather %c0, %c1 : tensor<5xf64>, tensor<2xi64> to tensor<2xf64>
  "check.close"(%y0) {expected = dense<[-1.25, -1.828125]> : tensor<2xf64>, tolerance = 1.0e-13} : (tensor<2xf64>) -> ()
}

blocks.graph @none() {
  %c0 = arith.constant dense<[[-1.0, -1.8125, 0.703125], [-1.828125, -1.53125, 0.421875], [-1.234375, 0.671875, 1.671875], [-0.328125, -0.671875, -0.875], [-1.25, -0.734375, -0.078125]]> : tensor<5x3xf64>
  %c1 = arith.constant dense<> : tensor<2x0xi64>
  %y0 = blocks.gather %c0, %c1 : tensor<5x3xf64>, tensor<2x0xi64> to tensor<2x0x3xf64>
  "check.close"(%y0) {expected = dense<> : tensor<2x0x3xf64>, tolerance = 1.0e-13} : (tensor<2x0x3xf64>) -> ()
}

blocks.graph @sums() {
  %c0 = arith.constant dense<[[[-1.546875, 0.4375, -1.46875], [-1.03125, -0.6875, 1.4375], [0.671875, 0.171875, -1.890625]], [[0.9375, -0.421875, 1.203125], [-0.984375, -1.765625, 1.46875], [-1.109375, -0.375, -0.734375]]]> : tensor<2x3x3xf64>
  %c1 = arith.constant dense<[[0, 4, 4], [4, 1, 0]]> : tensor<2x3xi64>
  %c2 = arith.constant dense<[[-1.0, -1.8125, 0.703125], [-1.828125, -1.53125, 0.421875], [-1.234375, 0.671875, 1.671875], [-0.328125, -0.671875, -0.875], [-1.25, -0.734375, -0.078125]]> : tensor<5x3xf64>
  %y0 = blocks.scatter_add %c0, %c1 like %c2 : tensor<2x3x3xf64>, tensor<2x3xi64>, tensor<5x3xf64>
  "check.close"(%y0) {expected = dense<[[-2.65625, 0.0625, -2.203125], [-0.984375, -1.765625, 1.46875], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.578125, -0.9375, 0.75]]> : tensor<5x3xf64>, tolerance = 1.0e-13} : (tensor<5x3xf64>) -> ()
}

blocks.graph @sum_of_one() {
  %c0 = arith.constant dense<[-1.546875, 0.4375, -1.46875]> : tensor<3xf64>
  %c1 = arith.constant dense<2> : tensor<i64>
  %c2 = arith.constant dense<[[-1.0, -1.8125, 0.703125], [-1.828125, -1.53125, 0.421875], [-1.234375, 0.671875, 1.671875], [-0.328125, -0.671875, -0.875], [-1.25, -0.734375, -0.078125]]> : tensor<5x3xf64>
  %y0 = blocks.scatter_add %c0, %c1 like %c2 : tensor<3xf64>, tensor<i64>, tensor<5x3xf64>
  "check.close"(%y0) {expected = dense<[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [-1.546875, 0.4375, -1.46875], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<5x3xf64>, tolerance = 1.0e-13} : (tensor<5x3xf64>) -> ()
}

blocks.graph @in_order() {
  %c0 = arith.constant dense<[16777216.0, 1.0, 1.0, 1.0]> : tensor<4xf32>
  %c1 = arith.constant dense<[0, 0, 0, 0]> : tensor<4xi64>
  %c2 = arith.constant dense<[0.0]> : tensor<1xf32>
  %y0 = blocks.scatter_add %c0, %c1 like %c2 : tensor<4xf32>, tensor<4xi64>, tensor<1xf32>
  "check.close"(%y0) {expected = dense<[16777216.0]> : tensor<1xf64>, tolerance = 0.0} : (tensor<1xf32>) -> ()
}

blocks.graph @absorbed_last() {
  %c0 = arith.constant dense<[1.0, 1.0, 1.0, 16777216.0]> : tensor<4xf32>
  %c1 = arith.constant dense<[0, 0, 0, 0]> : tensor<4xi64>
  %c2 = arith.constant dense<[0.0]> : tensor<1xf32>
  %y0 = blocks.scatter_add %c0, %c1 like %c2 : tensor<4xf32>, tensor<4xi64>, tensor<1xf32>
  "check.close"(%y0) {expected = dense<[16777220.0]> : tensor<1xf64>, tolerance = 0.0} : (tensor<1xf32>) -> ()
}
