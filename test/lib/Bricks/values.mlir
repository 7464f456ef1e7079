// What the bricks compute, by the reference interpreter.
// RUN: blocks-opt %s -blocks-expand-bricks -blocks-inline-applications -blocks-fuse-softmax-cost -verify-annotations | blocks-interpret | FileCheck %s
// RUN: blocks-opt %s -blocks-expand-bricks -blocks-inline-applications | blocks-interpret | FileCheck %s

// A sub-brick with two parents: one parameter, W = 0.5·I; tanh(x·W) twice.
blocks.brick @sub = "Linear" {input_dim = 2, output_dim = 2, use_bias = false, weights_init = #blocks.identity<mult = 0.5>}
blocks.brick @a = "Sequence" {application_methods = [@sub, "Tanh"]}
blocks.brick @b = "Sequence" {application_methods = [@sub, "Tanh"]}
blocks.graph @shared() {
  %x = arith.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %0 = blocks.apply @a::@apply(%x) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %1 = blocks.apply @b::@apply(%x) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %2 = arith.addf %0, %1 : tensor<1x2xf32>
  %c = blocks.reduce sum %2 dims [0, 1] : tensor<1x2xf32> to tensor<f32>
  blocks.output %c "cost" roles [cost] : tensor<f32>
}
// CHECK: @shared cost = f32 2.44742

// Linear on three axes is Linear on each row; biases are added.
blocks.brick @linear = "Linear" {input_dim = 2, output_dim = 1, weights_init = #blocks.constant<2.0>, biases_init = #blocks.constant<0.5>}
blocks.brick @bias = "Bias" {dim = 1, biases_init = #blocks.constant<-0.5>}
blocks.brick @flattener = "Flattener" {}
blocks.graph @feedforward() {
  %x = arith.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]], [[0.0, 0.0], [1.0, 0.0]]]> : tensor<3x2x2xf32>
  %0 = blocks.apply @linear::@apply(%x) : (tensor<3x2x2xf32>) -> tensor<3x2x1xf32>
  %1 = blocks.apply @bias::@apply(%0) : (tensor<3x2x1xf32>) -> tensor<3x2x1xf32>
  %2 = blocks.apply @flattener::@apply(%1) : (tensor<3x2x1xf32>) -> tensor<3x2xf32>
  blocks.output %2 "y" : tensor<3x2xf32>
}
// CHECK: @feedforward y = 3x2xf32 {{\[\[}}6, 14], [22, 30], [0, 2]]

blocks.brick @softplus = "Softplus" {}
blocks.brick @logistic = "Logistic" {}
blocks.brick @rectifier = "Rectifier" {}
blocks.brick @leaky = "LeakyRectifier" {leak = 0.5}
blocks.brick @leaky_default = "LeakyRectifier" {}
blocks.graph @activations() {
  %x = arith.constant dense<[-1000.0, -2.0, 0.0, 2.0, 1000.0]> : tensor<5xf32>
  %0 = blocks.apply @softplus::@apply(%x) : (tensor<5xf32>) -> tensor<5xf32>
  %1 = blocks.apply @logistic::@apply(%x) : (tensor<5xf32>) -> tensor<5xf32>
  %2 = blocks.apply @rectifier::@apply(%x) : (tensor<5xf32>) -> tensor<5xf32>
  %3 = blocks.apply @leaky::@apply(%x) : (tensor<5xf32>) -> tensor<5xf32>
  %4 = blocks.apply @leaky_default::@apply(%x) : (tensor<5xf32>) -> tensor<5xf32>
  blocks.output %0 "softplus" : tensor<5xf32>
  blocks.output %1 "logistic" : tensor<5xf32>
  blocks.output %2 "rectifier" : tensor<5xf32>
  blocks.output %3 "leaky" : tensor<5xf32>
  blocks.output %4 "leaky_default" : tensor<5xf32>
}
// CHECK: @activations softplus = 5xf32 [0, 0.126928{{[0-9]*}}, 0.693147{{[0-9]*}}, 2.126928{{[0-9]*}}, 1000]
// CHECK: @activations logistic = 5xf32 [0, 0.119202{{[0-9]*}}, 0.5, 0.880797{{[0-9]*}}, 1]
// CHECK: @activations rectifier = 5xf32 [0, 0, 0, 2, 1000]
// CHECK: @activations leaky = 5xf32 [-500, -1, 0, 2, 1000]
// CHECK: @activations leaky_default = 5xf32 [-10, -0.02, 0, 2, 1000]

