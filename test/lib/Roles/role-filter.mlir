// The query language: each criterion alone, then together.
// RUN: blocks-opt %s -print-roles="where='brick:/mlp/linear_*'" | FileCheck %s --check-prefix=SEGMENT
// RUN: blocks-opt %s -print-roles="where='brick:/mlp/** role:output'" | FileCheck %s --check-prefix=DEPTH
// RUN: blocks-opt %s -print-roles="where='role:parameter'" | FileCheck %s --check-prefix=ROLE
// RUN: blocks-opt %s -print-roles="where='name:W or name:b'" | FileCheck %s --check-prefix=OR
// RUN: blocks-opt %s -print-roles="where='application:apply not (role:input or brick:/mlp/**)'" | FileCheck %s --check-prefix=NOT
// RUN: blocks-opt %s -print-roles="where='regex:tanh_[0-9].apply.out'" | FileCheck %s --check-prefix=REGEX
// RUN: blocks-opt %s -print-roles="where='call:mlp.apply#1/** role:output brick:/mlp/tanh_0'" | FileCheck %s --check-prefix=CALL
// RUN: blocks-opt %s -print-roles="where='kind:Tan* role:output or kind:Linear role:bias'" | FileCheck %s --check-prefix=KIND

// SEGMENT: /mlp/linear_0.W [weight]
// SEGMENT-NEXT: /mlp/linear_0.b [bias]
// SEGMENT-NEXT: /mlp/linear_0.apply.input_ [input]
// SEGMENT-NEXT: /mlp/linear_0.apply.W_norm [auxiliary]
// SEGMENT-NEXT: /mlp/linear_0.apply.b_norm [auxiliary]
// SEGMENT-NEXT: /mlp/linear_0.apply.output [output]
// SEGMENT-NOT: /mlp.apply
// SEGMENT-NOT: tanh

// DEPTH: @g
// DEPTH-NEXT: /mlp/linear_0.apply.output [output] tensor<?x4xf32> mlp.apply#0/linear_0.apply#0
// DEPTH-NEXT: /mlp/tanh_0.apply.output [output]
// DEPTH-NEXT: /mlp.apply.output [output] tensor<?x4xf32> mlp.apply#0
// DEPTH-NEXT: /mlp/linear_0.apply.output

// A role includes its kinds: weights and biases are parameters.
// ROLE: @g
// ROLE-NEXT: /mlp/linear_0.W [weight] tensor<4x4xf32>
// ROLE-NEXT: /mlp/linear_0.b [bias] tensor<4xf32>
// ROLE-NOT: apply

// OR: linear_0.W
// OR-NEXT: linear_0.b
// OR-NOT: apply

// NOT: @g
// NOT-NEXT: /softmax.apply.output
// NOT-NOT: /

// KIND: @g
// KIND-NEXT: /mlp/linear_0.b [bias]
// KIND-NEXT: /mlp/tanh_0.apply.output [output]
// KIND-NEXT: /mlp/tanh_0.apply.output [output]
// KIND-NOT: input_

// REGEX: @g
// REGEX-NEXT: /mlp/tanh_0.apply.output [output]
// REGEX-NEXT: /mlp/tanh_0.apply.output [output]
// REGEX-NOT: input_

// CALL: @g
// CALL-NEXT: /mlp/tanh_0.apply.output [output] tensor<?x4xf32> mlp.apply#1/tanh_0.apply#0
// CALL-NOT: /
blocks.brick @mlp = "MLP" {dims = [4, 4], activations = ["Tanh"]}
blocks.brick @softmax = "Softmax" {}
blocks.graph @g(%x: tensor<?x4xf32> {blocks.source = "x"}) {
  %0 = blocks.apply @mlp::@apply(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = blocks.apply @mlp::@apply(%0) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %2 = blocks.apply @softmax::@apply(%1) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  blocks.output %2 "y" : tensor<?x4xf32>
}
