// The labels are those of TensorOps.td.
// RUN: blocks-opt %s -split-input-file -verify-diagnostics

blocks.graph @broadcast_c1(%x: tensor<?x3xf32> {blocks.source = "x"}, %b: tensor<3xf32> {blocks.source = "b"}) {
  // expected-error @+1 {{C1: dims must name one axis of the result for each of the input's 1 axes, increasing, below 2}}
  %0 = blocks.broadcast %b like %x dims [2] : tensor<3xf32>, tensor<?x3xf32>
}

// -----

blocks.graph @broadcast_c2(%x: tensor<?x3xf32> {blocks.source = "x"}, %b: tensor<4xf32> {blocks.source = "b"}) {
  // expected-error @+1 {{C2: axis 0 of 4 does not fit axis 1 of ?x3}}
  %0 = blocks.broadcast %b like %x dims [1] : tensor<4xf32>, tensor<?x3xf32>
}

// -----

blocks.graph @reduce_c1(%x: tensor<?x3xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{C1: dims must be increasing and below the rank 2}}
  %0 = blocks.reduce sum %x dims [1, 0] : tensor<?x3xf32> to tensor<f32>
}

// -----

blocks.graph @reduce_c2(%x: tensor<?x3xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{C2: reducing 'tensor<?x3xf32>' over [0] cannot give 'tensor<4xf32>'}}
  %0 = blocks.reduce sum %x dims [0] : tensor<?x3xf32> to tensor<4xf32>
}

// -----

blocks.graph @extent_c1(%x: tensor<?x3xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{C1: dims must be increasing and below the rank 2}}
  %0 = blocks.extent %x dims [2] : tensor<?x3xf32> to tensor<f32>
}

// -----

blocks.graph @matmul_c1(%x: tensor<?x3x3xf32> {blocks.source = "x"}, %w: tensor<3x2xf32> {blocks.source = "w"}) {
  // expected-error @+1 {{C1: needs two matrices, found ?x3x3 and 3x2}}
  %0 = blocks.matmul %x, %w : tensor<?x3x3xf32>, tensor<3x2xf32> to tensor<?x2xf32>
}

// -----

blocks.graph @matmul_c2(%x: tensor<?x4xf32> {blocks.source = "x"}, %w: tensor<3x2xf32> {blocks.source = "w"}) {
  // expected-error @+1 {{C2: cannot multiply ?x4 by 3x2: the contracted extents are 4 and 3}}
  %0 = blocks.matmul %x, %w : tensor<?x4xf32>, tensor<3x2xf32> to tensor<?x2xf32>
}

// -----

blocks.graph @matmul_c3(%x: tensor<?x3xf32> {blocks.source = "x"}, %w: tensor<3x2xf32> {blocks.source = "w"}) {
  // expected-error @+1 {{C3: the result cannot be 'tensor<?x5xf32>'}}
  %0 = blocks.matmul %x, %w : tensor<?x3xf32>, tensor<3x2xf32> to tensor<?x5xf32>
}

// -----

blocks.graph @cast_c1(%x: tensor<?x3xui8> {blocks.source = "x"}) {
  // expected-error @+1 {{C1: cannot turn shape ?x3 into ?x4}}
  %0 = blocks.cast %x : tensor<?x3xui8> to tensor<?x4xf32>
}

// -----

blocks.graph @softmax_c1(%x: tensor<f32> {blocks.source = "x"}) {
  // expected-error @+1 {{C1: works along the last axis; found a scalar}}
  %0 = blocks.softmax %x : tensor<f32>
}

// -----

blocks.graph @log_softmax_c1(%x: tensor<f32> {blocks.source = "x"}) {
  // expected-error @+1 {{C1: works along the last axis; found a scalar}}
  %0 = blocks.log_softmax %x : tensor<f32>
}

// -----

blocks.graph @softmax_cross_entropy_c1(%x: tensor<4x3xf32> {blocks.source = "x"}, %y: tensor<5xui8> {blocks.source = "y"}) {
  // expected-error @+1 {{C1: labels has shape 5, expected one value for each row of 4x3}}
  %0:2 = blocks.softmax_cross_entropy %x, %y : tensor<4x3xf32>, tensor<5xui8> to tensor<4xf32>, tensor<4x3xf32>
}

