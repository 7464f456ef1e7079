// RUN: blocks-opt %s --blocks-convert-to-f64 | FileCheck %s

// CHECK-NOT: f32
// CHECK: blocks.parameter @w : tensor<2xf64>
// CHECK: blocks.graph @g(%[[X:.*]]: tensor<?x2xf64>
// CHECK: arith.constant dense<2.500000e-01> : tensor<f64>
// CHECK: blocks.rectifier %{{.*}} leak 5.000000e-01 : tensor<?x2xf64>
blocks.brick @a {
  blocks.parameter @w : tensor<2xf32> roles [weight] init #blocks.constant<1.0>
}
blocks.graph @g(%x: tensor<?x2xf32> {blocks.source = "x"}) {
  %w = blocks.get @a::@w : tensor<2xf32>
  %c = arith.constant dense<0.25> : tensor<f32>
  %b = blocks.broadcast %c like %x dims [] : tensor<f32>, tensor<?x2xf32>
  %p = arith.mulf %b, %x : tensor<?x2xf32>
  %r = blocks.rectifier %p leak 0.5 : tensor<?x2xf32>
  blocks.output %r "r" : tensor<?x2xf32>
}
