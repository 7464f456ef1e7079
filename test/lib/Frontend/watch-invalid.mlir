// RUN: not blocks-opt %s --blocks-expand-bricks --blocks-inline-applications --blocks-watch='values=/linear.W_nrom' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not blocks-opt %s --blocks-expand-bricks --blocks-inline-applications --blocks-watch='values=/linear.output#1' 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: not blocks-opt %s --blocks-expand-bricks --blocks-inline-applications --blocks-watch='values=/linear.output#b' 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not blocks-opt %s --blocks-expand-bricks --blocks-inline-applications --blocks-watch='values=/rnn.previous_states' 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: not blocks-opt %s --blocks-expand-bricks --blocks-inline-applications --blocks-watch='values=/layer#1.W' 2>&1 | FileCheck %s --check-prefix=LAYER

// LAYER: there is no value '/layer#1.W' to watch; there are '/linear.W_norm'
// UNKNOWN: there is no value '/linear.W_nrom' to watch; did you mean '/linear.W_norm'
// SECOND: there is no value '/linear.output#1' to watch
// NUMBER: the value '/linear.output#b' must end in the number of a value, such as '/linear.output#1'
// LOOP: the value '/rnn.previous_states' stands inside a loop, where each step has its own; watch what comes out of the loop
blocks.brick @linear = "Linear" {input_dim = 2, output_dim = 2}
blocks.brick @rnn = "SimpleRecurrent" {dim = 2, activation = "Tanh"}
blocks.graph @g(%x: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}) {
  %y = blocks.apply @linear::@apply(%x) : (tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
  %h = blocks.apply @rnn::@apply(%y) : (tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
  blocks.output %h "h" : tensor<?x?x2xf32>
}
