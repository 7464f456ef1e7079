// What bricks refuse: settings, types, extents, by name.
// RUN: blocks-opt %s -split-input-file -verify-diagnostics

// expected-note @+1 {{brick /table ("LookupTable") is declared here}}
blocks.brick @table = "LookupTable" {length = 7, dim = 3}
blocks.graph @lookup_of_floats(%x: tensor<?xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{/table takes integers, the numbers of rows, found an input of type 'tensor<?xf32>'; convert it with blocks.cast before the brick}}
  %0 = blocks.apply @table::@apply(%x) : (tensor<?xf32>) -> tensor<?x3xf32>
}

// -----

// expected-note @+1 {{is declared here}}
blocks.brick @maxout = "Maxout" {num_pieces = 4}
blocks.graph @uneven(%x: tensor<?x6xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{/maxout takes the largest of each 4 features, so their number must be a multiple of it; its input has shape ?x6}}
  %0 = blocks.apply @maxout::@apply(%x) : (tensor<?x6xf32>) -> tensor<?x1xf32>
}

// -----

// expected-error @+1 {{brick /fork ("Fork") has 1 output_dims for the 2 output_names}}
blocks.brick @fork = "Fork" {output_names = ["a", "b"], input_dim = 3, output_dims = [2]}

// -----

// Two children of one name would share their parameters' paths.
// expected-error @+1 {{brick /fork ("Fork") has output_names = ["a", "a"], expected a list of different names}}
blocks.brick @fork = "Fork" {output_names = ["a", "a"], input_dim = 3, output_dims = [2, 2]}

// -----

// expected-note @+1 {{is declared here}}
blocks.brick @merge = "Merge" {input_names = ["a", "b"], input_dims = [2, 3], output_dim = 4}
blocks.graph @missing(%x: tensor<?x2xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{/merge takes 2 arguments (a, b) in its application 'apply', found 1}}
  %0 = blocks.apply @merge::@apply(%x) : (tensor<?x2xf32>) -> tensor<?x4xf32>
}

// -----

// expected-note @+1 {{is declared here}}
blocks.brick @distribute = "Distribute" {target_names = ["a"], source_name = "s", target_dims = [2], source_dim = 3}
blocks.graph @unequal(%s: tensor<?x3xf32> {blocks.source = "s"}, %a: tensor<?x5xf32> {blocks.source = "a"}) {
  // expected-error @+1 {{/distribute adds a source of type 'tensor<?x2xf32>' to one of type 'tensor<?x5xf32>'; they must be equal}}
  %0 = blocks.apply @distribute::@apply(%s, %a) : (tensor<?x3xf32>, tensor<?x5xf32>) -> tensor<?x5xf32>
}

// -----

// expected-error @+1 {{brick /order ("FixedPermutation") has order = [0, 2], expected a list with each feature's number once, counted from 0}}
blocks.brick @order = "FixedPermutation" {order = [0, 2]}

// -----

// The axes are explicit, never guessed.
// expected-note @+1 {{is declared here}}
blocks.brick @softmax = "NDimensionalSoftmax" {extra_ndim = 1}
blocks.graph @axes(%x: tensor<?x6xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{/softmax has extra_ndim = 1, so it takes 3 axes, found shape ?x6}}
  %0 = blocks.apply @softmax::@apply(%x) : (tensor<?x6xf32>) -> tensor<?x6xf32>
}

// -----

// expected-note @+1 {{is declared here}}
blocks.brick @bn = "BatchNormalization" {input_dim = [3, 4]}
blocks.graph @rank(%x: tensor<?x3xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{/bn needs an input of at least 3 axes, found shape ?x3}}
  %0 = blocks.apply @bn::@apply(%x) : (tensor<?x3xf32>) -> tensor<?x3xf32>
}

// -----

// expected-error @+1 {{brick /bn ("SpatialBatchNormalization") has input_dim = 3 : i64, expected a list of at least two: channels, and the extents of an image}}
blocks.brick @bn = "SpatialBatchNormalization" {input_dim = 3}

// -----

// expected-error @+1 {{brick /bn ("BatchNormalization") has epsilon = 0.000000e+00 : f64, expected a positive number}}
blocks.brick @bn = "BatchNormalization" {input_dim = 3, epsilon = 0.0}

// -----

// Blocks' BatchNormalizedMLP did not support a layer without activation, either.
// expected-error @+1 {{expected an activation for each layer; "Identity" if there is none}}
blocks.brick @mlp = "BatchNormalizedMLP" {dims = [3, 4], activations = [unit]}

// -----

// expected-error @+1 {{has top_k = 0 : i64, expected a positive integer}}
blocks.brick @errors = "MisclassificationRate" {top_k = 0}

// -----

// expected-note @+1 {{declared here}}
blocks.brick @errors = "MisclassificationRate" {top_k = 7}
blocks.graph @rate(%y: tensor<?xi32> {blocks.source = "y"}, %x: tensor<?x6xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{/errors looks for labels among the 7 largest scores of a row, which has 6; choose a top_k of at most 6}}
  %e = blocks.apply @errors::@apply(%y, %x) : (tensor<?xi32>, tensor<?x6xf32>) -> tensor<f32>
}

// -----

// Truth is no number.
// expected-error @+1 {{has leak = true, expected a finite number}}
blocks.brick @leaky = "LeakyRectifier" {leak = true}

// -----

// expected-error @+1 {{has leak = 0x7F800000 : f32, expected a finite number}}
blocks.brick @leaky = "LeakyRectifier" {leak = 0x7F800000 : f32}

// -----

// expected-error @+1 {{brick /linear ("LinearMaxout") needs 400000000000000000 times 4 features between its parts, more than a machine can address}}
blocks.brick @linear = "LinearMaxout" {input_dim = 3, output_dim = 400000000000000000, num_pieces = 4}

// -----

// Four times this would be 0.
// expected-error @+1 {{has dim = 4611686018427387904 : i64, expected a smaller number; no machine can address so much}}
blocks.brick @lstm = "LSTM" {dim = 4611686018427387904}

// -----

// expected-error @+1 {{has input_dim = 9 : i64 in prototype, but needs 3 : i64 there; leave it out}}
blocks.brick @fork = "Fork" {output_names = ["a"], input_dim = 3, output_dims = [2], prototype = {kind = "Linear", input_dim = 9}}

// -----

// expected-error @+1 {{brick /parallel ("Parallel") has a child with the name "a.b_x"; names are parts of paths}}
blocks.brick @parallel = "Parallel" {input_names = ["x"], input_dims = [2], output_dims = [2], child_prefix = "a.b"}

// -----

// Filters' centres would be a constant of 12 GB.
// expected-error @+1 {{has N = 3000000000 : i64, expected at most 32768}}
blocks.brick @read = "AttentionReader" {x_dim = 16, dec_dim = 3, channels = 1, height = 4, width = 4, N = 3000000000}

// -----

// expected-error @+1 {{has x_dim = 7 : i64, expected channels times height times width, which is 16; or leave it out}}
blocks.brick @read = "AttentionReader" {x_dim = 7, dec_dim = 3, channels = 1, height = 4, width = 4, N = 2}

// -----

// expected-error @+1 {{has readout_dim = 0 : i64, expected a positive integer}}
blocks.brick @emit = "SoftmaxEmitter" {readout_dim = 0}
