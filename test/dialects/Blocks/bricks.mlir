// Bricks, parameters and applications print as they are written.
// RUN: blocks-opt %s | blocks-opt | FileCheck %s
// RUN: blocks-opt %s --mlir-print-op-generic | blocks-opt | FileCheck %s

// CHECK: blocks.brick @mlp = "MLP" {activations = ["Rectifier", "Identity"], dims = [784, 500, 10]
// CHECK-SAME: weights_init = #blocks.isotropic_gaussian<std = 1.000000e-02>
blocks.brick @mlp = "MLP" {dims = [784, 500, 10], activations = ["Rectifier", "Identity"],
                           weights_init = #blocks.isotropic_gaussian<std = 0.01>}

// CHECK: blocks.brick @scale {
// CHECK-NEXT: blocks.parameter @a : tensor<10xf32> roles [weight] init #blocks.constant<1.000000e+00>
// CHECK: blocks.application @apply(%{{.*}}: tensor<?x10xf32> {blocks.name = "x"}) -> (tensor<?x10xf32> {blocks.name = "y"}) {
// CHECK: blocks.get @scale::@a : tensor<10xf32>
// CHECK: blocks.return %{{.*}} : tensor<?x10xf32>
blocks.brick @scale {
  blocks.parameter @a : tensor<10xf32> roles [weight] init #blocks.constant<1.0>
  blocks.application @apply(%x: tensor<?x10xf32> {blocks.name = "x"}) -> (tensor<?x10xf32> {blocks.name = "y"}) {
    %a = blocks.get @scale::@a : tensor<10xf32>
    %b = blocks.broadcast %a like %x dims [1] : tensor<10xf32>, tensor<?x10xf32>
    %y = arith.mulf %x, %b : tensor<?x10xf32>
    blocks.return %y : tensor<?x10xf32>
  }
}

// Every initializer, and a buffer that names its parameter.
// CHECK: blocks.brick @inits
blocks.brick @inits {
  // CHECK-NEXT: @p0 {{.*}} init #blocks.isotropic_gaussian
  blocks.parameter @p0 : tensor<3x3xf32> roles [weight] init #blocks.isotropic_gaussian<std = 0.1, mean = 1.0>
  // CHECK-NEXT: @p1 {{.*}} init #blocks.uniform<width = 2.000000e-01>
  blocks.parameter @p1 : tensor<3x3xf32> roles [weight] init #blocks.uniform<width = 0.2>
  // CHECK-NEXT: @p2 {{.*}} init #blocks.identity
  blocks.parameter @p2 : tensor<3x3xf32> roles [weight] init #blocks.identity<mult = 0.5>
  // CHECK-NEXT: @p3 {{.*}} init #blocks.glorot_uniform
  blocks.parameter @p3 : tensor<3x3xf32> roles [weight] init #blocks.glorot_uniform
  // CHECK-NEXT: @p4 {{.*}} init #blocks.he_normal
  blocks.parameter @p4 : tensor<3x3xf32> roles [weight] init #blocks.he_normal<gain = 2.0>
  // CHECK-NEXT: @p5 {{.*}} roles [algorithm_buffer] init #blocks.constant<0.000000e+00> for @inits::@p0
  blocks.parameter @p5 : tensor<3x3xf32> roles [algorithm_buffer] init #blocks.constant<0.0> for @inits::@p0
}
