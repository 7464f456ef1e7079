// The norms of all gradients and of all steps are outputs of the training graph
// alone, where they are asked for.
// RUN: blocks-opt %s --blocks-compile="stop-after=step-rules step-rule=step_clipping(threshold=1),scale(learning_rate=0.5) outputs=cost,/algorithm.total_gradient_norm,/algorithm.total_step_norm" | FileCheck %s
// RUN: blocks-opt %s --blocks-compile="stop-after=step-rules outputs=/algorithm.total_step_norm" | FileCheck %s --check-prefix=ALONE
// RUN: blocks-opt %s --blocks-compile="stop-after=step-rules" | FileCheck %s --check-prefix=NONE
// RUN: not blocks-opt %s --blocks-compile="stop-after=step-rules outputs=cost,/algorithm.gradient_norm" 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// CHECK-LABEL: blocks.graph @train
// CHECK: %[[GRADIENT:.*]] = math.sqrt
// CHECK: blocks.output %[[GRADIENT]] "/algorithm.total_gradient_norm" aggregate mean : tensor<f32>
// The clipping's own, then that of what is left.
// CHECK: math.sqrt
// CHECK: %[[STEP:.*]] = math.sqrt
// CHECK: blocks.output %[[STEP]] "/algorithm.total_step_norm" aggregate mean : tensor<f32>
// CHECK: blocks.assign @linear::@W
// CHECK-LABEL: blocks.graph @eval
// CHECK-NOT: total_

// The training graph keeps its cost, and no output that nobody asked for.
// ALONE-LABEL: blocks.graph @train
// ALONE-DAG: "cost"
// ALONE-DAG: "/algorithm.total_step_norm"
// ALONE-NOT: "other"

// NONE-NOT: total_

// UNKNOWN: there is no value '/algorithm.gradient_norm' to watch
blocks.brick @linear = "Linear" {input_dim = 2, output_dim = 1}
blocks.graph @model(%x: tensor<?x2xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %y = blocks.apply @linear::@apply(%x) : (tensor<?x2xf32>) -> tensor<?x1xf32>
  %s = arith.mulf %y, %y : tensor<?x1xf32>
  %c = blocks.reduce sum %s dims [0, 1] : tensor<?x1xf32> to tensor<f32>
  blocks.output %c "cost" roles [cost] : tensor<f32>
  blocks.output %c "other" : tensor<f32>
}
