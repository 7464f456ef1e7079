// Each recurrent brick's gradients against finite differences in f64, and its
// compiled code against the reference: both directions, masks, learned initial
// states; several steps, one step, none, one example.
// DEFINE: %{passes} = --passes='blocks-expand-bricks,blocks-inline-applications,blocks-convert-to-f64,blocks-derive-entries{cost=cost},blocks-differentiate{cost=cost}'
// RUN: blocks-gradcheck %s %{passes} --shape time=4,batch=2 --seeds 2 | FileCheck %s --check-prefix=GRADIENT
// RUN: blocks-gradcheck %s %{passes} --shape time=1,batch=2 --seeds 1
// RUN: blocks-gradcheck %s %{passes} --shape time=0,batch=2 --seeds 1
// RUN: blocks-gradcheck %s %{passes} --shape time=3,batch=1 --seeds 1
// RUN: blocks-opt %s -split-input-file -blocks-expand-bricks -blocks-inline-applications | test-compiled-graphs --shape time=4,batch=3 | FileCheck %s --check-prefix=COMPILED
// RUN: blocks-opt %s -split-input-file -blocks-expand-bricks -blocks-inline-applications | test-compiled-graphs --shape time=1,batch=1
// RUN: blocks-opt %s -split-input-file -blocks-expand-bricks -blocks-inline-applications | test-compiled-graphs --shape time=0,batch=2

