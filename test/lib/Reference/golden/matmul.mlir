// Products of matrices, with and without transposes.
// Written by test/golden/reference_ops.py.
// RUN: blocks-interpret --quiet %s

blocks.graph @plain_f64() {
  %c0 = arith.constant dense<[[-1.28125, -1.921875, -0.140625, 0.90625], [-0.3125, -0.0625, -1.953125, -0.046875], [1.765625, 1.40625, 0.921875, -1.5625]]> : tensor<3x4xf64>
  %c1 = arith.constant dense<[[-1.390625, 0.953125], [-0.953125, 0.140625], [-1.9375, 1.671875], [1.609375, -1.859375]]> : tensor<4x2xf64>
  %y0 = blocks.matmul %c0, %c1 : tensor<3x4xf64>, tensor<4x2xf64> to tensor<3x2xf64>
  "check.close"(%y0) {expected = dense<[[5.344482421875, -3.41162109375], [4.202880859375, -3.48486328125], [-8.096435546875, 6.3271484375]]> : tensor<3x2xf64>, tolerance = 1.0e-13} : (tensor<3x2xf64>) -> ()
}

blocks.graph @left_f64() {
  %c0 = arith.constant dense<[[-1.28125, -0.3125, 1.765625], [-1.921875, -0.0625, 1.40625], [-0.140625, -1.953125, 0.921875], [0.90625, -0.046875, -1.5625]]> : tensor<4x3xf64>
  %c1 = arith.constant dense<[[-1.390625, 0.953125], [-0.953125, 0.140625], [-1.9375, 1.671875], [1.609375, -1.859375]]> : tensor<4x2xf64>
  %y0 = blocks.matmul %c0 transposed, %c1 : tensor<4x3xf64>, tensor<4x2xf64> to tensor<3x2xf64>
  "check.close"(%y0) {expected = dense<[[5.344482421875, -3.41162109375], [4.202880859375, -3.48486328125], [-8.096435546875, 6.3271484375]]> : tensor<3x2xf64>, tolerance = 1.0e-13} : (tensor<3x2xf64>) -> ()
}

blocks.graph @right_f64() {
  %c0 = arith.constant dense<[[-1.28125, -1.921875, -0.140625, 0.90625], [-0.3125, -0.0625, -1.953125, -0.046875], [1.765625, 1.40625, 0.921875, -1.5625]]> : tensor<3x4xf64>
  %c1 = arith.constant dense<[[-1.390625, -0.953125, -1.9375, 1.609375], [0.953125, 0.140625, 1.671875, -1.859375]]> : tensor<2x4xf64>
  %y0 = blocks.matmul %c0, %c1 transposed : tensor<3x4xf64>, tensor<2x4xf64> to tensor<3x2xf64>
  "check.close"(%y0) {expected = dense<[[5.344482421875, -3.41162109375], [4.202880859375, -3.48486328125], [-8.096435546875, 6.3271484375]]> : tensor<3x2xf64>, tolerance = 1.0e-13} : (tensor<3x2xf64>) -> ()
}

blocks.graph @both_f64() {
  %c0 = arith.constant dense<[[-1.28125, -0.3125, 1.765625], [-1.921875, -0.0625, 1.40625], [-0.140625, -1.953125, 0.921875], [0.90625, -0.046875, -1.5625]]> : tensor<4x3xf64>
  %c1 = arith.constant dense<[[-1.390625, -0.953125, -1.9375, 1.609375], [0.953125, 0.140625, 1.671875, -1.859375]]> : tensor<2x4xf64>
  %y0 = blocks.matmul %c0 transposed, %c1 transposed : tensor<4x3xf64>, tensor<2x4xf64> to tensor<3x2xf64>
  "check.close"(%y0) {expected = dense<[[5.344482421875, -3.41162109375], [4.202880859375, -3.48486328125], [-8.096435546875, 6.3271484375]]> : tensor<3x2xf64>, tolerance = 1.0e-13} : (tensor<3x2xf64>) -> ()
}

