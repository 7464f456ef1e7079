// What the backward loop needs in another form is saved as what it is a form
// of; what a repetition looks like, which has no elements, is not saved.
// RUN: blocks-opt %s --blocks-differentiate | FileCheck %s --implicit-check-not="tensor<?x?x2x2xf32>"

blocks.brick @scale {
  blocks.parameter @a : tensor<4xf32> roles [weight] init #blocks.constant<1.0>
}

// CHECK-LABEL: blocks.graph @train
// The states, and the exponentials alone.
// CHECK: blocks.scan sequences(%{{.*}}) states(%{{.*}}) : {{.*}} -> (tensor<?x?x4xf32>, tensor<?x?x4xf32>) {
// CHECK: %[[E:.*]] = math.exp
// CHECK: blocks.yield states(%{{.*}} : tensor<?x4xf32>) outputs(%[[E]] : tensor<?x4xf32>)
// CHECK: blocks.scan reverse
// CHECK: tensor.expand_shape
// CHECK: blocks.step @scale::@a
blocks.graph @train(%xs: tensor<?x?x4xf32> {blocks.source = "x"}, %h0: tensor<?x4xf32> {blocks.source = "h"}) attributes {variant = "train"} {
  %hs = blocks.scan sequences(%xs) states(%h0) : (tensor<?x?x4xf32>, tensor<?x4xf32>) -> tensor<?x?x4xf32> {
  ^step(%t: index, %x: tensor<?x4xf32>, %h: tensor<?x4xf32>):
    %c0 = arith.constant 0 : index
    %b = tensor.dim %x, %c0 : tensor<?x4xf32>
    %like = tensor.empty(%b) : tensor<?x4xf32>
    %a = blocks.get @scale::@a : tensor<4xf32>
    %as = blocks.broadcast %a like %like dims [1] : tensor<4xf32>, tensor<?x4xf32>
    %ax = arith.mulf %x, %as : tensor<?x4xf32>
    %s = arith.addf %h, %ax : tensor<?x4xf32>
    %e = math.exp %s : tensor<?x4xf32>
    %m = tensor.expand_shape %e [[0], [1, 2]] output_shape [%b, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
    %p = blocks.batch_matmul %m, %m : tensor<?x2x2xf32>, tensor<?x2x2xf32> to tensor<?x2x2xf32>
    %next = tensor.collapse_shape %p [[0], [1, 2]] : tensor<?x2x2xf32> into tensor<?x4xf32>
    blocks.yield states(%next : tensor<?x4xf32>)
  }
  %c = blocks.reduce sum %hs dims [0, 1, 2] : tensor<?x?x4xf32> to tensor<f32>
  blocks.output %c "cost" roles [cost] : tensor<f32>
}
