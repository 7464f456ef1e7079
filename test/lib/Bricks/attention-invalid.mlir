// What attention and generators say when something does not fit.
// RUN: blocks-opt %s -blocks-expand-bricks -split-input-file -verify-diagnostics

// expected-error @+1 {{/g ("SequenceGenerator") has a readout with the unknown source "state"; there are 'states', 'feedback'}}
blocks.brick @g = "SequenceGenerator" {
  readout = {kind = "Readout", source_names = ["state"], readout_dim = 3},
  transition = {kind = "GatedRecurrent", dim = 2}}

// -----

// A clash of two names.
// expected-error @+1 {{/g ("SequenceGenerator") has a state, glimpse or context called 'outputs', which is also the name of another one or of the generator's own}}
blocks.brick @g = "SequenceGenerator" {
  readout = {kind = "Readout", source_names = ["states"], readout_dim = 3},
  transition = {kind = "GatedRecurrent", dim = 2},
  attention = {kind = "SequenceContentAttention", match_dim = 2, attended_dim = 2}, attended_name = "outputs"}

// -----

// expected-error @+1 {{has two values called 'states' among sequences, states, contexts and glimpses}}
blocks.brick @r = "AttentionRecurrent" {
  transition = {kind = "GatedRecurrent", dim = 2}, attended_name = "states",
  attention = {kind = "SequenceContentAttention", match_dim = 2, attended_dim = 2}}

// -----

// expected-error @+1 {{has a Softmax as its emitter, which has no application 'emit'}}
blocks.brick @r = "Readout" {source_names = ["states"], source_dims = [2], readout_dim = 3, emitter = "Softmax"}

// -----

// expected-error @+1 {{has an attention that reads the state "cells", which its transition does not have}}
blocks.brick @r = "AttentionRecurrent" {
  transition = {kind = "GatedRecurrent", dim = 2},
  attention = {kind = "SequenceContentAttention", match_dim = 2, attended_dim = 2, state_names = ["cells"]}}

// -----

// expected-error @+1 {{has a Linear as its transition, which does not step over sequences}}
blocks.brick @r = "AttentionRecurrent" {transition = {kind = "Linear", input_dim = 2, output_dim = 2}, attention = "SimpleSequenceAttention"}

// -----

// expected-note @+1 {{declared here}}
blocks.brick @look = "SequenceContentAttention" {match_dim = 3, attended_dim = 2, state_names = ["states"], state_dims = [2]}
blocks.graph @mask_length(%a: tensor<7x?x2xf32> {blocks.source = "a"}, %s: tensor<?x2xf32> {blocks.source = "s"}, %m: tensor<6x?xf32> {blocks.source = "m"}) {
  // expected-error @+1 {{/look attends to a sequence of type 'tensor<7x?x2xf32>', whose mask must be (time, batch) of 'f32', found 'tensor<6x?xf32>'}}
  %g, %w = blocks.apply @look::@take_glimpses(%a, %s, %m) {arguments = ["attended", "states", "attended_mask"]} : (tensor<7x?x2xf32>, tensor<?x2xf32>, tensor<6x?xf32>) -> (tensor<?x2xf32>, tensor<?x7xf32>)
}

// -----

// expected-note @+1 {{declared here}}
blocks.brick @g = "SequenceGenerator" {
  readout = {kind = "Readout", source_names = ["states", "feedback"], readout_dim = 3, emitter = "SoftmaxEmitter", feedback_brick = {kind = "LookupFeedback", feedback_dim = 2}},
  transition = {kind = "GatedRecurrent", dim = 2}}
blocks.graph @mask_length(%y: tensor<7x?xi64> {blocks.source = "y"}, %m: tensor<6x?xf32> {blocks.source = "m"}) {
  // expected-error @+1 {{/g takes a mask of shape (time, batch) for outputs of type 'tensor<7x?xi64>', found 'tensor<6x?xf32>'}}
  %c = blocks.apply @g::@cost(%y, %m) : (tensor<7x?xi64>, tensor<6x?xf32>) -> tensor<f32>
}

// -----

// expected-note @+1 {{declared here}}
blocks.brick @g = "SequenceGenerator" {
  readout = {kind = "Readout", source_names = ["states"], readout_dim = 3, emitter = "SoftmaxEmitter", feedback_brick = {kind = "LookupFeedback", feedback_dim = 2}},
  transition = {kind = "GatedRecurrent", dim = 2}}