// GRADIENT: simple: {{[1-9][0-9]*}} elements agree
// COMPILED: simple agrees
module @simple {
  blocks.brick @in = "Linear" {input_dim = 2, output_dim = 2}
  blocks.brick @rnn = "SimpleRecurrent" {dim = 2, activation = "Tanh"}
  blocks.graph @cost(%x: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}) {
    %i = blocks.apply @in::@apply(%x) : (tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
    %h = blocks.apply @rnn::@apply(%i) : (tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
    %q0 = arith.mulf %h, %h : tensor<?x?x2xf32>
    %cost = blocks.reduce sum %q0 dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// GRADIENT: simple_masked_reverse: {{[1-9][0-9]*}} elements agree
// COMPILED: simple_masked_reverse agrees
module @simple_masked_reverse {
  blocks.brick @in = "Linear" {input_dim = 2, output_dim = 2}
  blocks.brick @rnn = "SimpleRecurrent" {dim = 2, activation = "Tanh"}
  blocks.graph @cost(%x: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}, %mask: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
    %i = blocks.apply @in::@apply(%x) : (tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
    %h = blocks.apply @rnn::@apply(%i, %mask) {reverse} : (tensor<?x?x2xf32>, tensor<?x?xf32>) -> tensor<?x?x2xf32>
    %q0 = arith.mulf %h, %h : tensor<?x?x2xf32>
    %cost = blocks.reduce sum %q0 dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// GRADIENT: lstm: {{[1-9][0-9]*}} elements agree
// COMPILED: lstm agrees
module @lstm {
  blocks.brick @in = "Linear" {input_dim = 2, output_dim = 8}
  blocks.brick @rnn = "LSTM" {dim = 2}
  blocks.graph @cost(%x: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}) {
    %i = blocks.apply @in::@apply(%x) : (tensor<?x?x2xf32>) -> tensor<?x?x8xf32>
    %h, %c = blocks.apply @rnn::@apply(%i) : (tensor<?x?x8xf32>) -> (tensor<?x?x2xf32>, tensor<?x?x2xf32>)
    %q0 = arith.mulf %h, %h : tensor<?x?x2xf32>
    %s0 = blocks.reduce sum %q0 dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    %q1 = arith.mulf %c, %c : tensor<?x?x2xf32>
    %s1 = blocks.reduce sum %q1 dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    %cost = arith.addf %s0, %s1 : tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// GRADIENT: lstm_masked_reverse: {{[1-9][0-9]*}} elements agree
// COMPILED: lstm_masked_reverse agrees
module @lstm_masked_reverse {
  blocks.brick @in = "Linear" {input_dim = 2, output_dim = 8}
  blocks.brick @rnn = "LSTM" {dim = 2}
  blocks.graph @cost(%x: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}, %mask: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
    %i = blocks.apply @in::@apply(%x) : (tensor<?x?x2xf32>) -> tensor<?x?x8xf32>
    %h, %c = blocks.apply @rnn::@apply(%i, %mask) {reverse} : (tensor<?x?x8xf32>, tensor<?x?xf32>) -> (tensor<?x?x2xf32>, tensor<?x?x2xf32>)
    %q0 = arith.mulf %h, %h : tensor<?x?x2xf32>
    %cost = blocks.reduce sum %q0 dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// GRADIENT: lstm_without_peepholes: {{[1-9][0-9]*}} elements agree
// COMPILED: lstm_without_peepholes agrees
module @lstm_without_peepholes {
  blocks.brick @in = "Linear" {input_dim = 2, output_dim = 8}
  blocks.brick @rnn = "LSTM" {dim = 2, peepholes = false, gate_activation = "Tanh"}
  blocks.graph @cost(%x: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}, %mask: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
    %i = blocks.apply @in::@apply(%x) : (tensor<?x?x2xf32>) -> tensor<?x?x8xf32>
    %h, %c = blocks.apply @rnn::@apply(%i, %mask) : (tensor<?x?x8xf32>, tensor<?x?xf32>) -> (tensor<?x?x2xf32>, tensor<?x?x2xf32>)
    %q0 = arith.mulf %h, %h : tensor<?x?x2xf32>
    %cost = blocks.reduce sum %q0 dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// GRADIENT: lstm_step: {{[1-9][0-9]*}} elements agree
// COMPILED: lstm_step agrees
module @lstm_step {
  blocks.brick @in = "Linear" {input_dim = 2, output_dim = 8}
  blocks.brick @rnn = "LSTM" {dim = 2}
  blocks.graph @cost(%x: tensor<?x2xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
    %i = blocks.apply @in::@apply(%x) : (tensor<?x2xf32>) -> tensor<?x8xf32>
    %h0, %c0 = blocks.apply @rnn::@initial_states(%x) : (tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>)
    %h, %c = blocks.apply @rnn::@apply(%i, %h0, %c0) {iterate = false} : (tensor<?x8xf32>, tensor<?x2xf32>, tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>)
    %q0 = arith.mulf %h, %h : tensor<?x2xf32>
    %s0 = blocks.reduce sum %q0 dims [0, 1] : tensor<?x2xf32> to tensor<f32>
    %q1 = arith.mulf %c, %c : tensor<?x2xf32>
    %s1 = blocks.reduce sum %q1 dims [0, 1] : tensor<?x2xf32> to tensor<f32>
    %cost = arith.addf %s0, %s1 : tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// GRADIENT: gru_blocks: {{[1-9][0-9]*}} elements agree
// COMPILED: gru_blocks agrees
module @gru_blocks {
  blocks.brick @in = "Linear" {input_dim = 2, output_dim = 2}
  blocks.brick @gates = "Linear" {input_dim = 2, output_dim = 4}
  blocks.brick @rnn = "GatedRecurrent" {dim = 2, variant = "blocks"}
  blocks.graph @cost(%x: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}) {
    %i = blocks.apply @in::@apply(%x) : (tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
    %g = blocks.apply @gates::@apply(%x) : (tensor<?x?x2xf32>) -> tensor<?x?x4xf32>
    %h = blocks.apply @rnn::@apply(%i, %g) : (tensor<?x?x2xf32>, tensor<?x?x4xf32>) -> tensor<?x?x2xf32>
    %q0 = arith.mulf %h, %h : tensor<?x?x2xf32>
    %cost = blocks.reduce sum %q0 dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// GRADIENT: gru_blocks_masked_reverse: {{[1-9][0-9]*}} elements agree
// COMPILED: gru_blocks_masked_reverse agrees
module @gru_blocks_masked_reverse {
  blocks.brick @in = "Linear" {input_dim = 2, output_dim = 2}
  blocks.brick @gates = "Linear" {input_dim = 2, output_dim = 4}
  blocks.brick @rnn = "GatedRecurrent" {dim = 2, variant = "blocks"}
  blocks.graph @cost(%x: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}, %mask: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
    %i = blocks.apply @in::@apply(%x) : (tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
    %g = blocks.apply @gates::@apply(%x) : (tensor<?x?x2xf32>) -> tensor<?x?x4xf32>
    %h = blocks.apply @rnn::@apply(%i, %g, %mask) {reverse} : (tensor<?x?x2xf32>, tensor<?x?x4xf32>, tensor<?x?xf32>) -> tensor<?x?x2xf32>
    %q0 = arith.mulf %h, %h : tensor<?x?x2xf32>
    %cost = blocks.reduce sum %q0 dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// GRADIENT: gru_cudnn: {{[1-9][0-9]*}} elements agree
// COMPILED: gru_cudnn agrees
module @gru_cudnn {
  blocks.brick @in = "Linear" {input_dim = 2, output_dim = 2}
  blocks.brick @gates = "Linear" {input_dim = 2, output_dim = 4}
  blocks.brick @rnn = "GatedRecurrent" {dim = 2, variant = "cudnn"}
  blocks.graph @cost(%x: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}) {
    %i = blocks.apply @in::@apply(%x) : (tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
    %g = blocks.apply @gates::@apply(%x) : (tensor<?x?x2xf32>) -> tensor<?x?x4xf32>
    %h = blocks.apply @rnn::@apply(%i, %g) : (tensor<?x?x2xf32>, tensor<?x?x4xf32>) -> tensor<?x?x2xf32>
    %q0 = arith.mulf %h, %h : tensor<?x?x2xf32>
    %cost = blocks.reduce sum %q0 dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// GRADIENT: gru_cudnn_masked_reverse: {{[1-9][0-9]*}} elements agree
// COMPILED: gru_cudnn_masked_reverse agrees
module @gru_cudnn_masked_reverse {
  blocks.brick @in = "Linear" {input_dim = 2, output_dim = 2}
  blocks.brick @gates = "Linear" {input_dim = 2, output_dim = 4}
  blocks.brick @rnn = "GatedRecurrent" {dim = 2, variant = "cudnn"}
  blocks.graph @cost(%x: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}, %mask: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
    %i = blocks.apply @in::@apply(%x) : (tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
    %g = blocks.apply @gates::@apply(%x) : (tensor<?x?x2xf32>) -> tensor<?x?x4xf32>
    %h = blocks.apply @rnn::@apply(%i, %g, %mask) {reverse} : (tensor<?x?x2xf32>, tensor<?x?x4xf32>, tensor<?x?xf32>) -> tensor<?x?x2xf32>
    %q0 = arith.mulf %h, %h : tensor<?x?x2xf32>
    %cost = blocks.reduce sum %q0 dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// GRADIENT: bidirectional: {{[1-9][0-9]*}} elements agree
// COMPILED: bidirectional agrees
module @bidirectional {
  blocks.brick @in = "Linear" {input_dim = 2, output_dim = 8}
  blocks.brick @rnn = "Bidirectional" {prototype = {kind = "LSTM", dim = 2}}
  blocks.graph @cost(%x: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}, %mask: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
    %i = blocks.apply @in::@apply(%x) : (tensor<?x?x2xf32>) -> tensor<?x?x8xf32>
    %h, %c = blocks.apply @rnn::@apply(%i, %mask) : (tensor<?x?x8xf32>, tensor<?x?xf32>) -> (tensor<?x?x4xf32>, tensor<?x?x4xf32>)
    %q = arith.mulf %h, %h : tensor<?x?x4xf32>
    %cost = blocks.reduce sum %q dims [0, 1, 2] : tensor<?x?x4xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// GRADIENT: stack: {{[1-9][0-9]*}} elements agree
// COMPILED: stack agrees
module @stack {
  blocks.brick @in = "Linear" {input_dim = 2, output_dim = 8}
  blocks.brick @rnn = "RecurrentStack" {transitions = [{kind = "LSTM", dim = 2}, {kind = "SimpleRecurrent", dim = 2, activation = "Tanh"}]}
  blocks.graph @cost(%x: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}, %mask: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
    %i = blocks.apply @in::@apply(%x) : (tensor<?x?x2xf32>) -> tensor<?x?x8xf32>
    %h, %c, %t = blocks.apply @rnn::@apply(%i, %mask) : (tensor<?x?x8xf32>, tensor<?x?xf32>) -> (tensor<?x?x2xf32>, tensor<?x?x2xf32>, tensor<?x?x2xf32>)
    %q = arith.mulf %t, %t : tensor<?x?x2xf32>
    %cost = blocks.reduce sum %q dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// GRADIENT: stack_in_one_loop: {{[1-9][0-9]*}} elements agree
// COMPILED: stack_in_one_loop agrees
module @stack_in_one_loop {
  blocks.brick @in = "Linear" {input_dim = 2, output_dim = 8}
  blocks.brick @rnn = "RecurrentStack" {transitions = [{kind = "LSTM", dim = 2}, {kind = "SimpleRecurrent", dim = 2, activation = "Tanh"}]}
  blocks.graph @cost(%x: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}, %mask: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
    %i = blocks.apply @in::@apply(%x) : (tensor<?x?x2xf32>) -> tensor<?x?x8xf32>
    %h, %c, %t = blocks.apply @rnn::@apply(%i, %mask) {low_memory} : (tensor<?x?x8xf32>, tensor<?x?xf32>) -> (tensor<?x?x2xf32>, tensor<?x?x2xf32>, tensor<?x?x2xf32>)
    %q = arith.mulf %t, %t : tensor<?x?x2xf32>
    %cost = blocks.reduce sum %q dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// GRADIENT: stack_with_skips: {{[1-9][0-9]*}} elements agree
// COMPILED: stack_with_skips agrees
module @stack_with_skips {
  blocks.brick @in = "Linear" {input_dim = 2, output_dim = 8}
  blocks.brick @rnn = "RecurrentStack" {transitions = [{kind = "LSTM", dim = 2}, {kind = "SimpleRecurrent", dim = 2, activation = "Tanh"}], skip_connections = true}
  blocks.graph @cost(%x: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}, %mask: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
    %i = blocks.apply @in::@apply(%x) : (tensor<?x?x2xf32>) -> tensor<?x?x8xf32>
    %h, %c, %t = blocks.apply @rnn::@apply(%i, %x, %mask) {reverse} : (tensor<?x?x8xf32>, tensor<?x?x2xf32>, tensor<?x?xf32>) -> (tensor<?x?x2xf32>, tensor<?x?x2xf32>, tensor<?x?x2xf32>)
    %q = arith.mulf %t, %t : tensor<?x?x2xf32>
    %cost = blocks.reduce sum %q dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// The backward loop computes each step again.
// GRADIENT: lstm_recompute: {{[1-9][0-9]*}} elements agree
// COMPILED: lstm_recompute agrees
module @lstm_recompute {
  blocks.brick @in = "Linear" {input_dim = 2, output_dim = 8}
  blocks.brick @rnn = "LSTM" {dim = 2}
  blocks.graph @cost(%x: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}, %mask: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
    %i = blocks.apply @in::@apply(%x) : (tensor<?x?x2xf32>) -> tensor<?x?x8xf32>
    %h, %c = blocks.apply @rnn::@apply(%i, %mask) {recompute} : (tensor<?x?x8xf32>, tensor<?x?xf32>) -> (tensor<?x?x2xf32>, tensor<?x?x2xf32>)
    %q = arith.mulf %h, %h : tensor<?x?x2xf32>
    %cost = blocks.reduce sum %q dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// Six steps in two segments; extents that are all known.
// GRADIENT: lstm_checkpoint: {{[1-9][0-9]*}} elements agree
// COMPILED: lstm_checkpoint agrees
module @lstm_checkpoint {
  blocks.brick @in = "Linear" {input_dim = 2, output_dim = 8}
  blocks.brick @rnn = "LSTM" {dim = 2}
  blocks.graph @cost(%x: tensor<6x3x2xf32> {blocks.source = "x"}) {
    %i = blocks.apply @in::@apply(%x) : (tensor<6x3x2xf32>) -> tensor<6x3x8xf32>
    %h, %c = blocks.apply @rnn::@apply(%i) {checkpoint} : (tensor<6x3x8xf32>) -> (tensor<6x3x2xf32>, tensor<6x3x2xf32>)
    %q = arith.mulf %h, %h : tensor<6x3x2xf32>
    %cost = blocks.reduce sum %q dims [0, 1, 2] : tensor<6x3x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// Steps without a sequence, as many as another axis has.
// GRADIENT: counted: {{[1-9][0-9]*}} elements agree
// COMPILED: counted agrees
module @counted {
  blocks.brick @out = "Linear" {input_dim = 2, output_dim = 2}
  blocks.brick @gru = "GatedRecurrent" {dim = 2}
  blocks.graph @cost(%y: tensor<?x?x2xf32> {blocks.source = "y", blocks.axes = ["time", "batch", ""]}) {
    %first = blocks.reduce sum %y dims [0] : tensor<?x?x2xf32> to tensor<?x2xf32>
    %h = blocks.apply @gru::@apply(%y, %first) {arguments = ["steps", "batch"]} : (tensor<?x?x2xf32>, tensor<?x2xf32>) -> tensor<?x?x2xf32>
    %o = blocks.apply @out::@apply(%h) : (tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
    %d = arith.subf %o, %y : tensor<?x?x2xf32>
    %q0 = arith.mulf %d, %d : tensor<?x?x2xf32>
    %cost = blocks.reduce sum %q0 dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// A cost of the states after the last step alone, one loop after another.
// GRADIENT: finals: {{[1-9][0-9]*}} elements agree
// COMPILED: finals agrees
module @finals {
  blocks.brick @in = "Linear" {input_dim = 2, output_dim = 8}
  blocks.brick @rnn = "LSTM" {dim = 2}
  blocks.graph @cost(%x: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}, %mask: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
    %i = blocks.apply @in::@apply(%x) : (tensor<?x?x2xf32>) -> tensor<?x?x8xf32>
    %h, %c, %hf, %cf = blocks.apply @rnn::@apply(%i, %mask) {return_final_states} : (tensor<?x?x8xf32>, tensor<?x?xf32>) -> (tensor<?x?x2xf32>, tensor<?x?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>)
    %g, %d, %gf, %df = blocks.apply @rnn::@apply(%i, %hf, %cf) {reverse, return_final_states, arguments = ["inputs", "states", "cells"]} : (tensor<?x?x8xf32>, tensor<?x2xf32>, tensor<?x2xf32>) -> (tensor<?x?x2xf32>, tensor<?x?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>)
    %q0 = arith.mulf %gf, %gf : tensor<?x2xf32>
    %q1 = arith.mulf %q0, %cf : tensor<?x2xf32>
    %cost = blocks.reduce sum %q1 dims [0, 1] : tensor<?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}
