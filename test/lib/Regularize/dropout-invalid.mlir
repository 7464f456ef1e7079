// A filter that matches nothing is an error with the nearest annotations.
// RUN: not blocks-opt %s -blocks-expand-bricks -blocks-inline-applications -blocks-dropout="where='role:output brick:/tanj'" 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: blocks-dropout: filter 'role:output brick:/tanj' matches nothing; the nearest of {{[0-9]+}} annotated values are /tanh.apply.output [output],
// Before inlining there is nothing to match.
// RUN: not blocks-opt %s -blocks-dropout="where='role:output'" 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: error: blocks-dropout: filter 'role:output' matches nothing: there are no annotated values; inline the bricks first
// RUN: not blocks-opt %s -blocks-expand-bricks -blocks-inline-applications -blocks-dropout="where='role:outputs'" 2>&1 | FileCheck %s --check-prefix=ROLE
// ROLE: error: blocks-dropout: filter 'role:outputs', column 6: there is no role 'outputs'; did you mean 'output'?
// RUN: not blocks-opt %s -blocks-expand-bricks -blocks-inline-applications -blocks-dropout="p=1.0 where='role:output'" 2>&1 | FileCheck %s --check-prefix=P
// P: error: blocks-dropout: p is the probability of setting an element to 0, from 0 to below 1; found 1
// Integers cannot be dropped.
// RUN: not blocks-opt %s -blocks-expand-bricks -blocks-inline-applications -blocks-dropout="where='name:y'" 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: blocks-dropout: /softmax.categorical_cross_entropy.y holds 'ui8', which cannot be dropped; narrow the filter 'name:y'
// A dropout that cannot reach the cost is a warning: here the cost is computed from the clean value.
// RUN: blocks-opt %s -blocks-expand-bricks -blocks-inline-applications -blocks-dropout="where='role:output brick:/tanh'" 2>&1 | FileCheck %s --check-prefix=REACH
// REACH: warning: blocks-dropout where 'role:output brick:/tanh' does not reach the cost "cost" of @g, so it does not change what is learned
blocks.brick @tanh = "Tanh" {}
blocks.brick @softmax = "Softmax" {}
blocks.graph @g(%x: tensor<?x8xf32> {blocks.source = "x"}, %y: tensor<?xui8> {blocks.source = "y"}) {
  %0 = blocks.apply @tanh::@apply(%x) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %1 = blocks.apply @softmax::@categorical_cross_entropy(%y, %x) : (tensor<?xui8>, tensor<?x8xf32>) -> tensor<?xf32>
  %c = blocks.reduce sum %1 dims [0] : tensor<?xf32> to tensor<f32>
  blocks.output %c "cost" roles [cost] : tensor<f32>
  blocks.output %0 "features" : tensor<?x8xf32>
}
