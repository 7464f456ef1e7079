// RUN: blocks-opt %s --split-input-file --verify-diagnostics

// One matrix is no stack.
blocks.graph @batch_matmul_c1_rank(%a: tensor<4x3xf32> {blocks.source = "a"}) {
  // expected-error @+1 {{C1: needs two stacks of matrices with equal leading extents, found 4x3 and 4x3}}
  %0 = blocks.batch_matmul %a, %a transposed : tensor<4x3xf32>, tensor<4x3xf32> to tensor<4x4xf32>
}

// -----

blocks.graph @batch_matmul_c1_leading(%a: tensor<2x4x3xf32> {blocks.source = "a"}, %b: tensor<5x3x4xf32> {blocks.source = "b"}) {
  // expected-error @+1 {{C1: needs two stacks of matrices with equal leading extents, found 2x4x3 and 5x3x4}}
  %0 = blocks.batch_matmul %a, %b : tensor<2x4x3xf32>, tensor<5x3x4xf32> to tensor<2x4x4xf32>
}

// -----

blocks.graph @batch_matmul_c2(%a: tensor<2x4x3xf32> {blocks.source = "a"}) {
  // expected-error @+1 {{C2: cannot multiply 2x4x3 by 2x4x3: the contracted extents are 3 and 4}}
  %0 = blocks.batch_matmul %a, %a : tensor<2x4x3xf32>, tensor<2x4x3xf32> to tensor<2x4x3xf32>
}

// -----

blocks.graph @batch_matmul_c3(%a: tensor<2x4x3xf32> {blocks.source = "a"}) {
  // expected-error @+1 {{C3: the result cannot be 'tensor<2x4x3xf32>'}}
  %0 = blocks.batch_matmul %a, %a transposed : tensor<2x4x3xf32>, tensor<2x4x3xf32> to tensor<2x4x3xf32>
}
