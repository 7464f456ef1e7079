// Gradients through applications that no other test of gradients has, against
// finite differences in f64, and their compiled code against the reference: for
// several examples and for one.
// DEFINE: %{passes} = --passes='blocks-expand-bricks,blocks-inline-applications,blocks-convert-to-f64,blocks-derive-entries{cost=cost},blocks-differentiate{cost=cost}'
// RUN: blocks-gradcheck %s %{passes} --shape time=3,positions=4,batch=2 --seeds 2 | FileCheck %s --check-prefix=GRADIENT
// RUN: blocks-gradcheck %s %{passes} --shape time=1,positions=1,batch=1 --seeds 1
// RUN: blocks-opt %s -split-input-file -blocks-expand-bricks -blocks-inline-applications | test-compiled-graphs --shape time=3,positions=4,batch=3 | FileCheck %s --check-prefix=COMPILED
// RUN: blocks-opt %s -split-input-file -blocks-expand-bricks -blocks-inline-applications | test-compiled-graphs --shape time=1,positions=1,batch=1

// GRADIENT: probabilities: {{[1-9][0-9]*}} elements agree
// COMPILED: probabilities agrees
module @probabilities {
  blocks.brick @in = "Linear" {input_dim = 2, output_dim = 3}
  blocks.brick @softmax = "Softmax" {}
  blocks.brick @over_time = "NDimensionalSoftmax" {extra_ndim = 1}
  blocks.graph @cost(%x: tensor<?x2xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
                     %xs: tensor<?x?x2xf32> {blocks.source = "xs", blocks.axes = ["time", "batch", ""]},
                     %w: tensor<?x3xf32> {blocks.source = "w", blocks.axes = ["batch", ""]},
                     %ws: tensor<?x?x3xf32> {blocks.source = "ws", blocks.axes = ["time", "batch", ""]}) {
    %l = blocks.apply @in::@apply(%x) : (tensor<?x2xf32>) -> tensor<?x3xf32>
    %ls = blocks.apply @in::@apply(%xs) : (tensor<?x?x2xf32>) -> tensor<?x?x3xf32>
    %p = blocks.apply @softmax::@log_probabilities(%l) : (tensor<?x3xf32>) -> tensor<?x3xf32>
    %q = blocks.apply @over_time::@apply(%ls) : (tensor<?x?x3xf32>) -> tensor<?x?x3xf32>
    %r = blocks.apply @over_time::@log_probabilities(%ls) : (tensor<?x?x3xf32>) -> tensor<?x?x3xf32>
    %wp = arith.mulf %w, %p : tensor<?x3xf32>
    %qr = arith.mulf %q, %r : tensor<?x?x3xf32>
    %wqr = arith.mulf %ws, %qr : tensor<?x?x3xf32>
    %a = blocks.reduce sum %wp dims [0, 1] : tensor<?x3xf32> to tensor<f32>
    %b = blocks.reduce sum %wqr dims [0, 1, 2] : tensor<?x?x3xf32> to tensor<f32>
    %cost = arith.addf %a, %b : tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// One step of attention from its parts, with what is prepared once.
// GRADIENT: pieces: {{[1-9][0-9]*}} elements agree
// COMPILED: pieces agrees
module @pieces {
  blocks.brick @fork = "Fork" {output_names = ["inputs", "gate_inputs"], input_dim = 2, output_dims = [3, 6]}
  blocks.brick @annotate = "Linear" {input_dim = 2, output_dim = 2}
  blocks.brick @content = "SequenceContentAttention" {match_dim = 4, attended_dim = 2, state_names = ["states"], state_dims = [3]}
  blocks.brick @gru = "AttentionRecurrent" {transition = {kind = "GatedRecurrent", dim = 3}, attention = {kind = "SequenceContentAttention", match_dim = 4, attended_dim = 2}}
  blocks.graph @cost(%x: tensor<?x2xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
                     %h: tensor<?x?x2xf32> {blocks.source = "h", blocks.axes = ["positions", "batch", ""]}) {
    %i, %g = blocks.apply @fork::@apply(%x) : (tensor<?x2xf32>) -> (tensor<?x3xf32>, tensor<?x6xf32>)
    %a = blocks.apply @annotate::@apply(%h) : (tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
    %s0, %g0, %w0 = blocks.apply @gru::@initial_states(%i, %a) : (tensor<?x3xf32>, tensor<?x?x2xf32>) -> (tensor<?x3xf32>, tensor<?x2xf32>, tensor<?x?xf32>)
    %q, %w = blocks.apply @gru::@take_glimpses(%s0, %a) : (tensor<?x3xf32>, tensor<?x?x2xf32>) -> (tensor<?x2xf32>, tensor<?x?xf32>)
    %s = blocks.apply @gru::@compute_states(%i, %g, %s0, %q) : (tensor<?x3xf32>, tensor<?x6xf32>, tensor<?x3xf32>, tensor<?x2xf32>) -> tensor<?x3xf32>
    %p = blocks.apply @content::@preprocess(%a) : (tensor<?x?x2xf32>) -> tensor<?x?x4xf32>
    %r, %v = blocks.apply @content::@take_glimpses(%a, %p, %s) {arguments = ["attended", "preprocessed_attended", "states"]} : (tensor<?x?x2xf32>, tensor<?x?x4xf32>, tensor<?x3xf32>) -> (tensor<?x2xf32>, tensor<?x?xf32>)
    %ss = arith.mulf %s, %s : tensor<?x3xf32>
    %rq = arith.mulf %r, %q : tensor<?x2xf32>
    %vv = arith.mulf %v, %w : tensor<?x?xf32>
    %c0 = blocks.reduce sum %ss dims [0, 1] : tensor<?x3xf32> to tensor<f32>
    %c1 = blocks.reduce sum %rq dims [0, 1] : tensor<?x2xf32> to tensor<f32>
    %c2 = blocks.reduce sum %vv dims [0, 1] : tensor<?x?xf32> to tensor<f32>
    %c3 = arith.addf %c0, %c1 : tensor<f32>
    %cost = arith.addf %c3, %c2 : tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// The cost of each output of a sequence, and of all that may come next.
// GRADIENT: costs: {{[1-9][0-9]*}} elements agree
// COMPILED: costs agrees
module @costs {
  blocks.brick @annotate = "Linear" {input_dim = 2, output_dim = 2}
  blocks.brick @looking = "SequenceGenerator" {
    readout = {kind = "Readout", source_names = ["states", "weighted_averages", "feedback"], readout_dim = 5, emitter = "SoftmaxEmitter", feedback_brick = {kind = "LookupFeedback", feedback_dim = 2}},
    transition = {kind = "GatedRecurrent", dim = 3}, attention = {kind = "SequenceContentAttention", match_dim = 4, attended_dim = 2}}
  blocks.graph @cost(%y: tensor<?x?xi64> {blocks.source = "outputs", blocks.axes = ["time", "batch"], check.range = [0, 5]},
                     %next: tensor<?xi64> {blocks.source = "next", blocks.axes = ["batch"], check.range = [0, 5]},
                     %h: tensor<?x?x2xf32> {blocks.source = "h", blocks.axes = ["positions", "batch", ""]},
                     %u: tensor<?x?xf32> {blocks.source = "u", blocks.axes = ["time", "batch"]}) {
    %a = blocks.apply @annotate::@apply(%h) : (tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
    %m = blocks.apply @looking::@cost_matrix(%y, %a) : (tensor<?x?xi64>, tensor<?x?x2xf32>) -> tensor<?x?xf32>
    %c, %s, %g, %w, %p = blocks.apply @looking::@search_start(%a) : (tensor<?x?x2xf32>) -> (tensor<?x5xf32>, tensor<?x3xf32>, tensor<?x2xf32>, tensor<?x?xf32>, tensor<?x?x4xf32>)
    %d, %t, %f, %v = blocks.apply @looking::@search_step(%next, %s, %g, %w, %a, %p) : (tensor<?xi64>, tensor<?x3xf32>, tensor<?x2xf32>, tensor<?x?xf32>, tensor<?x?x2xf32>, tensor<?x?x4xf32>) -> (tensor<?x5xf32>, tensor<?x3xf32>, tensor<?x2xf32>, tensor<?x?xf32>)
    %um = arith.mulf %u, %m : tensor<?x?xf32>
    %cd = arith.mulf %c, %d : tensor<?x5xf32>
    %c0 = blocks.reduce sum %um dims [0, 1] : tensor<?x?xf32> to tensor<f32>
    %c1 = blocks.reduce sum %cd dims [0, 1] : tensor<?x5xf32> to tensor<f32>
    %cost = arith.addf %c0, %c1 : tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// A readout by itself: readouts, what all outputs and what given ones cost,
// probabilities of an emitter, and a code drawn from the prior.
// GRADIENT: parts: {{[1-9][0-9]*}} elements agree
// COMPILED: parts agrees
module @parts {
  blocks.brick @in = "Linear" {input_dim = 2, output_dim = 3}
  blocks.brick @out = "Readout" {source_names = ["states", "feedback"], source_dims = [3, 2], readout_dim = 4, emitter = "SoftmaxEmitter", feedback_brick = {kind = "LookupFeedback", feedback_dim = 2}}
  blocks.brick @emitter = "SoftmaxEmitter" {readout_dim = 4}
  blocks.brick @code = "Qsampler" {input_dim = 3, output_dim = 3}
  blocks.graph @cost(%x: tensor<?x2xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
                     %y: tensor<?xi64> {blocks.source = "y", blocks.axes = ["batch"], check.range = [0, 4]}) {
    %h = blocks.apply @in::@apply(%x) : (tensor<?x2xf32>) -> tensor<?x3xf32>
    %z, %k = blocks.apply @code::@sample(%h, %h) : (tensor<?x3xf32>, tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?xf32>)
    %p = blocks.apply @code::@sample_from_prior(%z) : (tensor<?x3xf32>) -> tensor<?x3xf32>
    %f = blocks.apply @out::@feedback(%y) : (tensor<?xi64>) -> tensor<?x2xf32>
    %r = blocks.apply @out::@readout(%p, %f) : (tensor<?x3xf32>, tensor<?x2xf32>) -> tensor<?x4xf32>
    %all = blocks.apply @out::@costs(%r) : (tensor<?x4xf32>) -> tensor<?x4xf32>
    %given = blocks.apply @out::@cost(%r, %y) : (tensor<?x4xf32>, tensor<?xi64>) -> tensor<?xf32>
    %probs = blocks.apply @emitter::@probs(%r) : (tensor<?x4xf32>) -> tensor<?x4xf32>
    %expected = arith.mulf %all, %probs : tensor<?x4xf32>
    %square = arith.mulf %given, %given : tensor<?xf32>
    %both = arith.addf %square, %k : tensor<?xf32>
    %c0 = blocks.reduce sum %expected dims [0, 1] : tensor<?x4xf32> to tensor<f32>
    %c1 = blocks.reduce sum %both dims [0] : tensor<?xf32> to tensor<f32>
    %cost = arith.addf %c0, %c1 : tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// What sequences start from.
// GRADIENT: starts: {{[1-9][0-9]*}} elements agree
// COMPILED: starts agrees
module @starts {
  blocks.brick @simple = "SimpleRecurrent" {dim = 2, activation = "Tanh"}
  blocks.brick @gru = "GatedRecurrent" {dim = 2}
  blocks.graph @cost(%x: tensor<?x2xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
                     %g: tensor<?x4xf32> {blocks.source = "g", blocks.axes = ["batch", ""]}) {
    %s = blocks.apply @simple::@initial_states(%x) : (tensor<?x2xf32>) -> tensor<?x2xf32>
    %n = blocks.apply @simple::@apply(%x, %s) {iterate = false} : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
    %t = blocks.apply @gru::@initial_states(%x) : (tensor<?x2xf32>) -> tensor<?x2xf32>
    %m = blocks.apply @gru::@apply(%x, %g, %t) {iterate = false} : (tensor<?x2xf32>, tensor<?x4xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
    %a = arith.mulf %n, %m : tensor<?x2xf32>
    %b = arith.mulf %a, %x : tensor<?x2xf32>
    %cost = blocks.reduce sum %b dims [0, 1] : tensor<?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}
