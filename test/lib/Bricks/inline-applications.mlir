// Applications become tensor operations whose values carry annotations.
// RUN: blocks-opt %s -split-input-file -blocks-expand-bricks -blocks-inline-applications -verify-annotations | FileCheck %s
// Doing it again changes nothing.
// RUN: blocks-opt %s -split-input-file -blocks-expand-bricks -blocks-inline-applications -blocks-inline-applications | FileCheck %s

// A brick applied twice: one `get` for each parameter, and two call paths.
// CHECK-LABEL: blocks.graph @twice
// CHECK: %[[W:.*]] = blocks.get @linear::@W
// CHECK-NEXT: %[[T:.*]] = blocks.tag %[[W]] <"/linear", "", "W", [weight], "">
// CHECK-NEXT: blocks.get @linear::@b
// CHECK-NEXT: blocks.tag %{{.*}} <"/linear", "", "b", [bias], "">
// CHECK: %[[I:.*]] = blocks.tag %{{.*}} <"/linear", "apply", "input_", [input], "linear.apply#0">
// CHECK: blocks.matmul %[[I]], %[[T]]
// CHECK: blocks.tag %{{.*}} <"/linear", "apply", "output", [output], "linear.apply#0">
// CHECK-NEXT: %[[J:.*]] = blocks.tag %{{.*}} <"/linear", "apply", "input_", [input], "linear.apply#1">
// CHECK: blocks.matmul %[[J]], %[[T]]
// CHECK: blocks.tag %{{.*}} <"/linear", "apply", "output", [output], "linear.apply#1">
// CHECK-NOT: blocks.get
// CHECK: blocks.output
blocks.brick @linear = "Linear" {input_dim = 4, output_dim = 4}
blocks.graph @twice(%x: tensor<?x4xf32> {blocks.source = "x"}) {
  %0 = blocks.apply @linear::@apply(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = blocks.apply @linear::@apply(%0) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  blocks.output %1 "y" : tensor<?x4xf32>
}

// -----

// A sub-brick with two parents has one parameter, of one path.
// CHECK-LABEL: blocks.graph @parents
// CHECK: blocks.get @sub::@W
// CHECK-NOT: blocks.get
// CHECK: <"/sub", "apply", "output", [output], "a.apply#0/sub.apply#0">
// CHECK: <"/a", "apply", "output", [output], "a.apply#0">
// CHECK: <"/sub", "apply", "output", [output], "b.apply#0/sub.apply#0">
// CHECK: <"/b", "apply", "output", [output], "b.apply#0">
blocks.brick @sub = "Linear" {input_dim = 2, output_dim = 2, use_bias = false}
blocks.brick @a {
  blocks.application @apply(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
    %0 = blocks.apply @sub::@apply(%x) : (tensor<?x2xf32>) -> tensor<?x2xf32>
    %1 = math.tanh %0 : tensor<?x2xf32>
    blocks.return %1 : tensor<?x2xf32>
  }
}
blocks.brick @b {
  blocks.application @apply(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
    %0 = blocks.apply @sub::@apply(%x) : (tensor<?x2xf32>) -> tensor<?x2xf32>
    %1 = math.tanh %0 : tensor<?x2xf32>
    blocks.return %1 : tensor<?x2xf32>
  }
}
blocks.graph @parents(%x: tensor<?x2xf32> {blocks.source = "x"}) {
  %0 = blocks.apply @a::@apply(%x) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  %1 = blocks.apply @b::@apply(%x) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  %2 = arith.addf %0, %1 : tensor<?x2xf32>
  %c = blocks.reduce sum %2 dims [0, 1] : tensor<?x2xf32> to tensor<f32>
  blocks.output %c "cost" roles [cost] : tensor<f32>
}

// -----

// Costs carry role COST; the log-probabilities are an auxiliary value. Labels
// (batch, 1) are taken as they are in the file.
// CHECK-LABEL: blocks.graph @cost
// CHECK: %[[Y:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1]] : tensor<?x1xui8> into tensor<?xui8>
// CHECK: %[[C:.*]], %[[L:.*]] = blocks.softmax_cross_entropy %{{.*}}, %[[Y]] {brick = "/softmax"}
// CHECK-NEXT: blocks.tag %[[L]] <"/softmax", "categorical_cross_entropy", "log_probabilities", [auxiliary], "softmax.categorical_cross_entropy#0">
// CHECK-NEXT: blocks.tag %[[C]] <"/softmax", "categorical_cross_entropy", "output", [output, cost], "softmax.categorical_cross_entropy#0">
// CHECK: blocks.tag %{{.*}} <"/error", "apply", "error_rate", [output], "error.apply#0">
blocks.brick @softmax = "Softmax" {}
blocks.brick @error = "MisclassificationRate" {}
blocks.graph @cost(%x: tensor<?x4xf32> {blocks.source = "x"}, %y: tensor<?x1xui8> {blocks.source = "y"}) {
  %c = blocks.apply @softmax::@categorical_cross_entropy(%y, %x) : (tensor<?x1xui8>, tensor<?x4xf32>) -> tensor<?xf32>
  %e = blocks.apply @error::@apply(%y, %x) : (tensor<?x1xui8>, tensor<?x4xf32>) -> tensor<f32>
  blocks.output %c "costs" : tensor<?xf32>
  blocks.output %e "error_rate" : tensor<f32>
}

// -----

// A recurrence: the activation's tags are in the scan's body, the parameters
// outside of it. The mask keeps the old state where it is 0.
// CHECK-LABEL: blocks.graph @recurrent
// CHECK: blocks.get @rnn::@W
// CHECK-NEXT: %[[W:.*]] = blocks.tag %{{.*}} <"/rnn", "", "W", [weight], "">
// CHECK-NEXT: blocks.get @rnn::@initial_state
// CHECK-NEXT: %[[H:.*]] = blocks.tag %{{.*}} <"/rnn", "", "initial_state", [initial_state], "">
// CHECK: blocks.tag %{{.*}} <"/rnn", "apply", "inputs", [input], "rnn.apply#0">
// CHECK: blocks.tag %{{.*}} <"/rnn", "apply", "mask", [input], "rnn.apply#0">
// CHECK: %[[B:.*]] = blocks.broadcast %[[H]]
// CHECK: %[[S:.*]] = blocks.scan sequences(%{{.*}}, %{{.*}}) states(%[[B]])
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[X:.*]]: tensor<?x8xf32>, %[[M:.*]]: tensor<?xf32>, %[[OLD:.*]]: tensor<?x8xf32>):
// CHECK: %[[SEEN:.*]] = blocks.tag %[[OLD]] <"/rnn", "apply", "previous_states", [auxiliary], "rnn.apply#0">
// CHECK-NEXT: %[[P:.*]] = blocks.matmul %[[SEEN]], %[[W]]
// CHECK-NEXT: arith.addf %[[P]], %[[X]]
// CHECK-NEXT: <"/rnn/tanh", "apply", "input_", [input], "rnn.apply#0/tanh.apply#0">
// CHECK: %[[NEW:.*]] = blocks.tag %{{.*}} <"/rnn/tanh", "apply", "output", [output], "rnn.apply#0/tanh.apply#0">
// CHECK: %[[MB:.*]] = blocks.broadcast %[[M]] like %[[OLD]] dims [0]
// CHECK: %[[K:.*]] = arith.subf %{{.*}}, %[[MB]]
// CHECK: %[[U:.*]] = arith.mulf %[[MB]], %[[NEW]]
// CHECK: %[[V:.*]] = arith.mulf %[[K]], %[[OLD]]
// CHECK: %[[N:.*]] = arith.addf %[[U]], %[[V]]
// CHECK: blocks.yield states(%[[N]] : tensor<?x8xf32>)
// CHECK: blocks.tag %[[S]] <"/rnn", "apply", "states", [output], "rnn.apply#0">
blocks.brick @rnn = "SimpleRecurrent" {dim = 8, activation = "Tanh"}
blocks.graph @recurrent(%x: tensor<?x?x8xf32> {blocks.source = "x", blocks.axes = ["time", "batch", "feature"]},
                  %m: tensor<?x?xf32> {blocks.source = "m", blocks.axes = ["time", "batch"]}) {
  %s = blocks.apply @rnn::@apply(%x, %m) : (tensor<?x?x8xf32>, tensor<?x?xf32>) -> tensor<?x?x8xf32>
  blocks.output %s "states" : tensor<?x?x8xf32>
}
