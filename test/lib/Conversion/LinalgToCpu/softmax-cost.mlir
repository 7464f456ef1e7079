// The cost of a softmax over sequences and its gradient are one dispatch over
// the logits, which their exponentials and then the gradient overwrite; no
// log-probabilities are stored, and the bias's gradient begins there, too.
//
// RUN: blocks-opt %s --blocks-compile="stop-after=plan-memory step-rule=scale(learning_rate=0.1)" | FileCheck %s

module {
  blocks.brick @readout = "Linear" {input_dim = 8, output_dim = 512}
  blocks.brick @softmax = "Softmax" {}
  blocks.graph @cost(%x: tensor<?x20x8xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]},
                     %y: tensor<?x20xi32> {blocks.source = "y", blocks.axes = ["time", "batch"]}) {
    %logits = blocks.apply @readout::@apply(%x) : (tensor<?x20x8xf32>) -> tensor<?x20x512xf32>
    %costs = blocks.apply @softmax::@categorical_cross_entropy(%y, %logits) : (tensor<?x20xi32>, tensor<?x20x512xf32>) -> tensor<?x20xf32>
    %cost = blocks.reduce sum %costs dims [0, 1] : tensor<?x20xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] aggregate mean : tensor<f32>
  }
}

// CHECK-LABEL: func.func @train
// CHECK: %[[LOGITS:[a-z_0-9]+]] = memref.expand_shape %[[PRODUCT:[a-z_0-9]+]] {{.*}} into memref<?x20x512xf32>
// CHECK: linalg.matmul {{.*}} {{.*}}outs(%[[PRODUCT]] :
// CHECK: ins(%[[LOGITS]], %{{.*}}) outs(%{{.*}}, %{{.*}} : memref<?x20xf32>, memref<?x20xf32>) attrs = {blocks.dispatch = [[COST:[0-9]+]]
// CHECK: arith.maximumf
// CHECK: ins(%[[LOGITS]], %{{.*}}) outs(%[[LOGITS]], %{{.*}}) attrs = {blocks.dispatch = [[COST]]
// CHECK: math.exp
// CHECK-NOT: math.exp
// CHECK: outs(%[[LOGITS]] : memref<?x20x512xf32>) attrs = {blocks.dispatch = [[COST]]
// CHECK: ins(%[[LOGITS]] : memref<?x20x512xf32>) outs(%{{.*}} : memref<?x512xf32>) attrs = {blocks.dispatch = [[COST]]
