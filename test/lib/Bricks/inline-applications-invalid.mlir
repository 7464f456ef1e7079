// RUN: blocks-opt %s -split-input-file -blocks-inline-applications -verify-diagnostics

blocks.brick @linear = "Linear" {input_dim = 4, output_dim = 4}
blocks.graph @g(%x: tensor<?x4xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{there is no application @linear::@apply to inline; run blocks-expand-bricks first}}
  %0 = blocks.apply @linear::@apply(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  blocks.output %0 "y" : tensor<?x4xf32>
}

// -----

blocks.brick @a {
  blocks.application @apply(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
    // expected-error @+1 {{/a.apply applies itself}}
    %0 = blocks.apply @a::@apply(%x) : (tensor<?x2xf32>) -> tensor<?x2xf32>
    blocks.return %0 : tensor<?x2xf32>
  }
}
blocks.graph @g(%x: tensor<?x2xf32> {blocks.source = "x"}) {
  %0 = blocks.apply @a::@apply(%x) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  blocks.output %0 "y" : tensor<?x2xf32>
}
