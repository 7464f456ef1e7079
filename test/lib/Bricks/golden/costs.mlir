// Costs of elements: sums over axis 1, means over the batch; errors among the k largest.
// Written by test/golden/brick_values.py.
// RUN: blocks-interpret %s --quiet --passes=blocks-expand-bricks,blocks-inline-applications,blocks-convert-to-f64

blocks.brick @binary = "BinaryCrossEntropy" {}

blocks.brick @absolute = "AbsoluteError" {}

blocks.brick @top_1 = "MisclassificationRate" {top_k = 1}

blocks.brick @top_2 = "MisclassificationRate" {top_k = 2}

blocks.brick @top_3 = "MisclassificationRate" {top_k = 3}

blocks.graph @binary_values() {
  %c0 = arith.constant dense<[[1.0, 0.0, 0.25], [0.0, 1.0, 1.0]]> : tensor<2x3xf32>
  %c1 = arith.constant dense<[[0.5, 0.25, 0.75], [0.125, 0.875, 0.5]]> : tensor<2x3xf32>
  %y0 = blocks.apply @binary::@apply(%c0, %c1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<f32>)
  "check.close"(%y0) {expected = dense<1.5263402538867898> : tensor<f64>, tolerance = 1.0e-12} : (tensor<f32>) -> ()
}

blocks.graph @binary_certain() {
  %c0 = arith.constant dense<[[1.0, 0.0]]> : tensor<1x2xf32>
  %c1 = arith.constant dense<[[1.0, 0.0]]> : tensor<1x2xf32>
  %y0 = blocks.apply @binary::@apply(%c0, %c1) : (tensor<1x2xf32>, tensor<1x2xf32>) -> (tensor<f32>)
  "check.close"(%y0) {expected = dense<0.0> : tensor<f64>, tolerance = 1.0e-12} : (tensor<f32>) -> ()
}

blocks.graph @absolute_values() {
  %c0 = arith.constant dense<[[1.0, 0.0, 0.25], [0.0, 1.0, 1.0]]> : tensor<2x3xf32>
  %c1 = arith.constant dense<[[0.5, 0.25, 0.75], [0.125, 0.875, 0.5]]> : tensor<2x3xf32>
  %y0 = blocks.apply @absolute::@apply(%c0, %c1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<f32>)
  "check.close"(%y0) {expected = dense<1.0> : tensor<f64>, tolerance = 1.0e-12} : (tensor<f32>) -> ()
}

blocks.graph @errors_1() {
  %c0 = arith.constant dense<[2, 0, 1, 3, 3]> : tensor<5xui8>
  %c1 = arith.constant dense<[[1.0, 5.0, 3.0, 2.0], [4.0, 1.0, 2.0, 3.0], [2.0, 2.0, 1.0, 0.0], [0.0, 1.0, 2.0, 2.0], [9.0, 8.0, 7.0, 6.0]]> : tensor<5x4xf32>
  %y0 = blocks.apply @top_1::@apply(%c0, %c1) : (tensor<5xui8>, tensor<5x4xf32>) -> (tensor<f32>)
  "check.close"(%y0) {expected = dense<0.8> : tensor<f64>, tolerance = 1.0e-12} : (tensor<f32>) -> ()
}

blocks.graph @errors_2() {
  %c0 = arith.constant dense<[2, 0, 1, 3, 3]> : tensor<5xui8>
  %c1 = arith.constant dense<[[1.0, 5.0, 3.0, 2.0], [4.0, 1.0, 2.0, 3.0], [2.0, 2.0, 1.0, 0.0], [0.0, 1.0, 2.0, 2.0], [9.0, 8.0, 7.0, 6.0]]> : tensor<5x4xf32>
  %y0 = blocks.apply @top_2::@apply(%c0, %c1) : (tensor<5xui8>, tensor<5x4xf32>) -> (tensor<f32>)
  "check.close"(%y0) {expected = dense<0.2> : tensor<f64>, tolerance = 1.0e-12} : (tensor<f32>) -> ()
}

blocks.graph @errors_3() {
  %c0 = arith.constant dense<[2, 0, 1, 3, 3]> : tensor<5xui8>
  %c1 = arith.constant dense<[[1.0, 5.0, 3.0, 2.0], [4.0, 1.0, 2.0, 3.0], [2.0, 2.0, 1.0, 0.0], [0.0, 1.0, 2.0, 2.0], [9.0, 8.0, 7.0, 6.0]]> : tensor<5x4xf32>
  %y0 = blocks.apply @top_3::@apply(%c0, %c1) : (tensor<5xui8>, tensor<5x4xf32>) -> (tensor<f32>)
  "check.close"(%y0) {expected = dense<0.2> : tensor<f64>, tolerance = 1.0e-12} : (tensor<f32>) -> ()
}
