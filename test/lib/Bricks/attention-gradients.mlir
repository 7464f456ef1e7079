// Gradients of attention and generators against finite differences in f64, and
// their compiled code against the reference: masks, one step, one example, one
// attended position, and none of either.
// DEFINE: %{passes} = --passes='blocks-expand-bricks,blocks-inline-applications,blocks-convert-to-f64,blocks-derive-entries{cost=cost},blocks-differentiate{cost=cost}'
// RUN: blocks-gradcheck %s %{passes} --shape time=3,positions=4,batch=2 --seeds 2 | FileCheck %s --check-prefix=GRADIENT
// RUN: blocks-gradcheck %s %{passes} --shape time=1,positions=1,batch=2 --seeds 1
// RUN: blocks-gradcheck %s %{passes} --shape time=3,positions=2,batch=1 --seeds 1
// RUN: blocks-gradcheck %s %{passes} --shape time=0,positions=2,batch=2 --seeds 1
// RUN: blocks-gradcheck %s %{passes} --shape time=2,positions=0,batch=2 --seeds 1
// RUN: blocks-opt %s -split-input-file -blocks-expand-bricks -blocks-inline-applications | test-compiled-graphs --shape time=3,positions=4,batch=3 | FileCheck %s --check-prefix=COMPILED
// RUN: blocks-opt %s -split-input-file -blocks-expand-bricks -blocks-inline-applications | test-compiled-graphs --shape time=1,positions=1,batch=1
// RUN: blocks-opt %s -split-input-file -blocks-expand-bricks -blocks-inline-applications | test-compiled-graphs --shape time=0,positions=0,batch=2

