// RUN: blocks-opt %s -split-input-file -blocks-derive-entries=cost=cost -verify-diagnostics

// expected-error @+1 {{there is no cost named "cost"; did you mean 'costs'?}}
module {
  blocks.graph @g(%x: tensor<f32> {blocks.source = "x"}) {
    blocks.output %x "costs" roles [cost] : tensor<f32>
    blocks.output %x "other" : tensor<f32>
  }
}

// -----

// expected-error @+1 {{there is no cost named "cost"; there are none}}
module {
  blocks.graph @g(%x: tensor<f32> {blocks.source = "x"}) {
    blocks.output %x "other" : tensor<f32>
  }
}

// -----

blocks.graph @g(%x: tensor<f32> {blocks.source = "x"}) {
  // expected-error @+1 {{output "cost" has no role cost, so it cannot be trained on; write: roles [cost]}}
  blocks.output %x "cost" : tensor<f32>
}

// -----

blocks.graph @g(%x: tensor<f32> {blocks.source = "x"}) {
  // expected-note @+1 {{the other is here}}
  blocks.output %x "cost" roles [cost] : tensor<f32>
}
blocks.graph @h(%x: tensor<f32> {blocks.source = "x"}) {
  // expected-error @+1 {{two graphs have a cost named "cost"; rename one, so that --cost names one}}
  blocks.output %x "cost" roles [cost] : tensor<f32>
}

// -----

blocks.graph @g(%x: tensor<f32> {blocks.source = "x"}) {
  blocks.output %x "cost" roles [cost] : tensor<f32>
}
// expected-error @+1 {{@eval is the name of the derived entry; rename this}}
blocks.graph @eval(%x: tensor<f32> {blocks.source = "x"}) {
}
