// What recurrent bricks say when a call does not fit.
// RUN: blocks-opt %s -blocks-expand-bricks -split-input-file -verify-diagnostics

// expected-note @+1 {{brick /lstm ("LSTM") is declared here}}
blocks.brick @lstm = "LSTM" {dim = 3}
blocks.graph @features(%x: tensor<?x?x4xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{/lstm takes 'inputs' of shape (time, batch, 12), found ?x?x4}}
  %h, %c = blocks.apply @lstm::@apply(%x) : (tensor<?x?x4xf32>) -> (tensor<?x?x3xf32>, tensor<?x?x3xf32>)
}

// -----

// expected-note @+1 {{declared here}}
blocks.brick @lstm = "LSTM" {dim = 3}
blocks.graph @mask_length(%x: tensor<7x?x12xf32> {blocks.source = "x"}, %m: tensor<6x?xf32> {blocks.source = "m"}) {
  // expected-error @+1 {{/lstm takes sequences of one length and batch, but 'inputs' has 7 steps and 'mask' has 6}}
  %h, %c = blocks.apply @lstm::@apply(%x, %m) : (tensor<7x?x12xf32>, tensor<6x?xf32>) -> (tensor<7x?x3xf32>, tensor<7x?x3xf32>)
}

// -----

// expected-note @+1 {{declared here}}
blocks.brick @lstm = "LSTM" {dim = 3}
blocks.graph @mask_rank(%x: tensor<7x?x12xf32> {blocks.source = "x"}, %m: tensor<7x?x1xf32> {blocks.source = "m"}) {
  // expected-error @+1 {{/lstm takes 'mask' of shape (time, batch), found 7x?x1}}
  %h, %c = blocks.apply @lstm::@apply(%x, %m) : (tensor<7x?x12xf32>, tensor<7x?x1xf32>) -> (tensor<7x?x3xf32>, tensor<7x?x3xf32>)
}

// -----

// expected-note @+1 {{declared here}}
blocks.brick @gru = "GatedRecurrent" {dim = 3}
blocks.graph @missing(%x: tensor<?x?x3xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{/gru needs the argument 'gate_inputs' in its application 'apply', which takes inputs, gate_inputs, mask (optional), states (optional)}}
  %h = blocks.apply @gru::@apply(%x) : (tensor<?x?x3xf32>) -> tensor<?x?x3xf32>
}

// -----

// expected-note @+1 {{declared here}}
blocks.brick @rnn = "SimpleRecurrent" {dim = 3, activation = "Tanh"}
blocks.graph @unknown(%x: tensor<?x?x3xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{/rnn takes no argument 'input' in its application 'apply'; did you mean 'inputs'}}
  %h = blocks.apply @rnn::@apply(%x) {arguments = ["input"]} : (tensor<?x?x3xf32>) -> tensor<?x?x3xf32>
}

// -----

blocks.brick @rnn = "SimpleRecurrent" {dim = 3, activation = "Tanh"}
blocks.graph @option(%x: tensor<?x?x3xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{/rnn.apply has no option 'reversed'; did you mean 'reverse'}}
  %h = blocks.apply @rnn::@apply(%x) {reversed} : (tensor<?x?x3xf32>) -> tensor<?x?x3xf32>
}

// -----

// expected-note @+1 {{declared here}}
blocks.brick @rnn = "SimpleRecurrent" {dim = 3, activation = "Tanh"}
blocks.graph @one_step(%x: tensor<?x3xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{/rnn needs the argument 'states' in its application 'apply'}}
  %h = blocks.apply @rnn::@apply(%x) {iterate = false} : (tensor<?x3xf32>) -> tensor<?x3xf32>
}

// -----

// expected-error @+1 {{brick /gru ("GatedRecurrent") has variant = "pytorch", expected "blocks" or "cudnn"}}
blocks.brick @gru = "GatedRecurrent" {dim = 3, variant = "pytorch"}

// -----

// expected-error @+1 {{brick /both ("Bidirectional") has the prototype "Tanh", which does not step over sequences}}
blocks.brick @both = "Bidirectional" {prototype = "Tanh"}

// -----

// expected-error @+1 {{brick /stack ("RecurrentStack") has the transition 'lstm#0' without outputs 'state'; say what goes up in states_name}}
blocks.brick @stack = "RecurrentStack" {transitions = [{kind = "LSTM", dim = 3}, {kind = "LSTM", dim = 3}], states_name = "state"}

// -----

// Neither sequences nor a number of steps.
// expected-note @+1 {{declared here}}
blocks.brick @rnn = "SimpleRecurrent" {dim = 3, activation = "Tanh"}
blocks.graph @nothing() {
  // expected-error @+1 {{/rnn needs the argument 'inputs' in its application 'apply'}}
  %h = blocks.apply @rnn::@apply() : () -> tensor<?x?x3xf32>
}

// -----

// expected-note @+1 {{declared here}}
blocks.brick @rnn = "SimpleRecurrent" {dim = 3, activation = "Tanh"}
blocks.graph @steps() {
  // expected-error @+1 {{/rnn needs the option n_steps, a positive number, or the argument 'steps', a tensor whose axis 0 has that extent}}
  %h = blocks.apply @rnn::@apply() {n_steps = 0, batch_size = 2} : () -> tensor<?x2x3xf32>
}

