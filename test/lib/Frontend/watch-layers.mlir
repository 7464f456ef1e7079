// Values of a stack's layers, whose names have a # of their own: they go before
// the second value of a path.
// RUN: blocks-opt %s --blocks-compile="stop-after=inline outputs=cost,/stack/simplerecurrent#1.W,/stack/simplerecurrent#0.states,/stack.states#1,/stack/simplerecurrent#1.states#1" | FileCheck %s

// CHECK-LABEL: blocks.graph @model
// CHECK-DAG: blocks.output %{{.*}} "/stack/simplerecurrent#1.W" : tensor<2x2xf32>
// CHECK-DAG: blocks.output %[[LOWER:.*]] "/stack/simplerecurrent#0.states" : tensor<?x?x2xf32>
// CHECK-DAG: %[[LOWER]] = blocks.tag %{{.*}} <"/stack/simplerecurrent#0", "apply", "states", [output], "stack.apply#0/simplerecurrent#0.apply#0">
// CHECK-DAG: blocks.output %[[UPPER:.*]] "/stack.states#1" : tensor<?x?x2xf32>
// CHECK-DAG: %[[UPPER]] = blocks.tag %{{.*}} <"/stack", "apply", "states#1", [output], "stack.apply#0">
// CHECK-DAG: blocks.output %[[SECOND:.*]] "/stack/simplerecurrent#1.states#1" : tensor<?x?x2xf32>
// CHECK-DAG: %[[SECOND]] = blocks.tag %{{.*}} <"/stack/simplerecurrent#1", "apply", "states", [output], "stack.apply#1/simplerecurrent#1.apply#0">
blocks.brick @stack = "RecurrentStack" {transitions = [{kind = "SimpleRecurrent", dim = 2, activation = "Tanh"}, {kind = "SimpleRecurrent", dim = 2, activation = "Tanh"}]}
blocks.graph @model(%x: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}) {
  %a, %b = blocks.apply @stack::@apply(%x) : (tensor<?x?x2xf32>) -> (tensor<?x?x2xf32>, tensor<?x?x2xf32>)
  %c, %d = blocks.apply @stack::@apply(%b) : (tensor<?x?x2xf32>) -> (tensor<?x?x2xf32>, tensor<?x?x2xf32>)
  %s = blocks.reduce sum %d dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
  blocks.output %s "cost" roles [cost] : tensor<f32>
}
