// RUN: blocks-opt %s --split-input-file --verify-diagnostics

// Blocks' LSTM met this with its peepholes: there is no orthogonal vector.
blocks.brick @b {
  // expected-error @+1 {{initializer orthogonal needs a matrix, found rank 1}}
  blocks.parameter @a : tensor<4xf32> roles [weight] init #blocks.orthogonal
}

// -----

blocks.brick @b {
  // expected-error @+1 {{initializer gates has 4 parts, which cannot share the last axis of shape [3, 6] equally}}
  blocks.parameter @a : tensor<3x6xf32> roles [weight] init #blocks.gates<[#blocks.identity, #blocks.identity, #blocks.identity, #blocks.identity]>
}

// -----

blocks.brick @b {
  // expected-error @+1 {{initializer sparse puts 7 values in each row, which has 6 elements}}
  blocks.parameter @a : tensor<3x6xf32> roles [weight] init #blocks.sparse<num_init = 7.0, weights_init = #blocks.identity>
}

// -----

// expected-error @+2 {{sparse has weights_init = 3 : i64, expected an initializer}}
blocks.brick @b {
  blocks.parameter @a : tensor<3x6xf32> roles [weight] init #blocks.sparse<num_init = 7.0, weights_init = 3>
}

// -----

blocks.brick @b {
  // expected-error @+1 {{permutation_matrix needs each number below 3 once, found [0, 0, 1]}}
  blocks.parameter @a : tensor<3x3xf32> roles [weight] init #blocks.permutation_matrix<permutation = [0, 0, 1]>
}

// -----

blocks.brick @b {
  // expected-error @+1 {{initializer permutation_matrix needs a square matrix, found shape 3, 6}}
  blocks.parameter @a : tensor<3x6xf32> roles [weight] init #blocks.permutation_matrix
}

// -----

blocks.brick @b {
  // expected-error @+1 {{sparse_nd needs axis: a list of increasing axes, counted from 0, found [1, 0]}}
  blocks.parameter @a : tensor<3x6xf32> roles [weight] init #blocks.sparse_nd<axis = [1, 0], num_init = 1.0, weights_init = #blocks.identity>
}

// -----

blocks.brick @b {
  // expected-error @+1 {{initializer constant_array has an array of shape [2, 2], which cannot be repeated to shape [3, 2]}}
  blocks.parameter @a : tensor<3x2xf32> roles [weight] init #blocks.constant_array<dense<0.0> : tensor<2x2xf64>>
}

// -----

blocks.brick @b {
  // expected-error @+1 {{initializer constant_array has element 1 = nan, expected a finite number}}
  blocks.parameter @a : tensor<2xf32> roles [weight] init #blocks.constant_array<dense<[0.0, 0x7FF8000000000000]> : tensor<2xf64>>
}

// -----

// A part of another one, too.
blocks.brick @b {
  // expected-error @+1 {{initializer isotropic_gaussian has the standard deviation -1.000000e+00, expected 0 or more}}
  blocks.parameter @a : tensor<3x6xf32> roles [weight] init #blocks.gates<[#blocks.identity, #blocks.sparse<num_init = 1, weights_init = #blocks.isotropic_gaussian<std = -1>>]>
}

// -----

blocks.brick @b {
  // expected-error @+2 {{expected a number, found "x"}}
  // expected-error @+1 {{failed to parse}}
  blocks.parameter @a : tensor<3xf32> roles [weight] init #blocks.constant<"x">
}