// GRADIENT: glimpses: {{[1-9][0-9]*}} elements agree
// COMPILED: glimpses agrees
module @glimpses {
  blocks.brick @lift = "Linear" {input_dim = 2, output_dim = 2}
  blocks.brick @look = "SequenceContentAttention" {match_dim = 3, attended_dim = 2, state_names = ["states"], state_dims = [2]}
  blocks.graph @cost(%a: tensor<?x?x2xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}, %m: tensor<?x?xui8> {blocks.source = "mask", blocks.axes = ["positions", "batch"]}, %s: tensor<?x2xf32> {blocks.source = "states", blocks.axes = ["batch", ""]}) {
    %h = blocks.apply @lift::@apply(%a) : (tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
    %t = blocks.apply @lift::@apply(%s) : (tensor<?x2xf32>) -> tensor<?x2xf32>
    %f = blocks.cast %m : tensor<?x?xui8> to tensor<?x?xf32>
    %g, %w = blocks.apply @look::@take_glimpses(%h, %t, %f) {arguments = ["attended", "states", "attended_mask"]} : (tensor<?x?x2xf32>, tensor<?x2xf32>, tensor<?x?xf32>) -> (tensor<?x2xf32>, tensor<?x?xf32>)
    %q = arith.mulf %g, %g : tensor<?x2xf32>
    %r = arith.mulf %w, %w : tensor<?x?xf32>
    %x = blocks.reduce sum %q dims [0, 1] : tensor<?x2xf32> to tensor<f32>
    %y = blocks.reduce sum %r dims [0, 1] : tensor<?x?xf32> to tensor<f32>
    %cost = arith.addf %x, %y : tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// GRADIENT: attending: {{[1-9][0-9]*}} elements agree
// COMPILED: attending agrees
module @attending {
  blocks.brick @lift = "Linear" {input_dim = 2, output_dim = 2}
  blocks.brick @rnn = "AttentionRecurrent" {transition = {kind = "SimpleRecurrent", dim = 2, activation = "Tanh"}, attention = {kind = "SequenceContentAttention", match_dim = 3, attended_dim = 2}}
  blocks.graph @cost(%x: tensor<?x?x2xf32> {blocks.source = "inputs", blocks.axes = ["time", "batch", ""]}, %m: tensor<?x?xui8> {blocks.source = "mask", blocks.axes = ["time", "batch"]}, %a: tensor<?x?x2xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}, %n: tensor<?x?xui8> {blocks.source = "attended_mask", blocks.axes = ["positions", "batch"]}) {
    %h = blocks.apply @lift::@apply(%a) : (tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
    %fm = blocks.cast %m : tensor<?x?xui8> to tensor<?x?xf32>
    %fn = blocks.cast %n : tensor<?x?xui8> to tensor<?x?xf32>
    %s, %g, %w = blocks.apply @rnn::@apply(%x, %fm, %h, %fn) {arguments = ["inputs", "mask", "attended", "attended_mask"]} : (tensor<?x?x2xf32>, tensor<?x?xf32>, tensor<?x?x2xf32>, tensor<?x?xf32>) -> (tensor<?x?x2xf32>, tensor<?x?x2xf32>, tensor<?x?x?xf32>)
    %q = arith.mulf %s, %s : tensor<?x?x2xf32>
    %r = arith.mulf %g, %g : tensor<?x?x2xf32>
    %t = arith.addf %q, %r : tensor<?x?x2xf32>
    %cost = blocks.reduce sum %t dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// GRADIENT: plain: {{[1-9][0-9]*}} elements agree
// COMPILED: plain agrees
module @plain {
  blocks.brick @generator = "SequenceGenerator" {
    readout = {kind = "Readout", source_names = ["states", "feedback"], readout_dim = 3, emitter = "SoftmaxEmitter", feedback_brick = {kind = "LookupFeedback", feedback_dim = 2}},
    transition = {kind = "GatedRecurrent", dim = 2}}
  blocks.graph @cost(%y: tensor<?x?xi64> {blocks.source = "outputs", blocks.axes = ["time", "batch"], check.range = [0, 3]}) {
    %cost = blocks.apply @generator::@cost(%y) : (tensor<?x?xi64>) -> tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// GRADIENT: translating: {{[1-9][0-9]*}} elements agree
// COMPILED: translating agrees
module @translating {
  blocks.brick @words = "LookupTable" {length = 3, dim = 2}
  blocks.brick @generator = "SequenceGenerator" {
    readout = {kind = "Readout", source_names = ["states", "weighted_averages", "feedback"], readout_dim = 3, emitter = "SoftmaxEmitter", feedback_brick = {kind = "LookupFeedback", feedback_dim = 2},
               merged_dim = 4, post_merge = {kind = "LinearMaxout", input_dim = 4, output_dim = 3, num_pieces = 2}},
    transition = {kind = "GatedRecurrent", dim = 2}, attention = {kind = "SequenceContentAttention", match_dim = 2, attended_dim = 2}}
  blocks.graph @cost(%x: tensor<?x?xi64> {blocks.source = "words", blocks.axes = ["positions", "batch"], check.range = [0, 3]}, %n: tensor<?x?xui8> {blocks.source = "words_mask", blocks.axes = ["positions", "batch"]}, %y: tensor<?x?xi64> {blocks.source = "outputs", blocks.axes = ["time", "batch"], check.range = [0, 3]}, %m: tensor<?x?xui8> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
    %a = blocks.apply @words::@apply(%x) : (tensor<?x?xi64>) -> tensor<?x?x2xf32>
    %fm = blocks.cast %m : tensor<?x?xui8> to tensor<?x?xf32>
    %fn = blocks.cast %n : tensor<?x?xui8> to tensor<?x?xf32>
    %cost = blocks.apply @generator::@cost(%y, %a, %fm, %fn) {arguments = ["outputs", "attended", "mask", "attended_mask"]} : (tensor<?x?xi64>, tensor<?x?x2xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// Position t in step t, whose number is carried over.
// GRADIENT: simple: {{[1-9][0-9]*}} elements agree
// COMPILED: simple agrees
module @simple {
  blocks.brick @lift = "Linear" {input_dim = 2, output_dim = 2}
  blocks.brick @rnn = "AttentionRecurrent" {transition = {kind = "SimpleRecurrent", dim = 3, activation = "Tanh"}, attention = {kind = "SimpleSequenceAttention", attended_dim = 2}}
  blocks.graph @cost(%x: tensor<?x?x3xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}, %a: tensor<?x?x2xf32> {blocks.source = "a", blocks.axes = ["time", "batch", ""]}) {
    %h = blocks.apply @lift::@apply(%a) : (tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
    %s, %g, %n, %f, %l, %m = blocks.apply @rnn::@apply(%x, %h) {return_final_states, arguments = ["inputs", "attended"]} : (tensor<?x?x3xf32>, tensor<?x?x2xf32>) -> (tensor<?x?x3xf32>, tensor<?x?x2xf32>, tensor<?x?xi64>, tensor<?x3xf32>, tensor<?x2xf32>, tensor<?xi64>)
    %q = arith.mulf %s, %s : tensor<?x?x3xf32>
    %r = arith.mulf %l, %l : tensor<?x2xf32>
    %c0 = blocks.reduce sum %q dims [0, 1, 2] : tensor<?x?x3xf32> to tensor<f32>
    %c1 = blocks.reduce sum %r dims [0, 1] : tensor<?x2xf32> to tensor<f32>
    %cost = arith.addf %c0, %c1 : tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
    blocks.output %m "next" : tensor<?xi64>
  }
}

// -----

// Real numbers come out and go back in, at the cost of their squared error.
// GRADIENT: reals: {{[1-9][0-9]*}} elements agree
// COMPILED: reals agrees
module @reals {
  blocks.brick @generator = "SequenceGenerator" {
    readout = {kind = "Readout", source_names = ["states", "feedback"], readout_dim = 2, emitter = {kind = "TrivialEmitter", cost = "squared_error"}},
    transition = {kind = "SimpleRecurrent", dim = 3, activation = "Tanh"}}
  blocks.graph @cost(%y: tensor<?x?x2xf32> {blocks.source = "outputs", blocks.axes = ["time", "batch", ""]}, %m: tensor<?x?xui8> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
    %fm = blocks.cast %m : tensor<?x?xui8> to tensor<?x?xf32>
    %cost = blocks.apply @generator::@cost(%y, %fm) : (tensor<?x?x2xf32>, tensor<?x?xf32>) -> tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// What was generated goes through all steps: an output depends on those before.
// GRADIENT: generated: {{[1-9][0-9]*}} elements agree
// COMPILED: generated agrees
module @generated {
  blocks.brick @lift = "Linear" {input_dim = 2, output_dim = 3}
  blocks.brick @generator = "SequenceGenerator" {
    readout = {kind = "Readout", source_names = ["states", "feedback"], readout_dim = 2},
    transition = {kind = "SimpleRecurrent", dim = 3, activation = "Tanh", trained_initial_states = false}}
  blocks.graph @cost(%y: tensor<?x?x2xf32> {blocks.source = "targets", blocks.axes = ["time", "batch", ""]}, %x: tensor<?x2xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
    %h = blocks.apply @lift::@apply(%x) : (tensor<?x2xf32>) -> tensor<?x3xf32>
    %s, %o, %c = blocks.apply @generator::@generate(%y, %h) {arguments = ["steps", "states"]} : (tensor<?x?x2xf32>, tensor<?x3xf32>) -> (tensor<?x?x3xf32>, tensor<?x?x2xf32>, tensor<?x?xf32>)
    %d = arith.subf %o, %y : tensor<?x?x2xf32>
    %q = arith.mulf %d, %d : tensor<?x?x2xf32>
    %cost = blocks.reduce sum %q dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// A context of each example is one of the sources; the next part of the
// sequences starts from the states after the last step.
// GRADIENT: captions: {{[1-9][0-9]*}} elements agree
// COMPILED: captions agrees
module @captions {
  blocks.brick @lift = "Linear" {input_dim = 2, output_dim = 3}
  blocks.brick @generator = "SequenceGenerator" {
    readout = {kind = "Readout", source_names = ["picture", "states", "weighted_averages", "feedback"], readout_dim = 3, emitter = "SoftmaxEmitter", feedback_brick = {kind = "LookupFeedback", feedback_dim = 2}},
    transition = {kind = "GatedRecurrent", dim = 2}, attention = {kind = "SequenceContentAttention", match_dim = 2, attended_dim = 2},
    context_names = ["picture"], context_dims = [3]}
  blocks.graph @cost(%y: tensor<?x?xi64> {blocks.source = "outputs", blocks.axes = ["time", "batch"], check.range = [0, 3]}, %a: tensor<?x?x2xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}, %x: tensor<?x2xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
    %p = blocks.apply @lift::@apply(%x) : (tensor<?x2xf32>) -> tensor<?x3xf32>
    %c0, %s, %g, %w = blocks.apply @generator::@cost(%y, %a, %p) {return_final_states} : (tensor<?x?xi64>, tensor<?x?x2xf32>, tensor<?x3xf32>) -> (tensor<f32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x?xf32>)
    %c1 = blocks.apply @generator::@cost(%y, %a, %p, %s) {arguments = ["outputs", "attended", "picture", "states"]} : (tensor<?x?xi64>, tensor<?x?x2xf32>, tensor<?x3xf32>, tensor<?x2xf32>) -> tensor<f32>
    %q = arith.mulf %g, %g : tensor<?x2xf32>
    %c2 = blocks.reduce sum %q dims [0, 1] : tensor<?x2xf32> to tensor<f32>
    %c3 = arith.addf %c0, %c1 : tensor<f32>
    %cost = arith.addf %c3, %c2 : tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
    blocks.output %w "weights" : tensor<?x?xf32>
  }
  blocks.graph @caption(%a: tensor<?x?x2xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}, %p: tensor<?x3xf32> {blocks.source = "picture", blocks.axes = ["batch", ""]}) {
    %k, %t, %h, %v, %r = blocks.apply @generator::@search_start(%a, %p) : (tensor<?x?x2xf32>, tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x?xf32>, tensor<?x?x2xf32>)
    blocks.output %k "costs" : tensor<?x3xf32>
  }
}

// -----

// The transition comes first: on the glimpse of the step before, which the
// readout sees, too.
// GRADIENT: transition_first: {{[1-9][0-9]*}} elements agree
// COMPILED: transition_first agrees
module @transition_first {
  blocks.brick @lift = "Linear" {input_dim = 2, output_dim = 2}
  blocks.brick @generator = "SequenceGenerator" {order = "transition_first",
    readout = {kind = "Readout", source_names = ["states", "weighted_averages"], readout_dim = 3, emitter = "SoftmaxEmitter", feedback_brick = {kind = "LookupFeedback", feedback_dim = 2}},
    transition = {kind = "GatedRecurrent", dim = 2}, attention = {kind = "SequenceContentAttention", match_dim = 2, attended_dim = 2}}
  blocks.graph @cost(%y: tensor<?x?xi64> {blocks.source = "outputs", blocks.axes = ["time", "batch"], check.range = [0, 3]}, %a: tensor<?x?x2xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}, %n: tensor<?x?xui8> {blocks.source = "attended_mask", blocks.axes = ["positions", "batch"]}, %m: tensor<?x?xui8> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
    %h = blocks.apply @lift::@apply(%a) : (tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
    %fm = blocks.cast %m : tensor<?x?xui8> to tensor<?x?xf32>
    %fn = blocks.cast %n : tensor<?x?xui8> to tensor<?x?xf32>
    %c, %s, %g, %w = blocks.apply @generator::@cost(%y, %h, %fm, %fn) {return_final_states, arguments = ["outputs", "attended", "mask", "attended_mask"]} : (tensor<?x?xi64>, tensor<?x?x2xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> (tensor<f32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x?xf32>)
    %q = arith.mulf %s, %g : tensor<?x2xf32>
    %c0 = blocks.reduce sum %q dims [0, 1] : tensor<?x2xf32> to tensor<f32>
    %cost = arith.addf %c, %c0 : tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}
