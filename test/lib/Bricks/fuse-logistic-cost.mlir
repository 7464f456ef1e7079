// The binary cross-entropy of a logistic's output becomes one of its input.
// RUN: blocks-opt %s -split-input-file -blocks-expand-bricks -blocks-inline-applications -blocks-fuse-logistic-cost -verify-annotations | FileCheck %s
// RUN: blocks-opt %s -split-input-file -blocks-expand-bricks -blocks-inline-applications -blocks-fuse-logistic-cost | test-compiled-graphs --shape batch=3 | FileCheck %s --check-prefix=COMPILED
// RUN: blocks-gradcheck %s --passes='blocks-expand-bricks,blocks-inline-applications,blocks-convert-to-f64,blocks-fuse-logistic-cost,blocks-derive-entries{cost=cost},blocks-differentiate{cost=cost}' --shape batch=3 --seeds 1 | FileCheck %s --check-prefix=GRADIENT

// GRADIENT: fused: {{[1-9][0-9]*}} elements agree
// COMPILED: fused agrees
// CHECK-LABEL: blocks.graph @cost
// CHECK: %[[X:.*]] = blocks.tag %{{.*}} <"/logistic", "apply", "input_"
// CHECK: %[[Y:.*]] = blocks.tag %arg1 <"/bce", "apply", "y"
// CHECK-NOT: math.log %
// CHECK: math.log1p
// CHECK: arith.mulf %[[X]], %[[Y]]
// CHECK-NOT: math.log %
// CHECK: blocks.output
module @fused {
  blocks.brick @linear = "Linear" {input_dim = 2, output_dim = 4}
  blocks.brick @logistic = "Logistic"
  blocks.brick @bce = "BinaryCrossEntropy"
  blocks.graph @cost(%x: tensor<?x2xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}, %y: tensor<?x4xf32> {blocks.source = "y", blocks.axes = ["batch", ""], check.range = [0.1, 0.9]}) {
    %l = blocks.apply @linear::@apply(%x) : (tensor<?x2xf32>) -> tensor<?x4xf32>
    %p = blocks.apply @logistic::@apply(%l) : (tensor<?x4xf32>) -> tensor<?x4xf32>
    %c = blocks.apply @bce::@apply(%y, %p) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<f32>
    blocks.output %c "cost" roles [cost] : tensor<f32>
  }
}

// -----

// Something between the two, as a dropout would be.
// CHECK-LABEL: blocks.graph @elsewhere
// CHECK-COUNT-2: math.log %
module @elsewhere {
  blocks.brick @linear = "Linear" {input_dim = 2, output_dim = 4}
  blocks.brick @bce = "BinaryCrossEntropy"
  blocks.graph @elsewhere(%x: tensor<?x2xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}, %y: tensor<?x4xf32> {blocks.source = "y", blocks.axes = ["batch", ""], check.range = [0.1, 0.9]}) {
    %l = blocks.apply @linear::@apply(%x) : (tensor<?x2xf32>) -> tensor<?x4xf32>
    %p = blocks.logistic %l : tensor<?x4xf32>
    %q = arith.mulf %p, %p : tensor<?x4xf32>
    %c = blocks.apply @bce::@apply(%y, %q) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<f32>
    blocks.output %c "cost" roles [cost] : tensor<f32>
  }
}
