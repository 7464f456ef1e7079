// Constants of several elements as operands and as outputs.
//
// RUN: test-compiled-graphs %s --shape batch=17 | FileCheck %s
// RUN: test-compiled-graphs %s --f64 --shape batch=17 | FileCheck %s
// CHECK: constants agrees
module @constants {

blocks.graph @outputs() {
  %one = arith.constant dense<1.5> : tensor<300x3xf32>
  %rows = arith.constant dense<[[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]]> : tensor<2x3xf32>
  %numbers = arith.constant dense<[7, -1, 3, 1000000]> : tensor<4xi64>
  %bytes = arith.constant dense<[7, 255, 3]> : tensor<3xui8>
  %scalar = arith.constant dense<2.25> : tensor<f32>
  blocks.output %one "one" : tensor<300x3xf32>
  blocks.output %rows "rows" : tensor<2x3xf32>
  blocks.output %numbers "numbers" : tensor<4xi64>
  blocks.output %bytes "bytes" : tensor<3xui8>
  blocks.output %scalar "scalar" : tensor<f32>
}

blocks.graph @operands(%x: tensor<?x3xf32> {blocks.source = "x"}) {
  %w = arith.constant dense<[[0.5, -1.0], [1.5, 0.25], [2.0, -0.75]]> : tensor<3x2xf32>
  %b = arith.constant dense<[0.5, -1.0]> : tensor<2xf32>
  %keep = arith.constant dense<[[true, false], [false, true], [true, true]]> : tensor<3x2xi1>
  %zero = arith.constant dense<0.0> : tensor<3x2xf32>
  %kept = arith.select %keep, %w, %zero : tensor<3x2xi1>, tensor<3x2xf32>
  %product = blocks.matmul %x, %w : tensor<?x3xf32>, tensor<3x2xf32> to tensor<?x2xf32>
  %masked = blocks.matmul %x, %kept : tensor<?x3xf32>, tensor<3x2xf32> to tensor<?x2xf32>
  %sum = arith.addf %product, %masked : tensor<?x2xf32>
  %bias = blocks.broadcast %b like %sum dims [1] : tensor<2xf32>, tensor<?x2xf32>
  %y = arith.addf %sum, %bias : tensor<?x2xf32>
  blocks.output %y "y" : tensor<?x2xf32>
}

}
