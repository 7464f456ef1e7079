// A step of a GRU has the products that its equations have, two, and one
// kernel behind each.
// RUN: blocks-opt %s --blocks-compile="device=cuda stop-after=dispatch" | FileCheck %s

// CHECK-LABEL: func.func @train
// CHECK: scf.for
// CHECK-NOT: @blocks_rt
// CHECK: func.call @blocks_rt_device_gemm_f32(
// CHECK-NOT: @blocks_rt
// CHECK: func.call @blocks_rt_launch(
// CHECK-NOT: @blocks_rt
// CHECK: func.call @blocks_rt_device_gemm_f32(
// CHECK-NOT: @blocks_rt
// CHECK: func.call @blocks_rt_launch(
// CHECK-NOT: @blocks_rt
// CHECK: {{^    }$}}
// Backwards the last kernel adds up the parts of the state's gradient.
// CHECK: scf.for
// CHECK-NOT: @blocks_rt
// CHECK: func.call @blocks_rt_launch(
// CHECK-NOT: @blocks_rt
// CHECK: func.call @blocks_rt_device_gemm_f32(
// CHECK-NOT: @blocks_rt
// CHECK: func.call @blocks_rt_launch(
// CHECK-NOT: @blocks_rt
// CHECK: func.call @blocks_rt_device_gemm_f32(
// CHECK-NOT: @blocks_rt
// CHECK: func.call @blocks_rt_launch(
// CHECK-NOT: @blocks_rt
// CHECK: {{^    }$}}
module @gru {
  blocks.brick @in = "Linear" {input_dim = 20, output_dim = 64}
  blocks.brick @gates = "Linear" {input_dim = 20, output_dim = 128}
  blocks.brick @rnn = "GatedRecurrent" {dim = 64}
  blocks.graph @cost(%x: tensor<?x?x20xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}) {
    %i = blocks.apply @in::@apply(%x) : (tensor<?x?x20xf32>) -> tensor<?x?x64xf32>
    %g = blocks.apply @gates::@apply(%x) : (tensor<?x?x20xf32>) -> tensor<?x?x128xf32>
    %h = blocks.apply @rnn::@apply(%i, %g) : (tensor<?x?x64xf32>, tensor<?x?x128xf32>) -> tensor<?x?x64xf32>
    %q0 = arith.mulf %h, %h : tensor<?x?x64xf32>
    %cost = blocks.reduce sum %q0 dims [0, 1, 2] : tensor<?x?x64xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}
