// Values inside bricks become outputs by their path: Blocks' auxiliary norms, a
// value of one of two applications, a parameter. Nothing is left of what nobody
// asked for.
// RUN: blocks-opt %s --blocks-compile="stop-after=inline outputs=cost,/mlp/linear_0.W_norm,/mlp/linear_0.b_norm,/mlp/linear_1.output,/mlp/linear_1.W,/sum.output" | FileCheck %s
// RUN: blocks-opt %s --blocks-compile="stop-after=inline outputs=cost" | FileCheck %s --check-prefix=FREE
// RUN: blocks-opt %s --blocks-expand-bricks --blocks-inline-applications --blocks-watch='values=/mlp/linear_0.W_norm,/mlp/linear_0.output#1' | blocks-interpret --entry twice | FileCheck %s --check-prefix=VALUES
// RUN: blocks-opt %s --blocks-compile="stop-after=prune outputs=cost,/mlp/linear_0.W_norm" | FileCheck %s --check-prefix=ENTRIES

// CHECK-LABEL: blocks.graph @model
// CHECK-DAG: blocks.output %{{.*}} "/mlp/linear_0.W_norm" : tensor<f32>
// CHECK-DAG: blocks.output %{{.*}} "/mlp/linear_0.b_norm" : tensor<f32>
// CHECK-DAG: blocks.output %{{.*}} "/mlp/linear_1.output" : tensor<?x1xf32>
// CHECK-DAG: blocks.output %{{.*}} "/mlp/linear_1.W" : tensor<4x1xf32>
// CHECK-DAG: blocks.output %{{.*}} "/sum.output" aggregate mean : tensor<f32>
// FREE-LABEL: blocks.graph @model
// FREE-NOT: math.sqrt
// FREE-NOT: _norm

// The norm of a 2x4 matrix of halves is √(8/4).
// VALUES-DAG: @twice /mlp/linear_0.W_norm = f32 1.414213
// VALUES-DAG: @twice /mlp/linear_0.output#1 = 1x4xf32 {{\[\[}}4, 4, 4, 4]]

// ENTRIES: blocks.graph @train
// ENTRIES: "/mlp/linear_0.W_norm"
// ENTRIES: blocks.graph @eval
// ENTRIES: "/mlp/linear_0.W_norm"
blocks.brick @mlp = "MLP" {dims = [2, 4, 1], activations = ["Identity", "Identity"], weights_init = #blocks.constant<0.5>}
blocks.brick @sum = "Identity" {}
blocks.graph @model(%x: tensor<?x2xf32> {blocks.source = "x"}) {
  %y = blocks.apply @mlp::@apply(%x) : (tensor<?x2xf32>) -> tensor<?x1xf32>
  %s = arith.mulf %y, %y : tensor<?x1xf32>
  %t = blocks.reduce sum %s dims [0, 1] : tensor<?x1xf32> to tensor<f32>
  %c = blocks.apply @sum::@apply(%t) : (tensor<f32>) -> tensor<f32>
  blocks.output %c "cost" roles [cost] : tensor<f32>
}
blocks.graph @twice() {
  %a = arith.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %b = arith.constant dense<[[3.0, 5.0]]> : tensor<1x2xf32>
  %y = blocks.apply @mlp::@apply(%a) : (tensor<1x2xf32>) -> tensor<1x1xf32>
  %z = blocks.apply @mlp::@apply(%b) : (tensor<1x2xf32>) -> tensor<1x1xf32>
  %s = arith.addf %y, %z : tensor<1x1xf32>
  blocks.output %s "sum" : tensor<1x1xf32>
}
