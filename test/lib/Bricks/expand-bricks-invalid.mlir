// Mistakes in configurations and calls are found when the model is read, before
// anything is expanded.
// RUN: blocks-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{brick /mlp ("MLP") has no setting 'dim'; did you mean 'dims'?}}
blocks.brick @mlp = "MLP" {dim = [784, 500, 10], activations = ["Rectifier", "Identity"]}

// -----

// expected-error @+1 {{brick /linear ("Linear") needs the setting 'input_dim', a positive integer}}
blocks.brick @linear = "Linear" {output_dim = 10}

// -----

// expected-error @+1 {{brick /linear ("Linear") has input_dim = -3}}
blocks.brick @linear = "Linear" {input_dim = -3, output_dim = 10}

// -----

// expected-error @+1 {{brick /mlp ("MLP") has 2 dims and 2 activations, expected one activation for each layer and one dimension more: 3 dims}}
blocks.brick @mlp = "MLP" {dims = [784, 10], activations = ["Rectifier", "Identity"]}

// -----

// The near names of a kind.
// expected-error @+1 {{brick /mlp/rectifer_0 has the unknown kind "Rectifer"; did you mean 'Rectifier'?}}
blocks.brick @mlp = "MLP" {dims = [784, 10], activations = ["Rectifer"]}

// -----

// Two children of one name would share a parameter's path.
// expected-error @+2 {{brick /sequence ("Sequence") has two children named 'linear': their parameters, such as /sequence/linear.W, would share a path}}
// expected-note @+1 {{the first is here}}
blocks.brick @sequence = "Sequence" {application_methods = [
  {kind = "Linear", input_dim = 2, output_dim = 2}, {kind = "Linear", input_dim = 2, output_dim = 2}]}

// -----

// Dimensions that do not fit: path, axis, both extents, both places.
// expected-note @+1 {{brick /mlp/linear_0 ("Linear") is declared here}}
blocks.brick @mlp = "MLP" {dims = [784, 10], activations = ["Tanh"]}
blocks.graph @g(%x: tensor<?x400xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{/mlp/linear_0 expects 784 features on axis 1, found 400: its input has shape ?x400}}
  %y = blocks.apply @mlp::@apply(%x) : (tensor<?x400xf32>) -> tensor<?x10xf32>
}

// -----

// expected-note @+1 {{brick /sequence/second ("Linear") is declared here}}
blocks.brick @sequence = "Sequence" {application_methods = [
  {kind = "Linear", name = "first", input_dim = 2, output_dim = 3}, {kind = "Linear", name = "second", input_dim = 4, output_dim = 5}]}
blocks.graph @g(%x: tensor<?x2xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{/sequence/second expects 4 features on axis 1, found 3: its input (the output of /sequence/first) has shape ?x3}}
  %y = blocks.apply @sequence::@apply(%x) : (tensor<?x2xf32>) -> tensor<?x5xf32>
}

// -----

blocks.brick @linear = "Linear" {input_dim = 4, output_dim = 3}
blocks.graph @g(%x: tensor<?x4xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{is written with the results ('tensor<?x10xf32>'), but /linear yields ('tensor<?x3xf32>') for these arguments}}
  %y = blocks.apply @linear::@apply(%x) : (tensor<?x4xf32>) -> tensor<?x10xf32>
}

// -----

// expected-note @+1 {{brick /softmax is here}}
blocks.brick @softmax = "Softmax" {}
blocks.graph @g(%x: tensor<?x4xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{brick /softmax has no application 'log_probability'; did you mean 'log_probabilities'?}}
  %y = blocks.apply @softmax::@log_probability(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
}

// -----

// expected-note @+1 {{brick /linear ("Linear") is declared here}}
blocks.brick @linear = "Linear" {input_dim = 4, output_dim = 3}
blocks.graph @g(%x: tensor<?x4xui8> {blocks.source = "x"}) {
  // expected-error @+1 {{/linear works on f32 or f64, found an input of type 'tensor<?x4xui8>'; convert it with blocks.cast before the brick}}
  %y = blocks.apply @linear::@apply(%x) : (tensor<?x4xui8>) -> tensor<?x3xf32>
}

