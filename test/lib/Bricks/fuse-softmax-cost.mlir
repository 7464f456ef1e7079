// The cross-entropy of a softmax's probabilities becomes the fused operation.
// RUN: blocks-opt %s -split-input-file -blocks-expand-bricks -blocks-inline-applications -blocks-fuse-softmax-cost -verify-annotations | FileCheck %s

// CHECK-LABEL: blocks.graph @labels
// CHECK-NOT: blocks.pick
// CHECK: %[[C:.*]], %{{.*}} = blocks.softmax_cross_entropy %{{.*}}, %{{.*}} {brick = "/cost"}
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[C]]
// CHECK-NEXT: arith.negf %[[N]]
// CHECK-NOT: math.log
// CHECK: blocks.output
blocks.brick @softmax = "Softmax" {}
blocks.brick @cost = "CategoricalCrossEntropy" {}
blocks.graph @labels(%x: tensor<?x4xf32> {blocks.source = "x"}, %y: tensor<?xi32> {blocks.source = "y"}) {
  %p = blocks.apply @softmax::@apply(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %c = blocks.apply @cost::@apply(%y, %p) : (tensor<?xi32>, tensor<?x4xf32>) -> tensor<f32>
  blocks.output %c "cost" roles [cost] : tensor<f32>
}

// -----

// A distribution.
// CHECK-LABEL: blocks.graph @distribution
// CHECK: %[[X:.*]] = blocks.tag %arg0 <"/softmax", "apply", "input_"
// CHECK: %[[Y:.*]] = blocks.tag %arg1 <"/cost", "apply", "y"
// CHECK: blocks.softmax_cross_entropy %[[X]], %[[Y]] : tensor<?x4xf32>, tensor<?x4xf32>
// CHECK-NOT: math.log
// CHECK: blocks.output
blocks.brick @softmax = "Softmax" {}
blocks.brick @cost = "CategoricalCrossEntropy" {}
blocks.graph @distribution(%x: tensor<?x4xf32> {blocks.source = "x"}, %y: tensor<?x4xf32> {blocks.source = "y"}) {
  %p = blocks.apply @softmax::@apply(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %c = blocks.apply @cost::@apply(%y, %p) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<f32>
  blocks.output %c "cost" roles [cost] : tensor<f32>
}

// -----

// Probabilities from elsewhere stay probabilities; something between the two
// (as a dropout would be) as well.
// CHECK-LABEL: blocks.graph @elsewhere
// CHECK-NOT: softmax_cross_entropy
// CHECK: math.log
blocks.brick @softmax = "Softmax" {}
blocks.brick @cost = "CategoricalCrossEntropy" {}
blocks.graph @elsewhere(%x: tensor<?x4xf32> {blocks.source = "x"}, %y: tensor<?xi32> {blocks.source = "y"}) {
  %p = blocks.apply @softmax::@apply(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %q = arith.mulf %p, %p : tensor<?x4xf32>
  %c = blocks.apply @cost::@apply(%y, %q) : (tensor<?xi32>, tensor<?x4xf32>) -> tensor<f32>
  blocks.output %c "cost" roles [cost] : tensor<f32>
}
