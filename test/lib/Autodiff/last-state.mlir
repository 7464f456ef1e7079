// The gradient of the state after the last step is where the backward loop
// starts: nothing is inserted into a stack of zeros.
// RUN: blocks-opt %s --blocks-derive-entries --blocks-differentiate --canonicalize | FileCheck %s

// CHECK-LABEL: blocks.graph @train
// CHECK: %[[STATES:.*]] = blocks.scan sequences
// CHECK: %[[LAST:.*]] = tensor.extract_slice %[[STATES]]
// CHECK: %[[TWO:.*]] = blocks.broadcast %{{.*}} like %[[LAST]]
// CHECK: %[[TWICE:.*]] = arith.mulf %[[LAST]], %[[TWO]]
// CHECK: %[[GRADIENT:.*]] = arith.mulf %{{.*}}, %[[TWICE]]
// CHECK-NOT: insert_slice
// CHECK: blocks.scan reverse sequences(%{{.*}}) states(%[[GRADIENT]])
// CHECK-NOT: insert_slice
// CHECK: blocks.step
blocks.brick @rnn {
  blocks.parameter @h0 : tensor<3xf32> roles [initial_state] init #blocks.constant<0.5>
}
blocks.graph @cost(%xs: tensor<?x3xf32> {blocks.source = "x", blocks.axes = ["time", ""]}) {
  %h0 = blocks.get @rnn::@h0 : tensor<3xf32>
  %hs = blocks.scan sequences(%xs) states(%h0) : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32> {
  ^bb0(%t: index, %x: tensor<3xf32>, %h: tensor<3xf32>):
    %n = arith.mulf %h, %x : tensor<3xf32>
    blocks.yield states(%n : tensor<3xf32>)
  }
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %T = tensor.dim %hs, %zero : tensor<?x3xf32>
  %end = arith.subi %T, %one : index
  %last = tensor.extract_slice %hs[%end, 0] [1, 3] [1, 1] : tensor<?x3xf32> to tensor<3xf32>
  %q = arith.mulf %last, %last : tensor<3xf32>
  %cost = blocks.reduce sum %q dims [0] : tensor<3xf32> to tensor<f32>
  blocks.output %cost "cost" roles [cost] : tensor<f32>
}
