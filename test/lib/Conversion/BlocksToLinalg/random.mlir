// A mask is drawn once, in the operation that first applies it, and stored for
// the backward pass: the rounds of the generator appear once.
//
// RUN: blocks-opt %s --blocks-to-linalg --blocks-fuse | FileCheck %s

// CHECK-LABEL: func.func @dropout
// CHECK: tensor.extract {{.*}} : tensor<i64>
// CHECK: linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<?x10xi1>, tensor<?x10xf32>)
// CHECK-COUNT-20: arith.muli {{.*}} : i64
// CHECK: arith.cmpf olt
// CHECK: linalg.yield
// CHECK-NOT: arith.shrui
// CHECK: linalg.generic
// CHECK-NOT: arith.shrui
// CHECK: return
func.func @dropout(%seed: tensor<i64> {blocks.state = "/algorithm.seed"},
    %step: tensor<i64> {blocks.state = "/algorithm.step"},
    %x: tensor<?x10xf32> {blocks.source = "x"}, %w: tensor<10x10xf32> {blocks.source = "w"})
    -> (tensor<?x10xf32> {blocks.output = "y"}, tensor<?x10xf32> {blocks.output = "g"}) attributes {blocks.entry} {
  %c = arith.constant dense<0.5> : tensor<f32>
  %z = arith.constant dense<0.0> : tensor<f32>
  %half = blocks.broadcast %c like %x dims [] : tensor<f32>, tensor<?x10xf32>
  %zero = blocks.broadcast %z like %x dims [] : tensor<f32>, tensor<?x10xf32>
  %u = blocks.random uniform like %x site 12 : tensor<?x10xf32> to tensor<?x10xf32>
  %mask = arith.cmpf olt, %u, %half : tensor<?x10xf32>
  %y = arith.select %mask, %x, %zero : tensor<?x10xi1>, tensor<?x10xf32>
  %p = blocks.matmul %y, %w : tensor<?x10xf32>, tensor<10x10xf32> to tensor<?x10xf32>
  %g = arith.select %mask, %p, %zero : tensor<?x10xi1>, tensor<?x10xf32>
  return %y, %g : tensor<?x10xf32>, tensor<?x10xf32>
}
