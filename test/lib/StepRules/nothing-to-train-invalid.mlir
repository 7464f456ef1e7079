// A model whose cost depends on no parameter.
// RUN: not blocks-opt %s --blocks-compile="stop-after=step-rules" 2>&1 | FileCheck %s

// CHECK: the cost depends on no parameter, so there is nothing to train; apply a brick that has parameters
blocks.graph @model(%x: tensor<?xf32> {blocks.source = "x", blocks.axes = ["batch"]}) {
  %c = blocks.reduce sum %x dims [0] : tensor<?xf32> to tensor<f32>
  blocks.output %c "cost" roles [cost] : tensor<f32>
}