blocks.graph @no_steps() {
  // expected-error @+1 {{/g needs the option n_steps, a positive number, or the argument 'steps', a tensor whose axis 0 has that extent}}
  %s, %y, %c = blocks.apply @g::@generate() {batch_size = 2} : () -> (tensor<?x2x2xf32>, tensor<?x2xi64>, tensor<?x2xf32>)
}

// -----

// expected-error @+1 {{/g ("SequenceGenerator") has 2 context_names, but 1 context_dims}}
blocks.brick @g = "SequenceGenerator" {
  readout = {kind = "Readout", source_names = ["states"], readout_dim = 3}, transition = {kind = "GatedRecurrent", dim = 2},
  context_names = ["a", "b"], context_dims = [2]}

// -----

// expected-error @+1 {{/g ("SequenceGenerator") has a state, glimpse or context called 'states', which is also the name of another one}}
blocks.brick @g = "SequenceGenerator" {
  readout = {kind = "Readout", source_names = ["states"], readout_dim = 3}, transition = {kind = "GatedRecurrent", dim = 2},
  context_names = ["states"], context_dims = [2]}

// -----

// A context is not a sequence.
// expected-note @+1 {{declared here}}
blocks.brick @g = "SequenceGenerator" {
  readout = {kind = "Readout", source_names = ["states", "a"], readout_dim = 3}, transition = {kind = "GatedRecurrent", dim = 2},
  context_names = ["a"], context_dims = [2]}
blocks.graph @cost(%y: tensor<?x?x3xf32> {blocks.source = "y"}, %a: tensor<?x?x2xf32> {blocks.source = "a"}) {
  // expected-error @+1 {{/g takes 'a' of shape (batch, 2), found ?x?x2}}
  %c = blocks.apply @g::@cost(%y, %a) : (tensor<?x?x3xf32>, tensor<?x?x2xf32>) -> tensor<f32>
}

// -----

// expected-error @+1 {{has cost = "absolute", expected "none" or "squared_error"}}
blocks.brick @e = "TrivialEmitter" {readout_dim = 2, cost = "absolute"}

// -----

// expected-note @+1 {{declared here}}
blocks.brick @e = "TrivialEmitter" {readout_dim = 2, cost = "squared_error"}
blocks.graph @cost(%r: tensor<?x2xf32> {blocks.source = "r"}, %y: tensor<?x3xf32> {blocks.source = "y"}) {
  // expected-error @+1 {{/e compares readouts of type 'tensor<?x2xf32>' with outputs of type 'tensor<?x3xf32>'; they must be equal}}
  %c = blocks.apply @e::@cost(%r, %y) : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?xf32>
}

// -----

// Without names the mask of the attended sequence is behind that of the outputs.
// expected-note @+1 {{declared here}}
blocks.brick @g = "SequenceGenerator" {
  readout = {kind = "Readout", source_names = ["states", "feedback"], readout_dim = 3, emitter = "SoftmaxEmitter", feedback_brick = {kind = "LookupFeedback", feedback_dim = 2}},
  transition = {kind = "GatedRecurrent", dim = 2}, attention = {kind = "SequenceContentAttention", match_dim = 3, attended_dim = 2}}
blocks.graph @mask_order(%y: tensor<7x?xi64> {blocks.source = "y"}, %a: tensor<5x?x2xf32> {blocks.source = "a"}, %m: tensor<7x?xf32> {blocks.source = "m"}) {
  // expected-error @+1 {{attends to a sequence of type 'tensor<5x?x2xf32>', whose mask must be (time, batch) of 'f32', found 'tensor<7x?xf32>'}}
  %c = blocks.apply @g::@cost(%y, %a, %m, %m) : (tensor<7x?xi64>, tensor<5x?x2xf32>, tensor<7x?xf32>, tensor<7x?xf32>) -> tensor<f32>
}

// -----

// expected-note @+1 {{declared here}}
blocks.brick @look = "SequenceContentAttention" {match_dim = 3, attended_dim = 2, state_names = ["states"], state_dims = [2]}
blocks.graph @prepared_rank(%a: tensor<7x?x2xf32> {blocks.source = "a"}, %s: tensor<?x2xf32> {blocks.source = "s"}, %m: tensor<7x?xf32> {blocks.source = "m"}) {
  // expected-error @+1 {{/look takes 'preprocessed_attended' of shape (time, batch, 3) and the element type of 'attended', as its application 'preprocess' gives it, found 'tensor<7x?xf32>'}}
  %g, %w = blocks.apply @look::@take_glimpses(%a, %s, %m) : (tensor<7x?x2xf32>, tensor<?x2xf32>, tensor<7x?xf32>) -> (tensor<?x2xf32>, tensor<?x7xf32>)
}