// -----

blocks.graph @softmax_cross_entropy_c1_distribution(%x: tensor<4x3xf32> {blocks.source = "x"}, %y: tensor<4xf32> {blocks.source = "y"}) {
  // expected-error @+1 {{C1: a distribution must have the logits' type 'tensor<4x3xf32>', found 'tensor<4xf32>'}}
  %0:2 = blocks.softmax_cross_entropy %x, %y : tensor<4x3xf32>, tensor<4xf32> to tensor<4xf32>, tensor<4x3xf32>
}

// -----

blocks.graph @softmax_cross_entropy_c2(%x: tensor<4x3xf32> {blocks.source = "x"}, %y: tensor<4xui8> {blocks.source = "y"}) {
  // expected-error @+1 {{C1: cost has shape 5, expected one value for each row of 4x3}}
  %0:2 = blocks.softmax_cross_entropy %x, %y : tensor<4x3xf32>, tensor<4xui8> to tensor<5xf32>, tensor<4x3xf32>
}

// -----

blocks.graph @softmax_cross_entropy_grad_c1(%p: tensor<4x3xf32> {blocks.source = "p"}, %y: tensor<5xui8> {blocks.source = "y"}, %g: tensor<4xf32> {blocks.source = "g"}) {
  // expected-error @+1 {{C1: labels has shape 5, expected one value for each row of 4x3}}
  %0 = blocks.softmax_cross_entropy_grad %p, %y, %g : tensor<4x3xf32>, tensor<5xui8>, tensor<4xf32>
}

// -----

blocks.graph @softmax_cross_entropy_grad_c1_distribution(%p: tensor<4x3xf32> {blocks.source = "p"}, %y: tensor<4x2xf32> {blocks.source = "y"}, %g: tensor<4xf32> {blocks.source = "g"}) {
  // expected-error @+1 {{C1: a distribution must have the logits' type 'tensor<4x3xf32>', found 'tensor<4x2xf32>'}}
  %0 = blocks.softmax_cross_entropy_grad %p, %y, %g : tensor<4x3xf32>, tensor<4x2xf32>, tensor<4xf32>
}

// -----

blocks.graph @softmax_cross_entropy_grad_c1_gradient(%p: tensor<4x3xf32> {blocks.source = "p"}, %y: tensor<4xui8> {blocks.source = "y"}, %g: tensor<4x3xf32> {blocks.source = "g"}) {
  // expected-error @+1 {{C1: gradient has shape 4x3, expected one value for each row of 4x3}}
  %0 = blocks.softmax_cross_entropy_grad %p, %y, %g : tensor<4x3xf32>, tensor<4xui8>, tensor<4x3xf32>
}

// -----

blocks.graph @pick_c1(%x: tensor<4x3xf32> {blocks.source = "x"}, %y: tensor<5xui8> {blocks.source = "y"}) {
  // expected-error @+1 {{C1: indices has shape 5, expected one value for each row of 4x3}}
  %0 = blocks.pick %x, %y : tensor<4x3xf32>, tensor<5xui8> to tensor<4xf32>
}

// -----

blocks.graph @unpick_c1(%x: tensor<4x3xf32> {blocks.source = "x"}, %y: tensor<4xui8> {blocks.source = "y"}, %v: tensor<5xf32> {blocks.source = "v"}) {
  // expected-error @+1 {{C1: input has shape 5, expected one value for each row of 4x3}}
  %0 = blocks.unpick %v, %y like %x : tensor<5xf32>, tensor<4xui8>, tensor<4x3xf32> to tensor<4x3xf32>
}

// -----

blocks.graph @argmax_c1(%x: tensor<4x3xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{C1: result has shape 3, expected one value for each row of 4x3}}
  %0 = blocks.argmax %x : tensor<4x3xf32> to tensor<3xi64>
}

// -----

blocks.graph @random_c1(%x: tensor<4x3xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{C1: the result has shape 4, expected that of `like`, 4x3}}
  %0 = blocks.random uniform like %x site 1 : tensor<4x3xf32> to tensor<4xf32>
}
