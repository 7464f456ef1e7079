// A sum of numbers that cancel, and a loop that makes its rounding error eight
// times as large: the order of a sum shows, here and in the reference alike.
//
// RUN: test-compiled-graphs %s --shape batch=200,time=5 --seeds 20 | FileCheck %s
// CHECK: cancels agrees
module @cancels {
blocks.graph @forward(%q: tensor<?x?x4xf32> {blocks.source = "q", blocks.axes = ["time", "batch", ""]}) {
  %sum = blocks.reduce sum %q dims [0, 1, 2] : tensor<?x?x4xf32> to tensor<f32>
  %start = math.sin %sum : tensor<f32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %half = arith.constant dense<0.5> : tensor<f32>
  %hs, %olds = blocks.scan reverse sequences(%q) states(%start) : (tensor<?x?x4xf32>, tensor<f32>) -> (tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%t: index, %x: tensor<?x4xf32>, %h: tensor<f32>):
    %square = arith.mulf %h, %h : tensor<f32>
    %divisor = arith.addf %square, %one : tensor<f32>
    %part = arith.divf %h, %divisor : tensor<f32>
    %rest = arith.mulf %h, %half : tensor<f32>
    %both = arith.addf %part, %rest : tensor<f32>
    %next = math.tanh %both : tensor<f32>
    blocks.yield states(%next : tensor<f32>) outputs(%h : tensor<f32>)
  }
  blocks.output %hs "hs" : tensor<?xf32>
  blocks.output %olds "olds" : tensor<?xf32>
}
}
