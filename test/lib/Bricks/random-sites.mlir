// No two draws of a graph share their numbers, also where a written brick is
// applied twice; in a loop around the call each step draws anew.
// RUN: blocks-opt %s -split-input-file -blocks-expand-bricks -blocks-inline-applications | FileCheck %s
// Doing it again changes nothing.
// RUN: blocks-opt %s -split-input-file -blocks-expand-bricks -blocks-inline-applications -blocks-inline-applications | FileCheck %s

// The first application keeps the site that is written, and so does another
// graph; the second one and the graph's own draw do not.
// CHECK-LABEL: blocks.graph @twice
// CHECK: blocks.random normal like %{{.*}} site 7 :
// CHECK: blocks.random normal like %{{.*}} site [[SECOND:-?[0-9][0-9][0-9]+]] :
// CHECK-NOT: site [[SECOND]] :
// CHECK: blocks.random normal like %{{.*}} site {{-?[0-9][0-9][0-9]+}} :
// CHECK-LABEL: blocks.graph @other
// CHECK: blocks.random normal like %{{.*}} site 7 :
blocks.brick @noise {
  blocks.application @apply(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
    %u = blocks.random normal like %x site 7 : tensor<?x4xf32> to tensor<?x4xf32>
    %y = arith.addf %x, %u : tensor<?x4xf32>
    blocks.return %y : tensor<?x4xf32>
  }
}
blocks.graph @twice(%x: tensor<?x4xf32> {blocks.source = "x"}) {
  %a = blocks.apply @noise::@apply(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %b = blocks.apply @noise::@apply(%a) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %u = blocks.random normal like %x site 7 : tensor<?x4xf32> to tensor<?x4xf32>
  %y = arith.addf %b, %u : tensor<?x4xf32>
  blocks.output %y "y" : tensor<?x4xf32>
}
blocks.graph @other(%x: tensor<?x4xf32> {blocks.source = "x"}) {
  %a = blocks.apply @noise::@apply(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  blocks.output %a "a" : tensor<?x4xf32>
}

// -----

// A brick that is called in a loop, and has a loop of its own: the positions of
// both, the outer one first. What a graph writes itself stays as it is.
// CHECK-LABEL: blocks.graph @loops
// CHECK: ^bb0(%[[T:.*]]: index, %{{.*}}: tensor<?x4xf32>):
// CHECK: blocks.random normal like %{{.*}} site 1 index %[[T]] :
// CHECK: ^bb0(%[[S:.*]]: index, %{{.*}}: tensor<4xf32>):
// CHECK: blocks.random uniform like %{{.*}} site 2 index %[[T]], %[[S]] :
// CHECK: blocks.random normal like %{{.*}} site 3 :
blocks.brick @noise {
  blocks.application @apply(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
    %u = blocks.random normal like %x site 1 : tensor<?x4xf32> to tensor<?x4xf32>
    %y = blocks.scan sequences(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32> {
    ^step(%s: index, %row: tensor<4xf32>):
      %v = blocks.random uniform like %row site 2 index %s : tensor<4xf32> to tensor<4xf32>
      %w = arith.addf %row, %v : tensor<4xf32>
      blocks.yield outputs(%w : tensor<4xf32>)
    }
    %z = arith.addf %y, %u : tensor<?x4xf32>
    blocks.return %z : tensor<?x4xf32>
  }
}
blocks.graph @loops(%x: tensor<?x?x4xf32> {blocks.source = "x"}) {
  %y = blocks.scan sequences(%x) : (tensor<?x?x4xf32>) -> tensor<?x?x4xf32> {
  ^step(%t: index, %row: tensor<?x4xf32>):
    %a = blocks.apply @noise::@apply(%row) : (tensor<?x4xf32>) -> tensor<?x4xf32>
    %u = blocks.random normal like %row site 3 : tensor<?x4xf32> to tensor<?x4xf32>
    %b = arith.addf %a, %u : tensor<?x4xf32>
    blocks.yield outputs(%b : tensor<?x4xf32>)
  }
  blocks.output %y "y" : tensor<?x?x4xf32>
}
