// What a model looks like, as it was written: bricks are expanded on a copy.
// RUN: blocks-opt %s --print-brick-tree | FileCheck %s --check-prefix=TREE
// RUN: blocks-opt %s --print-parameters | FileCheck %s --check-prefix=PARAMETERS
// RUN: blocks-opt %s --print-roles | FileCheck %s --check-prefix=ROLES
// RUN: blocks-opt %s --dot | FileCheck %s --check-prefix=DOT
// RUN: blocks-opt %s --blocks-expand-bricks --print-brick-tree | FileCheck %s --check-prefix=TREE

// TREE: {{^}}mlp: MLP
// TREE-NEXT: {{^}}  linear_0: Linear
// TREE-NEXT: {{^}}    .W 4x3 f32
// TREE-NEXT: {{^}}    .b 3 f32
// TREE-NEXT: {{^}}  tanh_0: Tanh
// TREE-NOT: module

// PARAMETERS: /mlp/linear_0.W 4x3 f32 [weight] #blocks.glorot_uniform
// PARAMETERS-NEXT: /mlp/linear_0.b 3 f32 [bias] #blocks.constant<0.000000e+00>
// PARAMETERS-NEXT: 15 elements

// ROLES: @g
// ROLES-NEXT: /mlp/linear_0.W [weight] tensor<4x3xf32>
// ROLES: /mlp.apply.output [output] tensor<?x3xf32> mlp.apply#0

// DOT: digraph "g" {
// DOT: n0 [shape=box, label="x"];
// DOT: [[TANH:n[0-9]+]] [shape=ellipse, label="math.tanh\n/mlp/tanh_0.apply.output\n/mlp.apply.output"];
// DOT: [[OUT:n[0-9]+]] [shape=box, label="output y"];
// DOT-NEXT: [[TANH]] -> [[OUT]] [label="?x3"];
blocks.brick @mlp = "MLP" {dims = [4, 3], activations = ["Tanh"]}
blocks.graph @g(%x: tensor<?x4xf32> {blocks.source = "x"}) {
  %y = blocks.apply @mlp::@apply(%x) : (tensor<?x4xf32>) -> tensor<?x3xf32>
  blocks.output %y "y" : tensor<?x3xf32>
}
