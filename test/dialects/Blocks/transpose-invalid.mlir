// RUN: blocks-opt %s -split-input-file -verify-diagnostics

blocks.graph @transpose_c1_count(%x: tensor<4x5xf32> {blocks.source = "x"}) {
  // expected-error @below {{C1: permutation [0] must hold each of the input's 2 axes once, counted from 0}}
  %0 = blocks.transpose %x permutation [0] : tensor<4x5xf32> to tensor<4x5xf32>
}

// -----

blocks.graph @transpose_c1_twice(%x: tensor<4x5xf32> {blocks.source = "x"}) {
  // expected-error @below {{C1: permutation [1, 1] must hold each}}
  %0 = blocks.transpose %x permutation [1, 1] : tensor<4x5xf32> to tensor<5x5xf32>
}

// -----

blocks.graph @transpose_c1_range(%x: tensor<4x5xf32> {blocks.source = "x"}) {
  // expected-error @below {{C1: permutation [-1, 2] must hold each}}
  %0 = blocks.transpose %x permutation [-1, 2] : tensor<4x5xf32> to tensor<4x5xf32>
}

// -----

blocks.graph @transpose_c2_shape(%x: tensor<4x5xf32> {blocks.source = "x"}) {
  // expected-error @below {{C2: the result is 'tensor<4x5xf32>', expected 'tensor<5x4xf32>'}}
  %0 = blocks.transpose %x permutation [1, 0] : tensor<4x5xf32> to tensor<4x5xf32>
}

// -----

blocks.graph @transpose_c2_type(%x: tensor<4x?xf32> {blocks.source = "x"}) {
  // expected-error @below {{C2: the result is 'tensor<?x4xf64>', expected 'tensor<?x4xf32>'}}
  %0 = blocks.transpose %x permutation [1, 0] : tensor<4x?xf32> to tensor<?x4xf64>
}
