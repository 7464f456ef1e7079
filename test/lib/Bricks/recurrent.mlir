// The recurrent bricks against NumPy in float64 (recurrent.py): over sequences
// and one step, forwards and in reverse, with masks, given and learned initial
// states; several steps, one step, one example.
// RUN: %python %S/recurrent.py %s %t

blocks.brick @simple = "SimpleRecurrent" {dim = 3, activation = "Tanh"}
blocks.brick @lstm = "LSTM" {dim = 3}
blocks.brick @plain = "LSTM" {dim = 3, peepholes = false, activation = "Rectifier", gate_activation = "Rectifier"}
blocks.brick @gru = "GatedRecurrent" {dim = 3}
blocks.brick @cudnn = "GatedRecurrent" {dim = 3, variant = "cudnn"}

blocks.graph @simple_forward(%x: tensor<?x?x3xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}) {
  %h = blocks.apply @simple::@apply(%x) : (tensor<?x?x3xf32>) -> tensor<?x?x3xf32>
  blocks.output %h "states" : tensor<?x?x3xf32>
}
blocks.graph @simple_reverse(%x: tensor<?x?x3xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]},
                             %m: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
  %h = blocks.apply @simple::@apply(%x, %m) {reverse} : (tensor<?x?x3xf32>, tensor<?x?xf32>) -> tensor<?x?x3xf32>
  blocks.output %h "states" : tensor<?x?x3xf32>
}
blocks.graph @simple_step(%x: tensor<?x3xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
                          %h: tensor<?x3xf32> {blocks.source = "states", blocks.axes = ["batch", ""]}) {
  %n = blocks.apply @simple::@apply(%x, %h) {iterate = false} : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  blocks.output %n "states" : tensor<?x3xf32>
}

blocks.graph @lstm_forward(%x: tensor<?x?x12xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}) {
  %h, %c = blocks.apply @lstm::@apply(%x) : (tensor<?x?x12xf32>) -> (tensor<?x?x3xf32>, tensor<?x?x3xf32>)
  blocks.output %h "states" : tensor<?x?x3xf32>
  blocks.output %c "cells" : tensor<?x?x3xf32>
}
blocks.graph @lstm_reverse(%x: tensor<?x?x12xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]},
                           %m: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]},
                           %c0: tensor<?x3xf32> {blocks.source = "cells", blocks.axes = ["batch", ""]}) {
  %h, %c = blocks.apply @lstm::@apply(%m, %x, %c0) {reverse = true, arguments = ["mask", "inputs", "cells"]}
    : (tensor<?x?xf32>, tensor<?x?x12xf32>, tensor<?x3xf32>) -> (tensor<?x?x3xf32>, tensor<?x?x3xf32>)
  blocks.output %h "states" : tensor<?x?x3xf32>
  blocks.output %c "cells" : tensor<?x?x3xf32>
}
blocks.graph @lstm_initial(%x: tensor<?x?x12xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}) {
  %h, %c = blocks.apply @lstm::@apply(%x) {return_initial_states} : (tensor<?x?x12xf32>) -> (tensor<?x?x3xf32>, tensor<?x?x3xf32>)
  blocks.output %h "states" : tensor<?x?x3xf32>
  blocks.output %c "cells" : tensor<?x?x3xf32>
}
blocks.graph @lstm_step(%x: tensor<?x12xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %h0, %c0 = blocks.apply @lstm::@initial_states(%x) : (tensor<?x12xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>)
  %h, %c = blocks.apply @lstm::@apply(%x, %h0, %c0) {iterate = false} : (tensor<?x12xf32>, tensor<?x3xf32>, tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>)
  blocks.output %h "states" : tensor<?x3xf32>
  blocks.output %c "cells" : tensor<?x3xf32>
}
blocks.graph @plain_forward(%x: tensor<?x?x12xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]},
                            %m: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
  %h, %c = blocks.apply @plain::@apply(%x, %m) : (tensor<?x?x12xf32>, tensor<?x?xf32>) -> (tensor<?x?x3xf32>, tensor<?x?x3xf32>)
  blocks.output %h "states" : tensor<?x?x3xf32>
  blocks.output %c "cells" : tensor<?x?x3xf32>
}

