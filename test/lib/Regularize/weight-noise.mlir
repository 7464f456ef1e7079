// Noise on parameters: their annotation stays on the clean value, all uses see
// the noisy one.
// RUN: blocks-opt %s -blocks-expand-bricks -blocks-inline-applications -blocks-weight-noise="std=0.5" -verify-annotations | FileCheck %s
// RUN: not blocks-opt %s -blocks-expand-bricks -blocks-inline-applications -blocks-weight-noise="where='role:filter'" 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: blocks-weight-noise: filter 'role:filter' matches nothing; the nearest

// CHECK-LABEL: blocks.graph @g
// CHECK: %[[W:.*]] = blocks.get @linear::@W
// CHECK-NEXT: %[[R:.*]] = blocks.random normal like %[[W]] site
// CHECK-NEXT: arith.constant dense<5.000000e-01>
// CHECK: %[[E:.*]] = arith.mulf %[[R]]
// CHECK-NEXT: %[[T:.*]] = blocks.tag %[[W]] <"/linear", "", "W", [weight], "">
// CHECK-NEXT: %[[N:.*]] = arith.addf %[[T]], %[[E]]
// CHECK-NOT: blocks.random
// CHECK: blocks.matmul %{{.*}}, %[[N]]
// CHECK: blocks.matmul %{{.*}}, %[[N]]
blocks.brick @linear = "Linear" {input_dim = 4, output_dim = 4}
blocks.graph @g(%x: tensor<?x4xf32> {blocks.source = "x"}) {
  %0 = blocks.apply @linear::@apply(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = blocks.apply @linear::@apply(%0) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %c = blocks.reduce sum %1 dims [0, 1] : tensor<?x4xf32> to tensor<f32>
  blocks.output %c "cost" roles [cost] : tensor<f32>
}
