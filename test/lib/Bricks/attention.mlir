// Attention and sequence generators: their numbers against NumPy and float64
// (attention.py), whatever is masked; Blocks' frozen sums.
// RUN: /usr/bin/python3 %S/attention.py %s %t | FileCheck %s

// CHECK: content_plain
// CHECK: content_masked
// CHECK: gru_masked
// CHECK: gru_initial
// CHECK: gru_pieces
// CHECK: simple_attended
// CHECK: plain_cost
// CHECK: looking_cost
// CHECK: looking_masked
// CHECK: looking_search
// CHECK: looking_sampled
// CHECK: trivial_generated
// CHECK: later_masked
// CHECK: second_cost
// CHECK: second_search
// CHECK: second_sampled
// CHECK: Blocks' sums

module {
  blocks.brick @content = "SequenceContentAttention" {match_dim = 4, attended_dim = 2, state_names = ["states", "cells"], state_dims = [3, 2]}
  blocks.brick @gru = "AttentionRecurrent" {transition = {kind = "GatedRecurrent", dim = 3}, attention = {kind = "SequenceContentAttention", match_dim = 4, attended_dim = 2}}
  blocks.brick @simple = "AttentionRecurrent" {transition = {kind = "SimpleRecurrent", dim = 3, activation = "Tanh"}, attention = {kind = "SimpleSequenceAttention", attended_dim = 2}}
  blocks.brick @plain = "SequenceGenerator" {
    readout = {kind = "Readout", source_names = ["states", "feedback"], readout_dim = 5, emitter = {kind = "SoftmaxEmitter", initial_output = 1}, feedback_brick = {kind = "LookupFeedback", feedback_dim = 2}},
    transition = {kind = "GatedRecurrent", dim = 3}}
  blocks.brick @looking = "SequenceGenerator" {
    readout = {kind = "Readout", source_names = ["states", "weighted_averages", "feedback"], readout_dim = 5, emitter = "SoftmaxEmitter", feedback_brick = {kind = "LookupFeedback", feedback_dim = 2}},
    transition = {kind = "GatedRecurrent", dim = 3}, attention = {kind = "SequenceContentAttention", match_dim = 4, attended_dim = 2}}
  blocks.brick @trivial = "SequenceGenerator" {
    readout = {kind = "Readout", source_names = ["states"], readout_dim = 2},
    transition = {kind = "SimpleRecurrent", dim = 3, activation = "Tanh"}}
  blocks.brick @later = "AttentionRecurrent" {order = "transition_first", transition = {kind = "GatedRecurrent", dim = 3}, attention = {kind = "SequenceContentAttention", match_dim = 4, attended_dim = 2}}
  blocks.brick @second = "SequenceGenerator" {order = "transition_first",
    readout = {kind = "Readout", source_names = ["states", "weighted_averages"], readout_dim = 5, emitter = "SoftmaxEmitter", feedback_brick = {kind = "LookupFeedback", feedback_dim = 2}},
    transition = {kind = "GatedRecurrent", dim = 3}, attention = {kind = "SequenceContentAttention", match_dim = 4, attended_dim = 2}}

  blocks.graph @content_plain(%a: tensor<?x?x2xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}, %s: tensor<?x3xf32> {blocks.source = "states"}, %c: tensor<?x2xf32> {blocks.source = "cells"}) {
    %g, %w = blocks.apply @content::@take_glimpses(%a, %s, %c) : (tensor<?x?x2xf32>, tensor<?x3xf32>, tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?x?xf32>)
    blocks.output %g "glimpses" : tensor<?x2xf32>
    blocks.output %w "weights" : tensor<?x?xf32>
  }
  blocks.graph @content_masked(%a: tensor<?x?x2xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}, %m: tensor<?x?xf32> {blocks.source = "attended_mask", blocks.axes = ["positions", "batch"]}, %s: tensor<?x3xf32> {blocks.source = "states"}, %c: tensor<?x2xf32> {blocks.source = "cells"}) {
    %p = blocks.apply @content::@preprocess(%a) : (tensor<?x?x2xf32>) -> tensor<?x?x4xf32>
    %g, %w = blocks.apply @content::@take_glimpses(%a, %p, %m, %s, %c) {arguments = ["attended", "preprocessed_attended", "attended_mask", "states", "cells"]} : (tensor<?x?x2xf32>, tensor<?x?x4xf32>, tensor<?x?xf32>, tensor<?x3xf32>, tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?x?xf32>)
    blocks.output %g "glimpses" : tensor<?x2xf32>
    blocks.output %w "weights" : tensor<?x?xf32>
  }
  blocks.graph @gru_masked(%x: tensor<?x?x3xf32> {blocks.source = "inputs", blocks.axes = ["time", "batch", ""]}, %g: tensor<?x?x6xf32> {blocks.source = "gate_inputs", blocks.axes = ["time", "batch", ""]}, %m: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}, %a: tensor<?x?x2xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}, %n: tensor<?x?xf32> {blocks.source = "attended_mask", blocks.axes = ["positions", "batch"]}) {
    %s, %q, %w = blocks.apply @gru::@apply(%x, %g, %a, %m, %n) : (tensor<?x?x3xf32>, tensor<?x?x6xf32>, tensor<?x?x2xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> (tensor<?x?x3xf32>, tensor<?x?x2xf32>, tensor<?x?x?xf32>)
    blocks.output %s "states" : tensor<?x?x3xf32>
    blocks.output %q "glimpses" : tensor<?x?x2xf32>
    blocks.output %w "weights" : tensor<?x?x?xf32>
  }
  blocks.graph @gru_initial(%x: tensor<?x?x3xf32> {blocks.source = "inputs", blocks.axes = ["time", "batch", ""]}, %g: tensor<?x?x6xf32> {blocks.source = "gate_inputs", blocks.axes = ["time", "batch", ""]}, %a: tensor<?x?x2xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}) {
    %s, %q, %w = blocks.apply @gru::@apply(%x, %g, %a) {return_initial_states} : (tensor<?x?x3xf32>, tensor<?x?x6xf32>, tensor<?x?x2xf32>) -> (tensor<?x?x3xf32>, tensor<?x?x2xf32>, tensor<?x?x?xf32>)
    blocks.output %s "states" : tensor<?x?x3xf32>
    blocks.output %q "glimpses" : tensor<?x?x2xf32>
    blocks.output %w "weights" : tensor<?x?x?xf32>
  }
  // One step from its two halves.
  blocks.graph @gru_pieces(%x: tensor<?x3xf32> {blocks.source = "inputs"}, %g: tensor<?x6xf32> {blocks.source = "gate_inputs"}, %a: tensor<?x?x2xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}) {
    %s0, %g0, %w0 = blocks.apply @gru::@initial_states(%x, %a) : (tensor<?x3xf32>, tensor<?x?x2xf32>) -> (tensor<?x3xf32>, tensor<?x2xf32>, tensor<?x?xf32>)
    %q, %w = blocks.apply @gru::@take_glimpses(%s0, %a) : (tensor<?x3xf32>, tensor<?x?x2xf32>) -> (tensor<?x2xf32>, tensor<?x?xf32>)
    %s = blocks.apply @gru::@compute_states(%x, %g, %s0, %q) : (tensor<?x3xf32>, tensor<?x6xf32>, tensor<?x3xf32>, tensor<?x2xf32>) -> tensor<?x3xf32>
    blocks.output %s "states" : tensor<?x3xf32>
    blocks.output %q "glimpses" : tensor<?x2xf32>
    blocks.output %w "weights" : tensor<?x?xf32>
    blocks.output %g0 "before" : tensor<?x2xf32>
  }
  blocks.graph @simple_attended(%x: tensor<?x?x3xf32> {blocks.source = "inputs", blocks.axes = ["time", "batch", ""]}, %a: tensor<?x?x2xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}) {
    %s, %q, %t = blocks.apply @simple::@apply(%x, %a) : (tensor<?x?x3xf32>, tensor<?x?x2xf32>) -> (tensor<?x?x3xf32>, tensor<?x?x2xf32>, tensor<?x?xi64>)
    blocks.output %s "states" : tensor<?x?x3xf32>
    blocks.output %q "glimpses" : tensor<?x?x2xf32>
  }
  blocks.graph @plain_cost(%y: tensor<?x?xi64> {blocks.source = "outputs", blocks.axes = ["time", "batch"]}) {
    %c = blocks.apply @plain::@cost_matrix(%y) : (tensor<?x?xi64>) -> tensor<?x?xf32>
    %t = blocks.apply @plain::@cost(%y) : (tensor<?x?xi64>) -> tensor<f32>
    blocks.output %c "costs" : tensor<?x?xf32>
    blocks.output %t "cost" : tensor<f32>
  }
  blocks.graph @looking_cost(%y: tensor<?x?xi64> {blocks.source = "outputs", blocks.axes = ["time", "batch"]}, %a: tensor<?x?x2xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}) {
    %c = blocks.apply @looking::@cost_matrix(%y, %a) : (tensor<?x?xi64>, tensor<?x?x2xf32>) -> tensor<?x?xf32>
    blocks.output %c "costs" : tensor<?x?xf32>
  }
  blocks.graph @looking_masked(%y: tensor<?x?xi64> {blocks.source = "outputs", blocks.axes = ["time", "batch"]}, %a: tensor<?x?x2xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}, %m: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}, %n: tensor<?x?xf32> {blocks.source = "attended_mask", blocks.axes = ["positions", "batch"]}) {
    %c = blocks.apply @looking::@cost_matrix(%y, %a, %m, %n) : (tensor<?x?xi64>, tensor<?x?x2xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %t = blocks.apply @looking::@cost(%y, %a, %m, %n) {arguments = ["outputs", "attended", "mask", "attended_mask"]} : (tensor<?x?xi64>, tensor<?x?x2xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<f32>
    blocks.output %c "costs" : tensor<?x?xf32>
    blocks.output %t "cost" : tensor<f32>
  }
  // Two steps of a search: the costs of all first outputs, and of all second ones.
  blocks.graph @looking_search(%y: tensor<?xi64> {blocks.source = "outputs"}, %a: tensor<?x?x2xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}) {
    %c, %s, %g, %w, %p = blocks.apply @looking::@search_start(%a) : (tensor<?x?x2xf32>) -> (tensor<?x5xf32>, tensor<?x3xf32>, tensor<?x2xf32>, tensor<?x?xf32>, tensor<?x?x4xf32>)
    %d, %t, %h, %v = blocks.apply @looking::@search_step(%y, %s, %g, %w, %a, %p) : (tensor<?xi64>, tensor<?x3xf32>, tensor<?x2xf32>, tensor<?x?xf32>, tensor<?x?x2xf32>, tensor<?x?x4xf32>) -> (tensor<?x5xf32>, tensor<?x3xf32>, tensor<?x2xf32>, tensor<?x?xf32>)
    blocks.output %c "first" : tensor<?x5xf32>
    blocks.output %d "second" : tensor<?x5xf32>
    blocks.output %t "states" : tensor<?x3xf32>
  }
  blocks.graph @looking_sampled(%a: tensor<?x?x2xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}) {
    %s, %y, %g, %w, %c = blocks.apply @looking::@generate(%a) {n_steps = 6} : (tensor<?x?x2xf32>) -> (tensor<6x?x3xf32>, tensor<6x?xi64>, tensor<6x?x2xf32>, tensor<6x?x?xf32>, tensor<6x?xf32>)
    blocks.output %s "states" : tensor<6x?x3xf32>
    blocks.output %y "outputs" : tensor<6x?xi64>
    blocks.output %c "costs" : tensor<6x?xf32>
  }
  blocks.graph @trivial_generated(%x: tensor<?x?xf32> {blocks.source = "like", blocks.axes = ["time", "batch"]}) {
    %b = blocks.transpose %x permutation [1, 0] : tensor<?x?xf32> to tensor<?x?xf32>
    %s, %y, %c = blocks.apply @trivial::@generate(%x, %b) {arguments = ["steps", "batch"]} : (tensor<?x?xf32>, tensor<?x?xf32>) -> (tensor<?x?x3xf32>, tensor<?x?x2xf32>, tensor<?x?xf32>)
    blocks.output %s "states" : tensor<?x?x3xf32>
    blocks.output %y "outputs" : tensor<?x?x2xf32>
    blocks.output %c "costs" : tensor<?x?xf32>
  }
  // The transition first.
  blocks.graph @later_masked(%x: tensor<?x?x3xf32> {blocks.source = "inputs", blocks.axes = ["time", "batch", ""]}, %g: tensor<?x?x6xf32> {blocks.source = "gate_inputs", blocks.axes = ["time", "batch", ""]}, %m: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}, %a: tensor<?x?x2xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}, %n: tensor<?x?xf32> {blocks.source = "attended_mask", blocks.axes = ["positions", "batch"]}) {
    %s, %q, %w = blocks.apply @later::@apply(%x, %g, %m, %a, %n) {arguments = ["inputs", "gate_inputs", "mask", "attended", "attended_mask"]} : (tensor<?x?x3xf32>, tensor<?x?x6xf32>, tensor<?x?xf32>, tensor<?x?x2xf32>, tensor<?x?xf32>) -> (tensor<?x?x3xf32>, tensor<?x?x2xf32>, tensor<?x?x?xf32>)
    blocks.output %s "states" : tensor<?x?x3xf32>
    blocks.output %q "glimpses" : tensor<?x?x2xf32>
    blocks.output %w "weights" : tensor<?x?x?xf32>
  }
  blocks.graph @second_cost(%y: tensor<?x?xi64> {blocks.source = "outputs", blocks.axes = ["time", "batch"]}, %a: tensor<?x?x2xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}) {
    %c = blocks.apply @second::@cost_matrix(%y, %a) : (tensor<?x?xi64>, tensor<?x?x2xf32>) -> tensor<?x?xf32>
    blocks.output %c "costs" : tensor<?x?xf32>
  }
  blocks.graph @second_search(%y: tensor<?xi64> {blocks.source = "outputs"}, %a: tensor<?x?x2xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}) {
    %c, %s, %g, %w, %p = blocks.apply @second::@search_start(%a) : (tensor<?x?x2xf32>) -> (tensor<?x5xf32>, tensor<?x3xf32>, tensor<?x2xf32>, tensor<?x?xf32>, tensor<?x?x4xf32>)
    %d, %t, %h, %v = blocks.apply @second::@search_step(%y, %s, %g, %w, %a, %p) : (tensor<?xi64>, tensor<?x3xf32>, tensor<?x2xf32>, tensor<?x?xf32>, tensor<?x?x2xf32>, tensor<?x?x4xf32>) -> (tensor<?x5xf32>, tensor<?x3xf32>, tensor<?x2xf32>, tensor<?x?xf32>)
    blocks.output %c "first" : tensor<?x5xf32>
    blocks.output %d "second" : tensor<?x5xf32>
    blocks.output %t "states" : tensor<?x3xf32>
  }
  blocks.graph @second_sampled(%a: tensor<?x?x2xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}) {
    %s, %y, %g, %w, %c = blocks.apply @second::@generate(%a) {n_steps = 6} : (tensor<?x?x2xf32>) -> (tensor<6x?x3xf32>, tensor<6x?xi64>, tensor<6x?x2xf32>, tensor<6x?x?xf32>, tensor<6x?xf32>)
    blocks.output %s "states" : tensor<6x?x3xf32>
    blocks.output %y "outputs" : tensor<6x?xi64>
    blocks.output %c "costs" : tensor<6x?xf32>
  }
}