// -----

// expected-note @+1 {{declared here}}
blocks.brick @rnn = "SimpleRecurrent" {dim = 3, activation = "Tanh"}
blocks.graph @examples() {
  // expected-error @+1 {{/rnn needs the option batch_size, a positive number, or the argument 'batch'}}
  %h = blocks.apply @rnn::@apply() {n_steps = 4} : () -> tensor<4x?x3xf32>
}

// -----

// With a sequence the steps are its own.
// expected-note @+1 {{declared here}}
blocks.brick @rnn = "SimpleRecurrent" {dim = 3, activation = "Tanh"}
blocks.graph @both(%x: tensor<?x?x3xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{/rnn takes no argument 'inputs' in its application 'apply'}}
  %h = blocks.apply @rnn::@apply(%x) {n_steps = 4, arguments = ["inputs"]} : (tensor<?x?x3xf32>) -> tensor<4x?x3xf32>
}

// -----

// An activation keeps shapes.
// expected-note @+1 {{declared here}}
blocks.brick @lstm = "LSTM" {dim = 4, activation = {kind = "Maxout", num_pieces = 2}}
blocks.graph @halved(%x: tensor<?x?x16xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{/lstm needs an activation that keeps shapes, but /lstm/maxout makes 'tensor<?x2xf32>' of 'tensor<?x4xf32>'}}
  %h, %c = blocks.apply @lstm::@apply(%x) : (tensor<?x?x16xf32>) -> (tensor<?x?x4xf32>, tensor<?x?x4xf32>)
}

// -----

// expected-note @+1 {{declared here}}
blocks.brick @gru = "GatedRecurrent" {dim = 4, gate_activation = {kind = "Linear", input_dim = 8, output_dim = 3}}
blocks.graph @gates(%x: tensor<?x?x4xf32> {blocks.source = "x"}, %g: tensor<?x?x8xf32> {blocks.source = "g"}) {
  // expected-error @+1 {{/gru needs an activation that keeps shapes, but /gru/linear makes 'tensor<?x3xf32>' of 'tensor<?x8xf32>'}}
  %h = blocks.apply @gru::@apply(%x, %g) : (tensor<?x?x4xf32>, tensor<?x?x8xf32>) -> tensor<?x?x4xf32>
}

// -----

// expected-note @+1 {{declared here}}
blocks.brick @rnn = "SimpleRecurrent" {dim = 4, activation = {kind = "Fork", input_dim = 4, output_names = ["a", "b"], output_dims = [4, 4]}}
blocks.graph @two(%x: tensor<?x?x4xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{/rnn needs one result of /rnn/fork, which gives 2}}
  %h = blocks.apply @rnn::@apply(%x) : (tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
}

// -----

// expected-error @+1 {{has states_name = 3 : i64, expected the name of a state}}
blocks.brick @stack = "RecurrentStack" {transitions = [{kind = "SimpleRecurrent", dim = 4, activation = "Tanh"}], states_name = 3}

// -----

// What says the same, or nothing.
// expected-note @+1 {{declared here}}
blocks.brick @rnn = "SimpleRecurrent" {dim = 3, activation = "Tanh"}
blocks.graph @one(%h: tensor<?x3xf32> {blocks.source = "h"}) {
  // expected-error @+1 {{/rnn has the option reverse, which means nothing with iterate = false, one step; leave one of them out}}
  %y = blocks.apply @rnn::@apply(%h, %h) {iterate = false, reverse} : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
}

// -----

// expected-note @+1 {{declared here}}
blocks.brick @rnn = "SimpleRecurrent" {dim = 3, activation = "Tanh"}
blocks.graph @twice(%n: tensor<?xi64> {blocks.source = "n"}) {
  // expected-error @+1 {{/rnn has the option n_steps and the argument 'steps', which tell the same; leave one of them out}}
  %y = blocks.apply @rnn::@apply(%n) {n_steps = 4, batch_size = 2, arguments = ["steps"]} : (tensor<?xi64>) -> tensor<?x2x3xf32>
}

// -----

// expected-note @+1 {{declared here}}
blocks.brick @rnn = "SimpleRecurrent" {dim = 3, activation = "Tanh"}
blocks.graph @many() {
  // expected-error @+1 {{/rnn has the option n_steps = 4611686018427387904 : i64, expected at most 1099511627776}}
  %y = blocks.apply @rnn::@apply() {n_steps = 4611686018427387904, batch_size = 2} : () -> tensor<4611686018427387904x2x3xf32>
}

// -----

// expected-note @+1 {{declared here}}
blocks.brick @rnn = "SimpleRecurrent" {dim = 3, activation = "Tanh"}
blocks.graph @names(%x: tensor<?x?x3xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{/rnn has the option arguments = "inputs", expected a list of names}}
  %y = blocks.apply @rnn::@apply(%x) {arguments = "inputs"} : (tensor<?x?x3xf32>) -> tensor<?x?x3xf32>
}