blocks.graph @gru_forward(%x: tensor<?x?x3xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]},
                          %g: tensor<?x?x6xf32> {blocks.source = "g", blocks.axes = ["time", "batch", ""]}) {
  %h = blocks.apply @gru::@apply(%x, %g) : (tensor<?x?x3xf32>, tensor<?x?x6xf32>) -> tensor<?x?x3xf32>
  blocks.output %h "states" : tensor<?x?x3xf32>
}
blocks.graph @gru_reverse(%x: tensor<?x?x3xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]},
                          %g: tensor<?x?x6xf32> {blocks.source = "g", blocks.axes = ["time", "batch", ""]},
                          %m: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
  %h = blocks.apply @gru::@apply(%x, %g, %m) {reverse} : (tensor<?x?x3xf32>, tensor<?x?x6xf32>, tensor<?x?xf32>) -> tensor<?x?x3xf32>
  blocks.output %h "states" : tensor<?x?x3xf32>
}
blocks.graph @gru_step(%x: tensor<?x3xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
                       %g: tensor<?x6xf32> {blocks.source = "g", blocks.axes = ["batch", ""]},
                       %m: tensor<?xf32> {blocks.source = "mask", blocks.axes = ["batch"]},
                       %h: tensor<?x3xf32> {blocks.source = "states", blocks.axes = ["batch", ""]}) {
  %n = blocks.apply @gru::@apply(%x, %g, %h, %m) {iterate = false} : (tensor<?x3xf32>, tensor<?x6xf32>, tensor<?x3xf32>, tensor<?xf32>) -> tensor<?x3xf32>
  blocks.output %n "states" : tensor<?x3xf32>
}
blocks.graph @cudnn_forward(%x: tensor<?x?x3xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]},
                            %g: tensor<?x?x6xf32> {blocks.source = "g", blocks.axes = ["time", "batch", ""]},
                            %m: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
  %h = blocks.apply @cudnn::@apply(%x, %g, %m) : (tensor<?x?x3xf32>, tensor<?x?x6xf32>, tensor<?x?xf32>) -> tensor<?x?x3xf32>
  blocks.output %h "states" : tensor<?x?x3xf32>
}

// Both directions; two layers, with and without skip connections, in one loop
// and in two.
blocks.brick @bi = "Bidirectional" {prototype = {kind = "SimpleRecurrent", dim = 3, activation = "Tanh"}}
blocks.brick @stack = "RecurrentStack" {transitions = [{kind = "LSTM", dim = 3}, {kind = "SimpleRecurrent", dim = 3, activation = "Tanh"}]}
blocks.brick @skip = "RecurrentStack" {transitions = [{kind = "LSTM", dim = 3}, {kind = "SimpleRecurrent", dim = 3, activation = "Tanh", name = "top"}], skip_connections = true}

blocks.graph @bi_both(%x: tensor<?x?x3xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]},
                      %m: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
  %h = blocks.apply @bi::@apply(%x, %m) : (tensor<?x?x3xf32>, tensor<?x?xf32>) -> tensor<?x?x6xf32>
  blocks.output %h "states" : tensor<?x?x6xf32>
}
blocks.graph @stack_forward(%x: tensor<?x?x12xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}) {
  %h, %c, %t = blocks.apply @stack::@apply(%x) : (tensor<?x?x12xf32>) -> (tensor<?x?x3xf32>, tensor<?x?x3xf32>, tensor<?x?x3xf32>)
  blocks.output %h "states" : tensor<?x?x3xf32>
  blocks.output %c "cells" : tensor<?x?x3xf32>
  blocks.output %t "top" : tensor<?x?x3xf32>
}
blocks.graph @stack_reverse(%x: tensor<?x?x12xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}) {
  %h, %c, %t = blocks.apply @stack::@apply(%x) {low_memory, reverse} : (tensor<?x?x12xf32>) -> (tensor<?x?x3xf32>, tensor<?x?x3xf32>, tensor<?x?x3xf32>)
  blocks.output %h "states" : tensor<?x?x3xf32>
  blocks.output %c "cells" : tensor<?x?x3xf32>
  blocks.output %t "top" : tensor<?x?x3xf32>
}
blocks.graph @skip_forward(%x: tensor<?x?x12xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]},
                           %s: tensor<?x?x3xf32> {blocks.source = "skipped", blocks.axes = ["time", "batch", ""]},
                           %m: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
  %h, %c, %t = blocks.apply @skip::@apply(%x, %s, %m) {low_memory} : (tensor<?x?x12xf32>, tensor<?x?x3xf32>, tensor<?x?xf32>) -> (tensor<?x?x3xf32>, tensor<?x?x3xf32>, tensor<?x?x3xf32>)
  blocks.output %h "states" : tensor<?x?x3xf32>
  blocks.output %c "cells" : tensor<?x?x3xf32>
  blocks.output %t "top" : tensor<?x?x3xf32>
}
blocks.graph @skip_reverse(%x: tensor<?x?x12xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]},
                           %s: tensor<?x?x3xf32> {blocks.source = "skipped", blocks.axes = ["time", "batch", ""]},
                           %m: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]},
                           %t0: tensor<?x3xf32> {blocks.source = "states_1", blocks.axes = ["batch", ""]}) {
  %h, %c, %t = blocks.apply @skip::@apply(%x, %s, %m, %t0) {reverse, arguments = ["inputs", "inputs#1", "mask", "states#1"]}
    : (tensor<?x?x12xf32>, tensor<?x?x3xf32>, tensor<?x?xf32>, tensor<?x3xf32>) -> (tensor<?x?x3xf32>, tensor<?x?x3xf32>, tensor<?x?x3xf32>)
  blocks.output %h "states" : tensor<?x?x3xf32>
  blocks.output %c "cells" : tensor<?x?x3xf32>
  blocks.output %t "top" : tensor<?x?x3xf32>
}
