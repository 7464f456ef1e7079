// A label out of range contributes 0 to cost and gradient, and the first one is
// reported; a label is read by its type, so ui8 255 is not -1.
// RUN: blocks-interpret %s | FileCheck %s

blocks.graph @signed() {
  %x = arith.constant dense<0.0> : tensor<3x2xf32>
  %y = arith.constant dense<[1, -1, 7]> : tensor<3xi8>
  %c, %lp = blocks.softmax_cross_entropy %x, %y {brick = "/softmax"} : tensor<3x2xf32>, tensor<3xi8> to tensor<3xf32>, tensor<3x2xf32>
  %one = arith.constant dense<1.0> : tensor<3xf32>
  %g = blocks.softmax_cross_entropy_grad %lp, %y, %one : tensor<3x2xf32>, tensor<3xi8>, tensor<3xf32>
  blocks.output %c "cost" : tensor<3xf32>
  blocks.output %g "gradient" : tensor<3x2xf32>
}
// CHECK: @signed cost = 3xf32 [0.6931472, 0, 0]
// CHECK: @signed gradient = 3x2xf32 {{\[\[}}0.5, -0.5], [0, 0], [0, 0]]
// CHECK: @signed status: {{.*}}/softmax{{.*}} -1

blocks.graph @unsigned() {
  %x = arith.constant dense<0.0> : tensor<1x300xf32>
  %y = arith.constant dense<255> : tensor<1xui8>
  %p = blocks.pick %x, %y : tensor<1x300xf32>, tensor<1xui8> to tensor<1xf32>
  blocks.output %p "picked" : tensor<1xf32>
}
// CHECK: @unsigned picked = 1xf32 [0]
// CHECK-NOT: @unsigned status
