// Inside a scan the position is part of the counter: each step has its own
// mask. With per_sequence all steps share one.
// RUN: blocks-opt %s -blocks-expand-bricks -blocks-inline-applications \
// RUN:   -blocks-dropout="where='role:output brick:/rnn/tanh'" -verify-annotations | FileCheck %s --check-prefixes=CHECK,STEP
// RUN: blocks-opt %s -blocks-expand-bricks -blocks-inline-applications \
// RUN:   -blocks-dropout="where='role:output brick:/rnn/tanh' per_sequence=true" | FileCheck %s --check-prefixes=CHECK,SEQUENCE

// CHECK: blocks.scan
// CHECK-NEXT: ^bb0(%[[T:.*]]: index,
// CHECK: %[[V:.*]] = math.tanh
// STEP-NEXT: blocks.random uniform like %[[V]] site {{[-0-9]+}} index %[[T]] : tensor<?x8xf32> to tensor<?x8xf32>
// SEQUENCE-NEXT: blocks.random uniform like %[[V]] site {{[-0-9]+}} : tensor<?x8xf32> to tensor<?x8xf32>
// CHECK: %[[N:.*]] = blocks.tag %{{.*}} <"/rnn/tanh", "apply", "output", [dropout], "rnn.apply#0/tanh.apply#0">
// CHECK-NEXT: blocks.yield states(%[[N]]
blocks.brick @rnn = "SimpleRecurrent" {dim = 8, activation = "Tanh"}
blocks.graph @g(%x: tensor<?x?x8xf32> {blocks.source = "x", blocks.axes = ["time", "batch", "feature"]}) {
  %s = blocks.apply @rnn::@apply(%x) : (tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  %c = blocks.reduce sum %s dims [0, 1, 2] : tensor<?x?x8xf32> to tensor<f32>
  blocks.output %c "cost" roles [cost] : tensor<f32>
}