// Costs: stable where softmax and then the logarithm would overflow; a target
// distribution with zeros; labels (batch, 1).
blocks.brick @softmax = "Softmax" {}
blocks.brick @cross_entropy = "CategoricalCrossEntropy" {}
blocks.brick @squared = "SquaredError" {}
blocks.brick @errors = "MisclassificationRate" {}
blocks.graph @costs() {
  %x = arith.constant dense<[[1000.0, 0.0], [0.0, 1000.0], [3.0, 3.0]]> : tensor<3x2xf32>
  %y = arith.constant dense<[[1], [1], [0]]> : tensor<3x1xi8>
  %0 = blocks.apply @softmax::@categorical_cross_entropy(%y, %x) : (tensor<3x1xi8>, tensor<3x2xf32>) -> tensor<3xf32>
  %p = arith.constant dense<[[0.0, 1.0], [0.5, 0.5], [0.25, 0.75]]> : tensor<3x2xf32>
  %d = arith.constant dense<[[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]> : tensor<3x2xf32>
  %1 = blocks.apply @cross_entropy::@apply(%y, %p) : (tensor<3x1xi8>, tensor<3x2xf32>) -> tensor<f32>
  %2 = blocks.apply @cross_entropy::@apply(%d, %p) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<f32>
  %3 = blocks.apply @squared::@apply(%d, %p) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<f32>
  %4 = blocks.apply @errors::@apply(%y, %x) : (tensor<3x1xi8>, tensor<3x2xf32>) -> tensor<f32>
  blocks.output %0 "softmax" : tensor<3xf32>
  blocks.output %1 "labels" : tensor<f32>
  blocks.output %2 "distribution" : tensor<f32>
  blocks.output %3 "squared" : tensor<f32>
  blocks.output %4 "error_rate" : tensor<f32>
}
// (0 + log 2 + log 4) / 3, (0 + log 2 + log 4) / 3, 1.125 / 3, one of three.
// CHECK: @costs softmax = 3xf32 [1000, {{-?}}0, 0.693147{{[0-9]*}}]
// CHECK: @costs labels = f32 0.693147{{[0-9]*}}
// CHECK: @costs distribution = f32 0.693147{{[0-9]*}}
// CHECK: @costs squared = f32 0.375
// CHECK: @costs error_rate = f32 0.333333{{[0-9]*}}

// The cross-entropy of a softmax's output is the same as the fused one.
blocks.graph @fused() {
  %x = arith.constant dense<[[1.0, 0.0], [0.0, 2.0], [3.0, 3.0]]> : tensor<3x2xf32>
  %y = arith.constant dense<[1, 1, 0]> : tensor<3xi8>
  %d = arith.constant dense<[[0.0, 1.0], [0.0, 1.0], [1.0, 0.0]]> : tensor<3x2xf32>
  %p = blocks.apply @softmax::@apply(%x) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %0 = blocks.apply @cross_entropy::@apply(%y, %p) : (tensor<3xi8>, tensor<3x2xf32>) -> tensor<f32>
  %1 = blocks.apply @cross_entropy::@apply(%d, %p) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<f32>
  blocks.output %0 "labels" : tensor<f32>
  blocks.output %1 "distribution" : tensor<f32>
}
// CHECK: @fused labels = f32 0.71111{{[0-9]*}}
// CHECK: @fused distribution = f32 0.71111{{[0-9]*}}

// Identity over ones counts (Blocks' documentation: 1, 2, 3); where the mask is
// 0 the old state is kept.
blocks.brick @rnn = "SimpleRecurrent" {dim = 3, activation = "Identity", weights_init = #blocks.identity}
blocks.graph @recurrent() {
  %x = arith.constant dense<1.0> : tensor<3x2x3xf32>
  %m = arith.constant dense<[[1.0, 1.0], [1.0, 0.0], [1.0, 1.0]]> : tensor<3x2xf32>
  %0 = blocks.apply @rnn::@apply(%x) : (tensor<3x2x3xf32>) -> tensor<3x2x3xf32>
  %1 = blocks.apply @rnn::@apply(%x, %m) : (tensor<3x2x3xf32>, tensor<3x2xf32>) -> tensor<3x2x3xf32>
  %2 = blocks.reduce max %0 dims [2] : tensor<3x2x3xf32> to tensor<3x2xf32>
  %3 = blocks.reduce max %1 dims [2] : tensor<3x2x3xf32> to tensor<3x2xf32>
  blocks.output %2 "states" : tensor<3x2xf32>
  blocks.output %3 "masked" : tensor<3x2xf32>
}
// CHECK: @recurrent states = 3x2xf32 {{\[\[}}1, 1], [2, 2], [3, 3]]
// CHECK: @recurrent masked = 3x2xf32 {{\[\[}}1, 1], [2, 1], [3, 2]]

// The setting dtype goes to the children, too.
blocks.brick @wide = "MLP" {dims = [2, 2], activations = ["Tanh"], weights_init = #blocks.identity<mult = 0.5>, dtype = f64}
blocks.brick @wide_recurrent = "Sequence" {application_methods = [{kind = "SimpleRecurrent", dim = 1, activation = "Identity", weights_init = #blocks.constant<2.0>}], dtype = f64}
blocks.graph @double() {
  %x = arith.constant dense<[[1.0, 2.0]]> : tensor<1x2xf64>
  %0 = blocks.apply @wide::@apply(%x) : (tensor<1x2xf64>) -> tensor<1x2xf64>
  blocks.output %0 "y" : tensor<1x2xf64>
  %s = arith.constant dense<1.0> : tensor<2x1x1xf64>
  %1 = blocks.apply @wide_recurrent::@apply(%s) : (tensor<2x1x1xf64>) -> tensor<2x1x1xf64>
  blocks.output %1 "states" : tensor<2x1x1xf64>
}
// CHECK: @double y = 1x2xf64 {{\[\[}}0.46211715726000974, 0.76159415595576{{[0-9]*}}]]
// CHECK: @double states = 2x1x1xf64 {{\[\[\[}}1]], {{\[\[}}3]]]

// One step of the gated unit, Blocks' numbers: all weights 2, logistic gates and
// then tanh gates; x = 0.1·[[1, 2, 3], [4, 5, 6]], update (h + x)/2, reset -x.
blocks.brick @gru = "GatedRecurrent" {dim = 3, weights_init = #blocks.constant<2.0>}
blocks.brick @gru_tanh = "GatedRecurrent" {dim = 3, gate_activation = "Tanh", weights_init = #blocks.constant<2.0>}
blocks.graph @gated() {
  %x = arith.constant dense<[[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]> : tensor<2x3xf32>
  %h = arith.constant dense<[[0.1, 0.1, 0.0], [0.0, 0.1, 0.1]]> : tensor<2x3xf32>
  %g = arith.constant dense<[[0.1, 0.15, 0.15, -0.1, -0.2, -0.3], [0.2, 0.3, 0.35, -0.4, -0.5, -0.6]]> : tensor<2x6xf32>
  %0 = blocks.apply @gru::@apply(%x, %g, %h) {iterate = false} : (tensor<2x3xf32>, tensor<2x6xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = blocks.apply @gru_tanh::@apply(%x, %g, %h) {iterate = false} : (tensor<2x3xf32>, tensor<2x6xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  blocks.output %0 "logistic" : tensor<2x3xf32>
  blocks.output %1 "tanh" : tensor<2x3xf32>
}
// CHECK: @gated logistic = 2x3xf32 {{\[\[}}0.23313{{[0-9]*}}, 0.29088{{[0-9]*}}, 0.30529{{[0-9]*}}], [0.33981{{[0-9]*}}, 0.43060{{[0-9]*}}, 0.47734{{[0-9]*}}]]
// CHECK: @gated tanh = 2x3xf32 {{\[\[}}0.14399{{[0-9]*}}, 0.19471{{[0-9]*}}, 0.18920{{[0-9]*}}], [0.17615{{[0-9]*}}, 0.28985{{[0-9]*}}, 0.34989{{[0-9]*}}]]
