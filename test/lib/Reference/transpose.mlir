// Axis i of the result is axis permutation[i] of the input.
// RUN: blocks-interpret %s | FileCheck %s
blocks.graph @transpose() {
  %x = arith.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]> : tensor<1x2x3xf32>
  %0 = blocks.transpose %x permutation [2, 0, 1] : tensor<1x2x3xf32> to tensor<3x1x2xf32>
  %1 = blocks.transpose %0 permutation [1, 2, 0] : tensor<3x1x2xf32> to tensor<1x2x3xf32>
  blocks.output %0 "there" : tensor<3x1x2xf32>
  blocks.output %1 "back" : tensor<1x2x3xf32>
}
// CHECK: @transpose there = 3x1x2xf32 {{\[\[\[}}1, 4{{\]\], \[\[}}2, 5{{\]\], \[\[}}3, 6{{\]\]\]}}
// CHECK: @transpose back = 1x2x3xf32 {{\[\[\[}}1, 2, 3], [4, 5, 6{{\]\]\]}}
