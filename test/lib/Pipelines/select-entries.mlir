// Graphs that a compile was not asked for go; bricks stay, and so does the order.
// RUN: blocks-opt %s --blocks-select-entries=entries=b,c | FileCheck %s
// RUN: blocks-opt %s --blocks-select-entries | FileCheck %s --check-prefix=NONE

// CHECK: blocks.brick @w
// CHECK-NOT: blocks.graph @a
// CHECK: blocks.graph @c
// CHECK: blocks.graph @b
// NONE: blocks.brick @w
// NONE-NOT: blocks.graph
blocks.brick @w {
  blocks.parameter @p : tensor<2xf32> roles [weight] init #blocks.constant<0.0>
}
blocks.graph @a(%x: tensor<2xf32> {blocks.source = "x"}) {
  blocks.output %x "y" : tensor<2xf32>
}
blocks.graph @c(%x: tensor<2xf32> {blocks.source = "x"}) {
  blocks.output %x "y" : tensor<2xf32>
}
blocks.graph @b(%x: tensor<2xf32> {blocks.source = "x"}) {
  %p = blocks.get @w::@p : tensor<2xf32>
  %s = arith.addf %x, %p : tensor<2xf32>
  blocks.output %s "y" : tensor<2xf32>
}
