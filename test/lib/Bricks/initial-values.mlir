// The most specific initializer wins: a name before a role, a role before those
// that it is a kind of, a child's own before its parent's.
// RUN: blocks-opt %s --print-parameters | FileCheck %s
// RUN: blocks-opt %s -blocks-expand-bricks | FileCheck %s --check-prefix=IR

blocks.brick @mlp = "MLP" {dims = [3, 4, 2], activations = ["Tanh", "Identity"], weights_init = #blocks.identity, inits = {b = #blocks.constant<1.0>}}
// IR: @mlp
// IR: @W : tensor<3x4xf32> roles [weight] init #blocks.identity
// IR: @b : tensor<4xf32> roles [bias] init #blocks.constant<1.0
blocks.brick @roles = "Linear" {input_dim = 4, output_dim = 4, weights_init = #blocks.constant<5.0>, inits = {weight = #blocks.orthogonal, parameter = #blocks.constant<2.0>}}
// IR: @roles
// IR: @W : tensor<4x4xf32> roles [weight] init #blocks.orthogonal
// IR: @b : tensor<4xf32> roles [bias] init #blocks.constant<2.0
blocks.brick @own = "Sequence" {application_methods = [{kind = "Linear", input_dim = 4, output_dim = 4, weights_init = #blocks.constant<3.0>}, {kind = "Linear", name = "second", input_dim = 4, output_dim = 4}], inits = {weight = #blocks.orthogonal}}
// IR: @own
// IR: @W : tensor<4x4xf32> roles [weight] init #blocks.constant<3.0
// IR: @second
// IR: @W : tensor<4x4xf32> roles [weight] init #blocks.orthogonal
// CHECK: /mlp/linear_0.W
// CHECK: /own/second.b
