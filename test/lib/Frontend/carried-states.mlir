// Truncated backpropagation through time: a batch starts from the states that the
// batch before ended with, kept in a parameter that nobody trains. Evaluation
// reads them, and leaves them as they are.
// RUN: blocks-opt %s --blocks-compile=stop-after=derive-entries | FileCheck %s
// RUN: blocks-opt %s --blocks-compile=stop-after=step-rules | blocks-interpret --shape time=2 --entry train | FileCheck %s --check-prefix=VALUES
// RUN: blocks-opt %s --blocks-compile=stop-after=llvm -o /dev/null

// CHECK-LABEL: blocks.graph @train
// CHECK: blocks.assign @carried::@states
// CHECK-LABEL: blocks.graph @eval
// CHECK: blocks.get @carried::@states
// CHECK-NOT: blocks.assign

// Two steps of doubling, from ones.
// VALUES-DAG: @train last = 2x3xf32 {{\[}}[4, 4, 4], [4, 4, 4]]
// VALUES-DAG: @train new /carried.states = 2x3xf32 {{\[}}[4, 4, 4], [4, 4, 4]]
blocks.brick @carried {
  blocks.parameter @states : tensor<2x3xf32> roles [persistent] init #blocks.constant<1.0>
}
blocks.brick @rnn = "SimpleRecurrent" {dim = 3, activation = "Identity", weights_init = #blocks.identity<mult = 2.0>, trained_initial_states = false}
blocks.graph @cost(%like: tensor<?x2xf32> {blocks.source = "x", blocks.axes = ["time", ""]}) {
  %start = blocks.get @carried::@states : tensor<2x3xf32>
  %h, %last = blocks.apply @rnn::@apply(%like, %start) {return_final_states, arguments = ["steps", "states"]} : (tensor<?x2xf32>, tensor<2x3xf32>) -> (tensor<?x2x3xf32>, tensor<2x3xf32>)
  blocks.assign @carried::@states, %last : tensor<2x3xf32>
  %q = arith.mulf %h, %h : tensor<?x2x3xf32>
  %c = blocks.reduce sum %q dims [0, 1, 2] : tensor<?x2x3xf32> to tensor<f32>
  blocks.output %c "cost" roles [cost] : tensor<f32>
  blocks.output %last "last" : tensor<2x3xf32>
}
