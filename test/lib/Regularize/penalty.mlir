// The cost becomes the optimized value; the penalty is an output of its own and
// sees the clean weights, also behind weight noise.
// RUN: blocks-opt %s -blocks-expand-bricks -blocks-inline-applications -blocks-derive-entries -blocks-weight-noise \
// RUN:   -blocks-penalty="l1=0.5 l2=0.25" -blocks-penalty="l2=1.0 where='role:bias'" -verify-annotations | FileCheck %s
// RUN: not blocks-opt %s -blocks-expand-bricks -blocks-inline-applications -blocks-penalty="l2=1.0 where='name:V'" 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: blocks-penalty: filter 'name:V' matches nothing; the nearest

// CHECK-LABEL: blocks.graph @train
// CHECK: %[[W:.*]] = blocks.tag %{{.*}} <"/linear", "", "W", [weight], "">
// CHECK: %[[C:.*]] = blocks.reduce sum %{{.*}} dims [0, 1] : tensor<?x4xf32> to tensor<f32>
// CHECK-NEXT: %[[ABS:.*]] = math.absf %[[W]]
// CHECK-NEXT: %[[S1:.*]] = blocks.reduce sum %[[ABS]] dims [0, 1]
// CHECK-NEXT: %[[L1:.*]] = arith.constant dense<5.000000e-01>
// CHECK-NEXT: %[[A:.*]] = arith.mulf %[[S1]], %[[L1]]
// CHECK-NEXT: %[[SQ:.*]] = arith.mulf %[[W]], %[[W]]
// CHECK-NEXT: %[[S2:.*]] = blocks.reduce sum %[[SQ]] dims [0, 1]
// CHECK-NEXT: %[[L2:.*]] = arith.constant dense<2.500000e-01>
// CHECK-NEXT: %[[B:.*]] = arith.mulf %[[S2]], %[[L2]]
// CHECK-NEXT: %[[P:.*]] = arith.addf %[[A]], %[[B]]
// CHECK-NEXT: %[[T:.*]] = arith.addf %[[C]], %[[P]]
// CHECK: %[[U:.*]] = arith.addf %[[T]], %[[Q:.*]] :
// CHECK-NEXT: blocks.output %[[U]] "cost" roles [cost] aggregate mean
// CHECK-NEXT: blocks.output %[[Q]] "penalty_1" aggregate mean
// CHECK-NEXT: blocks.output %[[P]] "penalty" aggregate mean
// CHECK: blocks.graph @eval
// CHECK-NOT: penalty
blocks.brick @linear = "Linear" {input_dim = 4, output_dim = 4}
blocks.graph @g(%x: tensor<?x4xf32> {blocks.source = "x"}) {
  %0 = blocks.apply @linear::@apply(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %c = blocks.reduce sum %0 dims [0, 1] : tensor<?x4xf32> to tensor<f32>
  blocks.output %c "cost" roles [cost] aggregate mean : tensor<f32>
}
