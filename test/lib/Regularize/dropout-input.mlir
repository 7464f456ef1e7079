// A value that two bricks read: a filter of the inputs of one leaves the other's
// alone; a filter of both gives one mask.
// RUN: blocks-opt %s -blocks-expand-bricks -blocks-inline-applications -blocks-dropout="where='role:input brick:/a'" | FileCheck %s --check-prefix=ONE
// RUN: blocks-opt %s -blocks-expand-bricks -blocks-inline-applications -blocks-dropout="where='role:input'" | FileCheck %s --check-prefix=BOTH

// ONE: blocks.random
// ONE: %[[A:.*]] = blocks.tag %arg0 <"/a", "apply", "input_", [input]
// ONE-NEXT: %[[D:.*]] = arith.mulf %[[A]]
// ONE-NEXT: %[[N:.*]] = blocks.tag %[[D]] <"/a", "apply", "input_", [dropout]
// ONE-NEXT: math.tanh %[[N]]
// ONE: %[[B:.*]] = blocks.tag %arg0 <"/b", "apply", "input_", [input]
// ONE-NEXT: blocks.rectifier %[[B]]

// BOTH: %[[R:.*]] = blocks.random
// BOTH: %[[M:.*]] = arith.select
// BOTH: %[[A:.*]] = blocks.tag %arg0 <"/a", "apply", "input_", [input]
// BOTH-NEXT: arith.mulf %[[A]], %[[M]]
// BOTH: %[[B:.*]] = blocks.tag %arg0 <"/b", "apply", "input_", [input]
// BOTH-NEXT: arith.mulf %[[B]], %[[M]]
// BOTH-NOT: blocks.random
blocks.brick @a = "Tanh" {}
blocks.brick @b = "Rectifier" {}
blocks.graph @g(%x: tensor<?x8xf32> {blocks.source = "x"}) {
  %0 = blocks.apply @a::@apply(%x) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %1 = blocks.apply @b::@apply(%x) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %2 = arith.addf %0, %1 : tensor<?x8xf32>
  %c = blocks.reduce sum %2 dims [0, 1] : tensor<?x8xf32> to tensor<f32>
  blocks.output %c "cost" roles [cost] : tensor<f32>
}
