// Gradients that compute steps again: nothing is saved but states; cut into
// segments, the same numbers, random ones too.
// RUN: blocks-gradcheck %s --shape batch=2 --seeds 1
// RUN: blocks-opt %s -split-input-file -blocks-derive-entries='cost=cost' -blocks-differentiate='cost=cost' | FileCheck %s
// RUN: test-compiled-graphs %s --shape batch=3

module @recompute {
  blocks.brick @rnn {
    blocks.parameter @W : tensor<2x2xf32> roles [weight] init #blocks.constant<0.0>
  }
  // The tanh of a saved product would be one more output of the first loop.
  // CHECK-LABEL: module @recompute
  // CHECK: blocks.scan sequences({{.*}} {blocks.recompute} {{.*}} -> (tensor<6x?x2xf32>, tensor<6x?x2xf32>) {
  // CHECK: blocks.scan reverse
  // CHECK: math.tanh
  blocks.graph @cost(%xs: tensor<6x?x2xf32> {blocks.source = "x", blocks.axes = ["", "batch", ""]},
                     %h0: tensor<?x2xf32> {blocks.source = "h0", blocks.axes = ["batch", ""]}) {
    %W = blocks.get @rnn::@W : tensor<2x2xf32>
    %hs = blocks.scan sequences(%xs) states(%h0) {blocks.recompute} : (tensor<6x?x2xf32>, tensor<?x2xf32>) -> tensor<6x?x2xf32> {
    ^bb0(%t: index, %x: tensor<?x2xf32>, %h: tensor<?x2xf32>):
      %p = blocks.matmul %h, %W : tensor<?x2xf32>, tensor<2x2xf32> to tensor<?x2xf32>
      %r = blocks.random uniform like %x site 7 index %t : tensor<?x2xf32> to tensor<?x2xf32>
      %n = math.tanh %p : tensor<?x2xf32>
      %m = arith.mulf %n, %r : tensor<?x2xf32>
      %q = arith.addf %m, %x : tensor<?x2xf32>
      blocks.yield states(%q : tensor<?x2xf32>)
    }
    %q = arith.mulf %hs, %hs : tensor<6x?x2xf32>
    %cost = blocks.reduce sum %q dims [0, 1, 2] : tensor<6x?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

module @checkpoint {
  blocks.brick @rnn {
    blocks.parameter @W : tensor<2x2xf32> roles [weight] init #blocks.constant<0.0>
  }
  // Six steps are two segments of three.
  // CHECK-LABEL: module @checkpoint
  // CHECK: blocks.scan reverse sequences({{.*}} (tensor<2x3x?x2xf32>
  // CHECK: blocks.scan reverse sequences({{.*}} tensor<3x?x2xf32>
  blocks.graph @cost(%xs: tensor<6x?x2xf32> {blocks.source = "x", blocks.axes = ["", "batch", ""]},
                     %h0: tensor<?x2xf32> {blocks.source = "h0", blocks.axes = ["batch", ""]}) {
    %W = blocks.get @rnn::@W : tensor<2x2xf32>
    %hs = blocks.scan reverse sequences(%xs) states(%h0) {blocks.checkpoint} : (tensor<6x?x2xf32>, tensor<?x2xf32>) -> tensor<6x?x2xf32> {
    ^bb0(%t: index, %x: tensor<?x2xf32>, %h: tensor<?x2xf32>):
      %p = blocks.matmul %h, %W : tensor<?x2xf32>, tensor<2x2xf32> to tensor<?x2xf32>
      %r = blocks.random uniform like %x site 7 index %t : tensor<?x2xf32> to tensor<?x2xf32>
      %n = math.tanh %p : tensor<?x2xf32>
      %m = arith.mulf %n, %r : tensor<?x2xf32>
      %q = arith.addf %m, %x : tensor<?x2xf32>
      blocks.yield states(%q : tensor<?x2xf32>)
    }
    %one = arith.constant 1 : index
    %b = tensor.dim %hs, %one : tensor<6x?x2xf32>
    %last = tensor.extract_slice %hs[0, 0, 0] [1, %b, 2] [1, 1, 1] : tensor<6x?x2xf32> to tensor<?x2xf32>
    %q = arith.mulf %last, %last : tensor<?x2xf32>
    %cost = blocks.reduce sum %q dims [0, 1] : tensor<?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}
