// All that reads a state's old value comes before the operation that computes
// the new one, also where that operation gives other values, too.
//
// RUN: blocks-opt %s --blocks-to-linalg --blocks-fuse | FileCheck %s
// RUN: blocks-opt %s --blocks-to-linalg --blocks-fuse --blocks-bufferize | FileCheck %s --check-prefix=BUFFER
// BUFFER-NOT: memref.copy

// The update of m yields the gradient that the update of b needs. The product
// for the update of a reads m, and comes first.
// CHECK-LABEL: func.func @beside
// CHECK-DAG: %[[A:.*]] = bufferization.to_tensor %arg1
// CHECK-DAG: %[[M:.*]] = bufferization.to_tensor %arg2
// CHECK: %[[PRODUCT:.*]] = linalg.matmul ins(%{{.*}}, %[[M]] :
// CHECK: %[[UPDATE:.*]]:2 = linalg.generic {{.*}} outs(%{{.*}}, %[[M]] :
// CHECK: bufferization.materialize_in_destination %[[UPDATE]]#1 in restrict writable %arg2
func.func @beside(
    %a: tensor<3x4xf32> {blocks.state = "/p.a"}, %m: tensor<4x4xf32> {blocks.state = "/p.m"},
    %b: tensor<4xf32> {blocks.state = "/p.b"},
    %x: tensor<4x4xf32> {blocks.source = "x"}, %y: tensor<3x4xf32> {blocks.source = "y"})
    -> (tensor<3x4xf32> {blocks.state = "/p.a"}, tensor<4x4xf32> {blocks.state = "/p.m"}, tensor<4xf32> {blocks.state = "/p.b"})
    attributes {blocks.entry} {
  %g = math.tanh %x : tensor<4x4xf32>
  %sum = blocks.reduce sum %g dims [0] : tensor<4x4xf32> to tensor<4xf32>
  %product = blocks.matmul %y, %m : tensor<3x4xf32>, tensor<4x4xf32> to tensor<3x4xf32>
  %na = arith.subf %a, %product : tensor<3x4xf32>
  %nm = arith.subf %m, %g : tensor<4x4xf32>
  %nb = arith.subf %b, %sum : tensor<4xf32>
  return %na, %nm, %nb : tensor<3x4xf32>, tensor<4x4xf32>, tensor<4xf32>
}

// The update of b yields g. What the update of w needs reads g and the old b,
// so b is repeated before, though repeating would cost nothing after.
// CHECK-LABEL: func.func @between
// CHECK: %[[B:.*]] = bufferization.to_tensor %arg1
// CHECK: %[[REPEATED:.*]] = linalg.generic {{.*}} ins(%[[B]] : tensor<4xf32>) outs(%{{.*}} : tensor<3x4xf32>)
// CHECK: %[[UPDATE:.*]]:2 = linalg.generic {{.*}} outs(%{{.*}}, %[[B]] :
// CHECK: linalg.generic {{.*}} ins(%[[UPDATE]]#0
// CHECK-SAME: %[[REPEATED]]
func.func @between(
    %b: tensor<4xf32> {blocks.state = "/p.b"}, %w: tensor<3x4xf32> {blocks.state = "/p.w"},
    %x: tensor<4xf32> {blocks.source = "x"}, %y: tensor<3x4xf32> {blocks.source = "y"})
    -> (tensor<4xf32> {blocks.state = "/p.b"}, tensor<3x4xf32> {blocks.state = "/p.w"})
    attributes {blocks.entry} {
  %g = math.tanh %x : tensor<4xf32>
  %nb = arith.subf %b, %g : tensor<4xf32>
  %gs = blocks.broadcast %g like %w dims [1] : tensor<4xf32>, tensor<3x4xf32>
  %bs = blocks.broadcast %b like %w dims [1] : tensor<4xf32>, tensor<3x4xf32>
  %product = arith.mulf %gs, %bs : tensor<3x4xf32>
  %h = arith.addf %product, %y : tensor<3x4xf32>
  %nw = arith.subf %w, %h : tensor<3x4xf32>
  return %nb, %nw : tensor<4xf32>, tensor<3x4xf32>
}
