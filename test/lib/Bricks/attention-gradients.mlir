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
