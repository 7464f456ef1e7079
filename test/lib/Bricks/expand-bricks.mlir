// Library bricks become parameters, children and applications; afterwards they
// cannot be told apart from bricks written by hand.
// RUN: blocks-opt %s -split-input-file -blocks-expand-bricks | FileCheck %s

// The settings for initial values go down; the most specific wins.
// CHECK-LABEL: blocks.brick @mlp = "MLP"
// CHECK: blocks.brick @linear_0 = "Linear"
// CHECK-NEXT: blocks.parameter @W : tensor<4x3xf32> roles [weight] init #blocks.isotropic_gaussian<std = 1.000000e-01>
// CHECK-NEXT: blocks.parameter @b : tensor<3xf32> roles [bias] init #blocks.constant<1.000000e+00>
// CHECK-NEXT: blocks.application @apply(%{{.*}}: tensor<?x4xf32> {blocks.name = "input_"}) -> (tensor<?x3xf32> {blocks.name = "output"})
// CHECK: <"/mlp/linear_0", "apply", "W_norm", [auxiliary], "">
// CHECK: <"/mlp/linear_0", "apply", "b_norm", [auxiliary], "">
// CHECK: blocks.get @mlp::@linear_0::@W
// CHECK-NEXT: blocks.matmul
// CHECK: blocks.get @mlp::@linear_0::@b
// CHECK: blocks.brick @leakyrectifier_0 = "LeakyRectifier" {leak = 2.000000e-01 : f64}
// CHECK: blocks.rectifier %{{.*}} leak 2.000000e-01
// CHECK: blocks.brick @linear_1
// CHECK: blocks.brick @identity_1
// CHECK: blocks.application @apply(%[[X:.*]]: tensor<?x4xf32> {blocks.name = "input_"}) -> (tensor<?x2xf32> {blocks.name = "output"})
// CHECK-NEXT: %[[A:.*]] = blocks.apply @mlp::@linear_0::@apply(%[[X]])
// CHECK-NEXT: %[[B:.*]] = blocks.apply @mlp::@leakyrectifier_0::@apply(%[[A]])
// CHECK-NEXT: %[[C:.*]] = blocks.apply @mlp::@linear_1::@apply(%[[B]])
// CHECK-NEXT: %[[D:.*]] = blocks.apply @mlp::@identity_1::@apply(%[[C]])
// CHECK-NEXT: blocks.return %[[D]]
blocks.brick @mlp = "MLP" {dims = [4, 3, 2], activations = [{kind = "LeakyRectifier", leak = 0.2}, "Identity"],
                           weights_init = #blocks.constant<7.0>, biases_init = #blocks.constant<1.0>,
                           prototype = {kind = "Linear", weights_init = #blocks.isotropic_gaussian<std = 0.1>}}
blocks.graph @g(%x: tensor<?x4xf32> {blocks.source = "x"}) {
  %y = blocks.apply @mlp::@apply(%x) : (tensor<?x4xf32>) -> tensor<?x2xf32>
  blocks.output %y "y" : tensor<?x2xf32>
}

// -----

// Without settings: glorot_uniform for weights, 0 for biases. Without a bias
// there is no parameter for it.
// CHECK-LABEL: blocks.brick @plain
// CHECK-NEXT: init #blocks.glorot_uniform
// CHECK-NEXT: init #blocks.constant<0.000000e+00>
blocks.brick @plain = "Linear" {input_dim = 4, output_dim = 3}
// CHECK-LABEL: blocks.brick @nobias
// CHECK-NEXT: blocks.parameter @W
// CHECK-NOT: blocks.parameter @b
blocks.brick @nobias = "Linear" {input_dim = 4, output_dim = 3, use_bias = false}

// -----

// One application for each signature: Linear works on any rank.
// CHECK-LABEL: blocks.brick @linear
// CHECK: blocks.application @apply(%{{.*}}: tensor<?x4xf32>
// CHECK: blocks.application @apply_1(%[[X:.*]]: tensor<?x?x4xf32> {blocks.name = "input_"}) -> (tensor<?x?x3xf32> {blocks.name = "output"}) attributes {application = "apply"}
// CHECK: tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]] : tensor<?x?x4xf32> into tensor<?x4xf32>
// CHECK: blocks.matmul
// CHECK: %[[T:.*]] = tensor.dim %[[X]]
// CHECK: %[[B:.*]] = tensor.dim %[[X]]
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [%[[T]], %[[B]], 3] : tensor<?x3xf32> into tensor<?x?x3xf32>
// CHECK: blocks.graph
// CHECK: blocks.apply @linear::@apply(
// CHECK: blocks.apply @linear::@apply_1(
// CHECK: blocks.apply @linear::@apply(
blocks.brick @linear = "Linear" {input_dim = 4, output_dim = 3}
blocks.graph @g(%x: tensor<?x4xf32> {blocks.source = "x"}, %s: tensor<?x?x4xf32> {blocks.source = "s"}) {
  %0 = blocks.apply @linear::@apply(%x) : (tensor<?x4xf32>) -> tensor<?x3xf32>
  %1 = blocks.apply @linear::@apply(%s) : (tensor<?x?x4xf32>) -> tensor<?x?x3xf32>
  %2 = blocks.apply @linear::@apply(%x) : (tensor<?x4xf32>) -> tensor<?x3xf32>
  blocks.output %0 "a" : tensor<?x3xf32>
  blocks.output %1 "b" : tensor<?x?x3xf32>
  blocks.output %2 "c" : tensor<?x3xf32>
}

// -----

// A brick written by hand with library bricks as children.
// CHECK-LABEL: blocks.brick @model {
// CHECK: blocks.brick @hidden = "Linear"
// CHECK: blocks.parameter @W
// CHECK: blocks.get @model::@hidden::@W
// CHECK: blocks.brick @tanh = "Tanh"
// CHECK: math.tanh
// CHECK: blocks.application @apply
// CHECK: blocks.apply @model::@hidden::@apply
// CHECK: blocks.apply @model::@tanh::@apply
blocks.brick @model {
  blocks.brick @hidden = "Linear" {input_dim = 4, output_dim = 3}
  blocks.brick @tanh = "Tanh" {}
  blocks.application @apply(%x: tensor<?x4xf32>) -> tensor<?x3xf32> {
    %a = blocks.apply @model::@hidden::@apply(%x) : (tensor<?x4xf32>) -> tensor<?x3xf32>
    %b = blocks.apply @model::@tanh::@apply(%a) : (tensor<?x3xf32>) -> tensor<?x3xf32>
    blocks.return %b : tensor<?x3xf32>
  }
}

// -----

// Sequences: parts are children, or bricks elsewhere, whose parameters stay
// where they are.
// CHECK-LABEL: blocks.brick @shared
// CHECK: blocks.brick @sequence = "Sequence"
// CHECK-NEXT: blocks.brick @first = "Linear"
// CHECK: init #blocks.constant<3.000000e+00>
// CHECK: blocks.brick @softmax = "Softmax"
// CHECK: blocks.application @apply(%{{.*}}: tensor<?x4xf32> {blocks.name = "input_"}) -> (tensor<?x4xf32> {blocks.name = "output"})
// CHECK-NEXT: blocks.apply @sequence::@first::@apply
// CHECK-NEXT: blocks.apply @shared::@apply
// CHECK-NEXT: blocks.apply @sequence::@softmax::@log_probabilities
blocks.brick @shared = "Linear" {input_dim = 4, output_dim = 4}
blocks.brick @sequence = "Sequence" {
  application_methods = [{kind = "Linear", name = "first", input_dim = 4, output_dim = 4}, @shared,
                         {kind = "Softmax", application = "log_probabilities"}],
  weights_init = #blocks.constant<3.0>}
blocks.graph @g(%x: tensor<?x4xf32> {blocks.source = "x"}) {
  %y = blocks.apply @sequence::@apply(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  blocks.output %y "y" : tensor<?x4xf32>
}
