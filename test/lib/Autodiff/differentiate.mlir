// The gradient of a layer's cost: products without a copy of a transpose, the
// bias by one sum, the activation by its result; then one step a parameter.
// RUN: blocks-opt %s --verify-annotations --blocks-differentiate | FileCheck %s

blocks.brick @mlp {
  blocks.brick @linear_0 {
    blocks.parameter @W : tensor<4x3xf32> roles [weight] init #blocks.isotropic_gaussian<std = 0.01>
    blocks.parameter @b : tensor<3xf32> roles [bias] init #blocks.constant<0.0>
  }
}

// CHECK-LABEL: blocks.graph @train
// CHECK-SAME: (%[[X:.*]]: tensor<?x4xf32> {{.*}}, %[[Y:.*]]: tensor<?xui8>
blocks.graph @train(%x: tensor<?x4xf32> {blocks.source = "features"}, %y: tensor<?xui8> {blocks.source = "targets"}) attributes {variant = "train"} {
  %W = blocks.get @mlp::@linear_0::@W : tensor<4x3xf32>
  %b = blocks.get @mlp::@linear_0::@b : tensor<3xf32>
  %p = blocks.matmul %x, %W : tensor<?x4xf32>, tensor<4x3xf32> to tensor<?x3xf32>
  %bb = blocks.broadcast %b like %p dims [1] : tensor<3xf32>, tensor<?x3xf32>
  %a = arith.addf %p, %bb : tensor<?x3xf32>
  %t = blocks.tag %a <"/mlp/linear_0", "apply", "output", [output], "linear_0.apply#0"> : tensor<?x3xf32>
  // CHECK: %[[H:.*]] = math.tanh
  %h = math.tanh %t : tensor<?x3xf32>
  // CHECK: %{{.*}}, %[[LP:.*]] = blocks.softmax_cross_entropy
  %c, %lp = blocks.softmax_cross_entropy %h, %y : tensor<?x3xf32>, tensor<?xui8> to tensor<?xf32>, tensor<?x3xf32>
  %s = blocks.reduce sum %c dims [0] : tensor<?xf32> to tensor<f32>
  %n = blocks.extent %c dims [0] : tensor<?xf32> to tensor<f32>
  %m = arith.divf %s, %n : tensor<f32>
  // CHECK: blocks.output %{{.*}} "cost"
  blocks.output %m "cost" roles [cost] aggregate mean : tensor<f32>
  // CHECK: %[[G:.*]] = blocks.softmax_cross_entropy_grad %[[LP]], %[[Y]],
  // CHECK: %[[SQUARE:.*]] = arith.mulf %[[H]], %[[H]]
  // CHECK: %[[D:.*]] = arith.subf %{{.*}}, %[[SQUARE]]
  // CHECK: %[[DZ:.*]] = arith.mulf %[[G]], %[[D]]
  // CHECK: %[[DB:.*]] = blocks.reduce sum %[[DZ]] dims [0] : tensor<?x3xf32> to tensor<3xf32>
  // CHECK: %[[DW:.*]] = blocks.matmul %[[X]] transposed, %[[DZ]]
  // No product for the gradient of the data.
  // CHECK-NOT: blocks.matmul
  // CHECK: %[[TW:.*]] = blocks.tag %[[DW]] <"/mlp/linear_0", "", "W", [gradient], "">
  // CHECK-NEXT: blocks.step @mlp::@linear_0::@W, %[[TW]]
  // CHECK-NEXT: %[[TB:.*]] = blocks.tag %[[DB]] <"/mlp/linear_0", "", "b", [gradient], "">
  // CHECK-NEXT: blocks.step @mlp::@linear_0::@b, %[[TB]]
  // CHECK: %[[STEP:.*]] = blocks.get @algorithm::@step
  // CHECK: %[[NEXT:.*]] = arith.addi %[[STEP]]
  // CHECK: blocks.assign @algorithm::@step, %[[NEXT]]
}

// CHECK: blocks.brick @algorithm
// CHECK: blocks.parameter @seed : tensor<i64> roles [algorithm_state]
// CHECK: blocks.parameter @step : tensor<i64> roles [algorithm_state]