blocks.graph @plain_f32() {
  %c0 = arith.constant dense<[[-1.28125, -1.921875, -0.140625, 0.90625], [-0.3125, -0.0625, -1.953125, -0.046875], [1.765625, 1.40625, 0.921875, -1.5625]]> : tensor<3x4xf32>
  %c1 = arith.constant dense<[[-1.390625, 0.953125], [-0.953125, 0.140625], [-1.9375, 1.671875], [1.609375, -1.859375]]> : tensor<4x2xf32>
  %y0 = blocks.matmul %c0, %c1 : tensor<3x4xf32>, tensor<4x2xf32> to tensor<3x2xf32>
  "check.close"(%y0) {expected = dense<[[5.344482421875, -3.41162109375], [4.202880859375, -3.48486328125], [-8.096435546875, 6.3271484375]]> : tensor<3x2xf64>, tolerance = 1.0e-06} : (tensor<3x2xf32>) -> ()
}

blocks.graph @left_f32() {
  %c0 = arith.constant dense<[[-1.28125, -0.3125, 1.765625], [-1.921875, -0.0625, 1.40625], [-0.140625, -1.953125, 0.921875], [0.90625, -0.046875, -1.5625]]> : tensor<4x3xf32>
  %c1 = arith.constant dense<[[-1.390625, 0.953125], [-0.953125, 0.140625], [-1.9375, 1.671875], [1.609375, -1.859375]]> : tensor<4x2xf32>
  %y0 = blocks.matmul %c0 transposed, %c1 : tensor<4x3xf32>, tensor<4x2xf32> to tensor<3x2xf32>
  "check.close"(%y0) {expected = dense<[[5.344482421875, -3.41162109375], [4.202880859375, -3.48486328125], [-8.096435546875, 6.3271484375]]> : tensor<3x2xf64>, tolerance = 1.0e-06} : (tensor<3x2xf32>) -> ()
}

blocks.graph @right_f32() {
  %c0 = arith.constant dense<[[-1.28125, -1.921875, -0.140625, 0.90625], [-0.3125, -0.0625, -1.953125, -0.046875], [1.765625, 1.40625, 0.921875, -1.5625]]> : tensor<3x4xf32>
  %c1 = arith.constant dense<[[-1.390625, -0.953125, -1.9375, 1.609375], [0.953125, 0.140625, 1.671875, -1.859375]]> : tensor<2x4xf32>
  %y0 = blocks.matmul %c0, %c1 transposed : tensor<3x4xf32>, tensor<2x4xf32> to tensor<3x2xf32>
  "check.close"(%y0) {expected = dense<[[5.344482421875, -3.41162109375], [4.202880859375, -3.48486328125], [-8.096435546875, 6.3271484375]]> : tensor<3x2xf64>, tolerance = 1.0e-06} : (tensor<3x2xf32>) -> ()
}

blocks.graph @both_f32() {
  %c0 = arith.constant dense<[[-1.28125, -0.3125, 1.765625], [-1.921875, -0.0625, 1.40625], [-0.140625, -1.953125, 0.921875], [0.90625, -0.046875, -1.5625]]> : tensor<4x3xf32>
  %c1 = arith.constant dense<[[-1.390625, -0.953125, -1.9375, 1.609375], [0.953125, 0.140625, 1.671875, -1.859375]]> : tensor<2x4xf32>
  %y0 = blocks.matmul %c0 transposed, %c1 transposed : tensor<4x3xf32>, tensor<2x4xf32> to tensor<3x2xf32>
  "check.close"(%y0) {expected = dense<[[5.344482421875, -3.41162109375], [4.202880859375, -3.48486328125], [-8.096435546875, 6.3271484375]]> : tensor<3x2xf64>, tolerance = 1.0e-06} : (tensor<3x2xf32>) -> ()
}
