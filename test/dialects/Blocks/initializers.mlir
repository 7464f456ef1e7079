// Initializers that are made of others.
// RUN: blocks-opt %s | blocks-opt | FileCheck %s

blocks.brick @b {
  // CHECK: init #blocks.orthogonal
  blocks.parameter @a : tensor<4x2xf32> roles [weight] init #blocks.orthogonal
  // CHECK: init #blocks.sparse<num_init = 2.{{0+e\+00}}, weights_init = #blocks.constant<1.{{0+e\+00}}>>
  blocks.parameter @b : tensor<4x6xf32> roles [weight] init #blocks.sparse<num_init = 2.0, weights_init = #blocks.constant<1.0>>
  // CHECK: init #blocks.sparse_nd<axis = [0, 1], num_init = 5.{{0+e-01}}, weights_init = #blocks.isotropic_gaussian, sparse_init = #blocks.constant<1.{{0+e\+00}}>>
  blocks.parameter @c : tensor<4x2x6xf32> roles [weight] init #blocks.sparse_nd<axis = [0, 1], num_init = 0.5, weights_init = #blocks.isotropic_gaussian, sparse_init = #blocks.constant<1.0>>
  // CHECK: init #blocks.permutation_matrix<permutation = [2, 0, 1]>
  blocks.parameter @d : tensor<3x3xf32> roles [weight] init #blocks.permutation_matrix<permutation = [2, 0, 1]>
  // CHECK: init #blocks.permutation_matrix
  blocks.parameter @e : tensor<3x3xf32> roles [weight] init #blocks.permutation_matrix
  // CHECK: init #blocks.gates<[#blocks.orthogonal, #blocks.identity]>
  blocks.parameter @f : tensor<3x6xf32> roles [weight] init #blocks.gates<[#blocks.orthogonal, #blocks.identity]>
  // CHECK: init #blocks.constant_array<dense<[0.{{0+e\+00}}, 1.{{0+e\+00}}]> : tensor<2xf64>>
  blocks.parameter @g : tensor<3x2xf32> roles [weight] init #blocks.constant_array<dense<[0.0, 1.0]> : tensor<2xf64>>
}