// -----

// expected-note @+1 {{is declared here}}
blocks.brick @softmax = "Softmax" {}
blocks.graph @g(%x: tensor<?x4xf32> {blocks.source = "x"}, %y: tensor<?x2xui8> {blocks.source = "y"}) {
  // expected-error @+1 {{/softmax takes integer labels of shape ?, or the same with a last axis of 1, or a distribution of type 'tensor<?x4xf32>'; found 'tensor<?x2xui8>'}}
  %c = blocks.apply @softmax::@categorical_cross_entropy(%y, %x) : (tensor<?x2xui8>, tensor<?x4xf32>) -> tensor<?xf32>
}

// -----

// expected-note @+1 {{is declared here}}
blocks.brick @softmax = "Softmax" {}
blocks.graph @g(%x: tensor<?x4xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{/softmax takes 2 arguments (y, x) in its application 'categorical_cross_entropy', found 1}}
  %c = blocks.apply @softmax::@categorical_cross_entropy(%x) : (tensor<?x4xf32>) -> tensor<?xf32>
}

// -----

// Bricks that feed each other in a circle.
blocks.brick @a = "Sequence" {application_methods = [@b]}
blocks.brick @b = "Sequence" {application_methods = [@a]}
blocks.graph @g(%x: tensor<?x4xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{/a.apply applies itself}}
  %c = blocks.apply @a::@apply(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
}

// -----

// expected-error @+1 {{brick /rnn ("SimpleRecurrent") needs the setting 'activation', such as "Tanh"}}
blocks.brick @rnn = "SimpleRecurrent" {dim = 4}

// -----

// A text where an initializer is due.
// expected-error @+1 {{brick /linear ("Linear") has weights_init = "normal", expected an initializer such as #blocks.isotropic_gaussian<std = 0.01>}}
blocks.brick @linear = "Linear" {input_dim = 4, output_dim = 3, weights_init = "normal"}

// -----

// Impossible extents.
// expected-error @+1 {{brick /mlp/linear_0 ("Linear") needs a parameter W of type 'tensor<784x1000000000000000xf32>', which would take 3.14e+18 bytes, more than a machine can address; make its dimensions smaller}}
blocks.brick @mlp = "MLP" {dims = [784, 1000000000000000], activations = ["Tanh"]}

// -----

// expected-error @+1 {{brick /mlp ("MLP") has dims = [784, 0], expected a list of positive integers}}
blocks.brick @mlp = "MLP" {dims = [784, 0], activations = ["Tanh"]}

// -----

// expected-error @+1 {{brick /linear ("Linear") has dtype = i32, expected f32 or f64}}
blocks.brick @linear = "Linear" {input_dim = 2, output_dim = 2, dtype = i32}

// -----

// expected-note @+1 {{brick /bias ("Bias") is declared here}}
blocks.brick @bias = "Bias" {dim = 4}
blocks.graph @g(%x: tensor<?x4xf64> {blocks.source = "x"}) {
  // expected-error @+1 {{/bias has parameters of 'f32', but its input is 'f64'; convert it with blocks.cast, or give the brick the setting dtype = 'f64'}}
  %y = blocks.apply @bias::@apply(%x) : (tensor<?x4xf64>) -> tensor<?x4xf64>
}

// -----

// What only goes on to children is checked where it stands.
// expected-error @+1 {{brick /mlp ("MLP") has inits = 3 : i64, expected initializers by role or parameter's name}}
blocks.brick @mlp = "MLP" {dims = [2, 2], activations = ["Tanh"], inits = 3}

// -----

// expected-error @+1 {{brick /tanh ("Tanh") has dtype = "f32", expected f32 or f64}}
blocks.brick @tanh = "Tanh" {dtype = "f32"}
