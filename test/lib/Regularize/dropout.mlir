// Dropout stands between the outermost matched tag and its users, once for each
// underlying value.
// RUN: blocks-opt %s -split-input-file -blocks-expand-bricks -blocks-inline-applications -blocks-derive-entries \
// RUN:   -blocks-dropout="p=0.25 where='role:output brick:/mlp/**'" -verify-annotations | FileCheck %s
// Two sites never share a mask, and the same program gives the same sites.
// RUN: blocks-opt %s -split-input-file -blocks-expand-bricks -blocks-inline-applications -blocks-derive-entries \
// RUN:   -blocks-dropout="p=0.25 where='role:output brick:/mlp/**'" -blocks-dropout="p=0.5 where='role:output brick:/mlp/**'" \
// RUN:   | FileCheck %s --check-prefix=TWICE

// linear_0's output, and identity_0's, which is mlp's output too: one underlying
// value has three names, so there is one mask, behind the last of them.
// CHECK-LABEL: blocks.graph @train
// CHECK: %[[V:.*]] = arith.addf
// CHECK-NEXT: %[[R:.*]] = blocks.random uniform like %[[V]] site {{.*}} : tensor<?x3xf32> to tensor<?x3xf32>
// CHECK: arith.constant dense<7.500000e-01>
// CHECK: %[[K:.*]] = arith.cmpf olt, %[[R]]
// CHECK: arith.constant dense<1.33333337>
// CHECK: %[[M:.*]] = arith.select %[[K]]
// CHECK-NEXT: %[[T0:.*]] = blocks.tag %[[V]] <"/mlp/linear_0", "apply", "output", [output]
// CHECK-NEXT: %[[T1:.*]] = blocks.tag %[[T0]] <"/mlp/identity_0", "apply", "input_", [input]
// CHECK-NEXT: %[[T2:.*]] = blocks.tag %[[T1]] <"/mlp/identity_0", "apply", "output", [output]
// CHECK-NEXT: %[[T3:.*]] = blocks.tag %[[T2]] <"/mlp", "apply", "output", [output], "mlp.apply#0">
// CHECK-NEXT: %[[D:.*]] = arith.mulf %[[T3]], %[[M]]
// CHECK-NEXT: %[[N:.*]] = blocks.tag %[[D]] <"/mlp", "apply", "output", [dropout], "mlp.apply#0">
// CHECK-NEXT: blocks.reduce sum %[[N]]
// CHECK-NOT: blocks.random
// The evaluation entry is as it was.
// CHECK: blocks.graph @eval
// CHECK-NOT: blocks.random

// TWICE-LABEL: blocks.graph @train
// TWICE: blocks.random uniform like %{{.*}} site [[FIRST:[-0-9]+]] :
// TWICE-NOT: site [[FIRST]]
// TWICE: blocks.random uniform like %{{.*}} site
// TWICE-NOT: blocks.random
blocks.brick @mlp = "MLP" {dims = [4, 3], activations = ["Identity"]}
blocks.graph @g(%x: tensor<?x4xf32> {blocks.source = "x"}) {
  %y = blocks.apply @mlp::@apply(%x) : (tensor<?x4xf32>) -> tensor<?x3xf32>
  %c = blocks.reduce sum %y dims [0, 1] : tensor<?x3xf32> to tensor<f32>
  blocks.output %c "cost" roles [cost] : tensor<f32>
}