// -----

// expected-note @+1 {{declared here}}
blocks.brick @look = "SequenceContentAttention" {match_dim = 3, attended_dim = 2, state_names = ["states"], state_dims = [2]}
blocks.graph @prepared_features(%a: tensor<7x?x2xf32> {blocks.source = "a"}, %s: tensor<?x2xf32> {blocks.source = "s"}) {
  // expected-error @+1 {{takes 'preprocessed_attended' of shape (time, batch, 3)}}
  %g, %w = blocks.apply @look::@take_glimpses(%a, %s, %a) : (tensor<7x?x2xf32>, tensor<?x2xf32>, tensor<7x?x2xf32>) -> (tensor<?x2xf32>, tensor<?x7xf32>)
}

// -----

// One energy for each position: three would be taken for three times as many positions.
// expected-note @+1 {{declared here}}
blocks.brick @look = "SequenceContentAttention" {match_dim = 3, attended_dim = 2, state_names = ["states"], state_dims = [2], energy_computer = "Tanh"}
blocks.graph @g(%a: tensor<?x?x2xf32> {blocks.source = "a"}, %s: tensor<?x2xf32> {blocks.source = "s"}) {
  // expected-error @+1 {{/look needs from its energy_computer a tensor of shape (batch, time, 1), one energy for each position, found 'tensor<?x?x3xf32>'}}
  %g, %w = blocks.apply @look::@take_glimpses(%a, %s) : (tensor<?x?x2xf32>, tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?x?xf32>)
}

// -----

// expected-note @+1 {{declared here}}
blocks.brick @look = "SequenceContentAttention" {match_dim = 3, attended_dim = 2, state_names = ["states"], state_dims = [2], attended_transformer = "Flattener"}
blocks.graph @g(%a: tensor<?x?x2xf32> {blocks.source = "a"}, %s: tensor<?x2xf32> {blocks.source = "s"}) {
  // expected-error @+1 {{/look needs from its attended_transformer a tensor of shape (time, batch, match_dim), found 'tensor<?x?xf32>'}}
  %g, %w = blocks.apply @look::@take_glimpses(%a, %s) : (tensor<?x?x2xf32>, tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?x?xf32>)
}

// -----

// expected-error @+1 {{has input_dim = 7 : i64 in fork, but needs 3 : i64 there; leave it out}}
blocks.brick @g = "SequenceGenerator" {
  readout = {kind = "Readout", source_names = ["states"], readout_dim = 3}, transition = {kind = "GatedRecurrent", dim = 2}, fork = {input_dim = 7}}

// -----

// Each class needs a row of the feedback's table, the first output too.
// expected-error @+1 {{brick /r ("Readout") has a feedback_brick for 2 outputs, but 3 classes can be emitted}}
blocks.brick @r = "Readout" {source_names = ["states"], source_dims = [2], readout_dim = 3, emitter = "SoftmaxEmitter",
  feedback_brick = {kind = "LookupFeedback", feedback_dim = 4, num_outputs = 2}}

// -----

// expected-error @+1 {{has initial_output = 3 in its emitter, expected the number of one of the 3 rows of its feedback_brick, from 0}}
blocks.brick @r = "Readout" {source_names = ["states"], source_dims = [2], readout_dim = 3,
  emitter = {kind = "SoftmaxEmitter", initial_output = 3}, feedback_brick = {kind = "LookupFeedback", feedback_dim = 4}}

// -----

// expected-error @+1 {{has readout_dim = 3, but its emitter 4 : i64; leave out the second}}
blocks.brick @r = "Readout" {source_names = ["states"], source_dims = [2], readout_dim = 3, emitter = {kind = "SoftmaxEmitter", readout_dim = 4}}

// -----

// expected-note @+1 {{declared here}}
blocks.brick @r = "Readout" {source_names = ["states"], source_dims = [2], readout_dim = 3, post_merge = {kind = "Linear", input_dim = 3, output_dim = 7}}
blocks.graph @g(%s: tensor<?x2xf32> {blocks.source = "s"}) {
  // expected-error @+1 {{/r has readout_dim = 3, but its post_merge makes 'tensor<?x7xf32>'}}
  %y = blocks.apply @r::@readout(%s) : (tensor<?x2xf32>) -> tensor<?x7xf32>
}
