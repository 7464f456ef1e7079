// A batch of no rows: sums are 0, extrema infinite, row operations have no rows.
// RUN: blocks-interpret --shape batch=0 %s | FileCheck %s

blocks.graph @empty(%x: tensor<?x3xf32> {blocks.source = "x"}, %y: tensor<?xui8> {blocks.source = "y"}) {
  %s = blocks.reduce sum %x dims [0] : tensor<?x3xf32> to tensor<3xf32>
  %m = blocks.reduce max %x dims [0] : tensor<?x3xf32> to tensor<3xf32>
  %n = blocks.reduce min %x dims [0] : tensor<?x3xf32> to tensor<3xf32>
  %w = arith.constant dense<1.0> : tensor<3x2xf32>
  %p = blocks.matmul %x, %w : tensor<?x3xf32>, tensor<3x2xf32> to tensor<?x2xf32>
  %g = blocks.matmul %x transposed, %p : tensor<?x3xf32>, tensor<?x2xf32> to tensor<3x2xf32>
  %c, %lp = blocks.softmax_cross_entropy %x, %y : tensor<?x3xf32>, tensor<?xui8> to tensor<?xf32>, tensor<?x3xf32>
  %t = blocks.reduce sum %c dims [0] : tensor<?xf32> to tensor<f32>
  %e = blocks.extent %x dims [0] : tensor<?x3xf32> to tensor<f32>
  %mean = arith.divf %t, %e : tensor<f32>
  blocks.output %s "sum" : tensor<3xf32>
  blocks.output %m "max" : tensor<3xf32>
  blocks.output %n "min" : tensor<3xf32>
  blocks.output %p "product" : tensor<?x2xf32>
  blocks.output %g "weight gradient" : tensor<3x2xf32>
  blocks.output %mean "mean" : tensor<f32>
}
// CHECK: sum = 3xf32 [0, 0, 0]
// CHECK: max = 3xf32 [-inf, -inf, -inf]
// CHECK: min = 3xf32 [inf, inf, inf]
// CHECK: product = 0x2xf32 []
// CHECK: weight gradient = 3x2xf32 {{\[\[}}0, 0], [0, 0], [0, 0]]
// CHECK: mean = f32 nan
