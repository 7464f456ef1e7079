// Numbers of Blocks' own tests and reports about bricks that are in no other
// file here.
// RUN: blocks-interpret %s --passes='blocks-expand-bricks,blocks-inline-applications,blocks-convert-to-f64' | FileCheck %s
// RUN: blocks-interpret %s --passes='blocks-expand-bricks,blocks-inline-applications,blocks-convert-to-f64,blocks-differentiate{cost=cost graph=shared}' --entry shared | FileCheck %s --check-prefix=SHARED

// Rows whose label is not among the first, the first two, the first three: a tie
// for the third place is an error.
// CHECK: @errors top_1 = f64 0.6{{$}}
// CHECK: @errors top_2 = f64 0.4{{$}}
// CHECK: @errors top_3 = f64 0.2{{$}}
blocks.brick @first = "MisclassificationRate" {}
blocks.brick @first_2 = "MisclassificationRate" {top_k = 2}
blocks.brick @first_3 = "MisclassificationRate" {top_k = 3}
blocks.graph @errors() {
  %y = arith.constant dense<[2, 1, 0, 1, 2]> : tensor<5xi32>
  %p = arith.constant dense<[[3.0, 2.0, 1.0, 0.0], [1.0, 8.0, 2.0, 1.0], [3.0, 8.0, 1.0, 2.0], [1.0, 6.0, 4.0, 2.0], [9.0, 7.0, 5.0, 5.0]]> : tensor<5x4xf32>
  %1 = blocks.apply @first::@apply(%y, %p) : (tensor<5xi32>, tensor<5x4xf32>) -> tensor<f32>
  %2 = blocks.apply @first_2::@apply(%y, %p) : (tensor<5xi32>, tensor<5x4xf32>) -> tensor<f32>
  %3 = blocks.apply @first_3::@apply(%y, %p) : (tensor<5xi32>, tensor<5x4xf32>) -> tensor<f32>
  blocks.output %1 "top_1" : tensor<f32>
  blocks.output %2 "top_2" : tensor<f32>
  blocks.output %3 "top_3" : tensor<f32>
}

// The cross-entropy of logits, one a row, also with a time axis: no overflow.
// CHECK: @stable costs = 3xf64 [1000, {{-?}}0, 0.69314718
// CHECK: @stable over_time = 1x3xf64 {{\[\[}}1000, {{-?}}0, 0.69314718
blocks.brick @softmax = "Softmax" {}
blocks.brick @over_time = "NDimensionalSoftmax" {extra_ndim = 1}
blocks.graph @stable() {
  %y = arith.constant dense<1> : tensor<3xi64>
  %yt = arith.constant dense<1> : tensor<1x3xi64>
  %x = arith.constant dense<[[1000.0, 0.0], [0.0, 1000.0], [3.0, 3.0]]> : tensor<3x2xf32>
  %xt = arith.constant dense<[[[1000.0, 0.0], [0.0, 1000.0], [3.0, 3.0]]]> : tensor<1x3x2xf32>
  %c = blocks.apply @softmax::@categorical_cross_entropy(%y, %x) : (tensor<3xi64>, tensor<3x2xf32>) -> tensor<3xf32>
  %d = blocks.apply @over_time::@categorical_cross_entropy(%yt, %xt) : (tensor<1x3xi64>, tensor<1x3x2xf32>) -> tensor<1x3xf32>
  blocks.output %c "costs" : tensor<3xf32>
  blocks.output %d "over_time" : tensor<1x3xf32>
}

// One brick under two parents: one parameter, whose gradient is the sum of both.
// SHARED: @shared cost = f64 2.447422626
// SHARED: @shared gradient of /sub.W = 2x2xf64 {{\[\[}}1.5728954{{[0-9]*}}, 0.839948{{[0-9]*}}], [3.1457909{{[0-9]*}}, 1.679897
blocks.brick @sub = "Linear" {input_dim = 2, output_dim = 2, use_bias = false, weights_init = #blocks.identity<mult = 0.5>}
blocks.brick @a = "Sequence" {application_methods = [@sub, "Tanh"]}
blocks.brick @b = "Sequence" {application_methods = [@sub, "Tanh"]}
blocks.graph @shared() {
  %x = arith.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %a = blocks.apply @a::@apply(%x) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %b = blocks.apply @b::@apply(%x) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %s = arith.addf %a, %b : tensor<1x2xf32>
  %c = blocks.reduce sum %s dims [0, 1] : tensor<1x2xf32> to tensor<f32>
  blocks.output %c "cost" roles [cost] : tensor<f32>
}

// What the costs are made of: of each element, of each row.
// CHECK: @matrices squared = 2x2xf64 {{\[\[}}1, 4], [0.25, 0]]
// CHECK: @matrices absolute = 2x2xf64 {{\[\[}}1, 2], [0.5, 0]]
// CHECK: @matrices rows = 2xf64 [0.69314718{{[0-9]*}}, 1.38629436
// CHECK: @matrices binary = 1x2xf64 {{\[\[}}0.69314718{{[0-9]*}}, 1.38629436
blocks.brick @squared = "SquaredError" {}
blocks.brick @absolute = "AbsoluteError" {}
blocks.brick @cross = "CategoricalCrossEntropy" {}
blocks.brick @binary = "BinaryCrossEntropy" {}
blocks.graph @matrices() {
  %y = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %e = arith.constant dense<[[2.0, 4.0], [2.5, 4.0]]> : tensor<2x2xf32>
  %l = arith.constant dense<[0, 1]> : tensor<2xui8>
  %p = arith.constant dense<[[0.5, 0.5], [0.75, 0.25]]> : tensor<2x2xf32>
  %t = arith.constant dense<[[1.0, 0.0]]> : tensor<1x2xf32>
  %q = arith.constant dense<[[0.5, 0.75]]> : tensor<1x2xf32>
  %s = blocks.apply @squared::@cost_matrix(%y, %e) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %a = blocks.apply @absolute::@cost_matrix(%y, %e) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %r = blocks.apply @cross::@cost_matrix(%l, %p) : (tensor<2xui8>, tensor<2x2xf32>) -> tensor<2xf32>
  %b = blocks.apply @binary::@cost_matrix(%t, %q) : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  blocks.output %s "squared" : tensor<2x2xf32>
  blocks.output %a "absolute" : tensor<2x2xf32>
  blocks.output %r "rows" : tensor<2xf32>
  blocks.output %b "binary" : tensor<1x2xf32>
}
