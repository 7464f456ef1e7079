// Products of slices leave the loop, through annotations and through values
// that are computed from slices; products of states stay.
// RUN: blocks-opt %s --verify-annotations --blocks-hoist-scan-products --split-input-file | FileCheck %s
// RUN: blocks-interpret %s > %t.before
// RUN: blocks-interpret %s --passes=blocks-hoist-scan-products > %t.after
// RUN: diff %t.before %t.after

blocks.brick @a {
  blocks.parameter @U : tensor<4x3xf32> roles [weight] init #blocks.uniform<width = 1.0>
}

// CHECK-LABEL: blocks.graph @annotated
blocks.graph @annotated(%xs: tensor<?x?x3xf32> {blocks.source = "xs", blocks.axes = ["time", "batch", ""]}, %h0: tensor<?x4xf32> {blocks.source = "h0"}) {
  // CHECK: %[[U:.*]] = blocks.get
  // CHECK: %[[TAG:.*]] = blocks.tag %{{.*}} <"/a", "apply", "input_", [input], "a.apply#0"> : tensor<?x?x3xf32>
  // CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[TAG]]
  // CHECK: %[[ALL:.*]] = blocks.matmul %[[ROWS]], %[[U]] transposed
  // CHECK: %[[STACK:.*]] = tensor.expand_shape %[[ALL]]
  // CHECK: blocks.scan sequences(%[[STACK]])
  // CHECK-NOT: blocks.matmul
  // CHECK: blocks.yield
  %hs = blocks.scan sequences(%xs) states(%h0) : (tensor<?x?x3xf32>, tensor<?x4xf32>) -> tensor<?x?x4xf32> {
  ^bb0(%t: index, %x: tensor<?x3xf32>, %h: tensor<?x4xf32>):
    %U = blocks.get @a::@U : tensor<4x3xf32>
    %i = blocks.tag %x <"/a", "apply", "input_", [input], "a.apply#0"> : tensor<?x3xf32>
    %u = blocks.matmul %i, %U transposed : tensor<?x3xf32>, tensor<4x3xf32> to tensor<?x4xf32>
    %n = arith.addf %u, %h : tensor<?x4xf32>
    blocks.yield states(%n : tensor<?x4xf32>)
  }
  blocks.output %hs "hs" : tensor<?x?x4xf32>
}

// -----

blocks.brick @a {
  blocks.parameter @U : tensor<3x4xf32> roles [weight] init #blocks.uniform<width = 1.0>
  blocks.parameter @W : tensor<4x4xf32> roles [weight] init #blocks.uniform<width = 1.0>
}

// A random mask per step is computed by a loop before.
// CHECK-LABEL: blocks.graph @computed
blocks.graph @computed(%xs: tensor<?x?x3xf32> {blocks.source = "xs", blocks.axes = ["time", "batch", ""]}, %h0: tensor<?x4xf32> {blocks.source = "h0"}) {
  // CHECK: %[[FIRST:.*]] = blocks.scan sequences(%{{.*}}) :
  // CHECK: blocks.random uniform
  // CHECK: blocks.tag
  // CHECK: blocks.yield outputs(
  // CHECK: tensor.collapse_shape %[[FIRST]]
  // CHECK: blocks.matmul
  // CHECK: %[[STACK:.*]] = tensor.expand_shape
  // CHECK: blocks.scan sequences(%[[STACK]]) states
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT: blocks.matmul
  // CHECK-NOT: blocks.matmul
  %hs = blocks.scan sequences(%xs) states(%h0) : (tensor<?x?x3xf32>, tensor<?x4xf32>) -> tensor<?x?x4xf32> {
  ^bb0(%t: index, %x: tensor<?x3xf32>, %h: tensor<?x4xf32>):
    %U = blocks.get @a::@U : tensor<3x4xf32>
    %W = blocks.get @a::@W : tensor<4x4xf32>
    %r = blocks.random uniform like %x site 7 index %t : tensor<?x3xf32> to tensor<?x3xf32>
    %d = arith.mulf %r, %x : tensor<?x3xf32>
    %i = blocks.tag %d <"/a", "apply", "input_", [input, dropout], "a.apply#0"> : tensor<?x3xf32>
    %u = blocks.matmul %i, %U : tensor<?x3xf32>, tensor<3x4xf32> to tensor<?x4xf32>
    %p = blocks.matmul %h, %W : tensor<?x4xf32>, tensor<4x4xf32> to tensor<?x4xf32>
    %n = arith.addf %u, %p : tensor<?x4xf32>
    blocks.yield states(%n : tensor<?x4xf32>)
  }
  blocks.output %hs "hs" : tensor<?x?x4xf32>
}
