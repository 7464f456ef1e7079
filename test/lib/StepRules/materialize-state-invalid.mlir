// RUN: blocks-opt %s --split-input-file --verify-diagnostics --blocks-materialize-state

blocks.brick @a {
  blocks.parameter @w : tensor<f32> roles [weight] init #blocks.constant<1.0>
  blocks.application @apply(%x: tensor<f32>) -> tensor<f32> {
    blocks.return %x : tensor<f32>
  }
}
blocks.graph @g(%x: tensor<f32> {blocks.source = "x"}) {
  // expected-error @+1 {{is still in graph @g; run blocks-inline-applications first}}
  %y = blocks.apply @a::@apply(%x) : (tensor<f32>) -> tensor<f32>
  blocks.output %y "y" : tensor<f32>
}

// -----

blocks.brick @a {
  blocks.parameter @w : tensor<f32> roles [weight] init #blocks.constant<1.0>
}
blocks.graph @g(%x: tensor<f32> {blocks.source = "x"}) {
  // expected-error @+1 {{is still in graph @g; run blocks-step-rules first}}
  blocks.step @a::@w, %x : tensor<f32>
}

// -----

blocks.brick @a {
  blocks.parameter @w : tensor<f32> roles [weight] init #blocks.constant<1.0>
}
blocks.graph @step_c2(%x: tensor<f32> {blocks.source = "x"}) {
  // expected-note @+1 {{the first is here}}
  blocks.step @a::@w, %x : tensor<f32>
  // expected-error @+1 {{C2: /a.w has two steps in one graph}}
  blocks.step @a::@w, %x : tensor<f32>
}

// -----

blocks.brick @a {
  // expected-note @+1 {{declared here}}
  blocks.parameter @w : tensor<f32> roles [weight] init #blocks.constant<1.0>
}
blocks.graph @step_c1(%x: tensor<2xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{uses /a.w as 'tensor<2xf32>', but it is 'tensor<f32>'}}
  blocks.step @a::@w, %x : tensor<2xf32>
}
