// A setting that initializes nothing is a warning: Blocks lost it silently, as
// in its own LeNet and translation examples.
// RUN: blocks-opt %s -split-input-file -verify-diagnostics -blocks-expand-bricks

// The parts say it themselves.
// expected-warning @+1 {{brick /mlp has weights_init = #blocks.identity, which initializes nothing}}
blocks.brick @mlp = "MLP" {dims = [3, 4], activations = ["Tanh"], weights_init = #blocks.identity, prototype = {kind = "Linear", weights_init = #blocks.orthogonal}}

// -----

// expected-warning @+1 {{brick /linear has inits.W_state = #blocks.orthogonal, which initializes nothing}}
blocks.brick @linear = "Linear" {input_dim = 3, output_dim = 3, inits = {W_state = #blocks.orthogonal}}

// -----

// A layer without biases.
// expected-warning @+1 {{brick /linear has biases_init = }}
blocks.brick @linear = "Linear" {input_dim = 3, output_dim = 3, use_bias = false, biases_init = #blocks.constant<1.0>}

// -----

// expected-error @+1 {{brick /linear ("Linear") has inits = {weight = 3 : i64}, expected initializers by role or parameter's name}}
blocks.brick @linear = "Linear" {input_dim = 3, output_dim = 3, inits = {weight = 3}}
