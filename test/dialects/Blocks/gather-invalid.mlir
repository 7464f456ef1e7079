// RUN: blocks-opt %s --split-input-file --verify-diagnostics

// A scalar has no rows.
blocks.graph @gather_c1(%w: tensor<f32> {blocks.source = "w"}, %i: tensor<4xi8> {blocks.source = "i"}) {
  // expected-error @+1 {{C1: needs a table with rows, found a scalar}}
  %0 = blocks.gather %w, %i : tensor<f32>, tensor<4xi8> to tensor<4xf32>
}

// -----

blocks.graph @gather_c2(%w: tensor<10x3xf32> {blocks.source = "w"}, %i: tensor<4xi8> {blocks.source = "i"}) {
  // expected-error @+1 {{C2: the result is 'tensor<4x5xf32>', expected 'tensor<4x3xf32>': the shape of the indices 4, then one row of 10x3}}
  %0 = blocks.gather %w, %i : tensor<10x3xf32>, tensor<4xi8> to tensor<4x5xf32>
}

// -----

blocks.graph @scatter_add_c1(%w: tensor<f32> {blocks.source = "w"}, %i: tensor<4xi8> {blocks.source = "i"}, %r: tensor<4xf32> {blocks.source = "r"}) {
  // expected-error @+1 {{C1: needs a table with rows, found a scalar}}
  %0 = blocks.scatter_add %r, %i like %w : tensor<4xf32>, tensor<4xi8>, tensor<f32>
}

// -----

blocks.graph @scatter_add_c2(%w: tensor<10x3xf32> {blocks.source = "w"}, %i: tensor<4xi8> {blocks.source = "i"}, %r: tensor<5x3xf32> {blocks.source = "r"}) {
  // expected-error @+1 {{C2: rows is 'tensor<5x3xf32>', expected 'tensor<4x3xf32>'}}
  %0 = blocks.scatter_add %r, %i like %w : tensor<5x3xf32>, tensor<4xi8>, tensor<10x3xf32>
}
