// A scan with a state, an output and a capture prints as it is written.
// RUN: blocks-opt %s | blocks-opt | FileCheck %s

blocks.graph @g(%xs: tensor<?x?x8xf32> {blocks.source = "x", blocks.axes = ["time", "batch", "feature"]},
                %h0: tensor<?x8xf32> {blocks.source = "h"}, %w: tensor<8x8xf32> {blocks.source = "w"}) {
  // CHECK: blocks.scan reverse sequences(%{{.*}}) states(%{{.*}}) : (tensor<?x?x8xf32>, tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x?x8xf32>) {
  // CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: tensor<?x8xf32>, %{{.*}}: tensor<?x8xf32>):
  // CHECK: blocks.random uniform like %{{.*}} site 3 index %{{.*}} :
  // CHECK: blocks.yield states(%{{.*}} : tensor<?x8xf32>) outputs(%{{.*}} : tensor<?x8xf32>)
  %hs, %ys = blocks.scan reverse sequences(%xs) states(%h0) : (tensor<?x?x8xf32>, tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x?x8xf32>) {
  ^bb0(%t: index, %x: tensor<?x8xf32>, %h: tensor<?x8xf32>):
    %p = blocks.matmul %h, %w : tensor<?x8xf32>, tensor<8x8xf32> to tensor<?x8xf32>
    %a = arith.addf %p, %x : tensor<?x8xf32>
    %r = blocks.random uniform like %a site 3 index %t : tensor<?x8xf32> to tensor<?x8xf32>
    %n = math.tanh %a : tensor<?x8xf32>
    blocks.yield states(%n : tensor<?x8xf32>) outputs(%r : tensor<?x8xf32>)
  }
}

// CHECK-LABEL: blocks.graph @steps
blocks.graph @steps(%h0: tensor<?x8xf32> {blocks.source = "h"}) {
  %n = arith.constant 3 : index
  // CHECK: blocks.scan states(%{{.*}}) steps(%{{.*}}) : (tensor<?x8xf32>, index) -> tensor<3x?x8xf32>
  %hs = blocks.scan states(%h0) steps(%n) : (tensor<?x8xf32>, index) -> tensor<3x?x8xf32> {
  ^bb0(%t: index, %h: tensor<?x8xf32>):
    %g = math.tanh %h : tensor<?x8xf32>
    blocks.yield states(%g : tensor<?x8xf32>)
  }
  blocks.output %hs "hs" : tensor<3x?x8xf32>
}
