// RUN: blocks-opt %s -split-input-file -verify-diagnostics -blocks-expand-bricks -blocks-inline-applications "-blocks-derive-entries=cost=cost" -blocks-batch-normalize

// Of two applications neither knows the population alone.
// expected-error @+2 {{blocks-batch-normalize: /bn.population_mean would be updated by two applications of its brick ("bn.apply#0" and "bn.apply#1") in one step; apply two bricks}}
// expected-note @+1 {{the first is here}}
blocks.brick @bn = "BatchNormalization" {input_dim = 3}
blocks.graph @cost(%x: tensor<?x3xf32> {blocks.source = "x"}) {
  %0 = blocks.apply @bn::@apply(%x) : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %1 = blocks.apply @bn::@apply(%0) : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %cost = blocks.reduce sum %1 dims [0, 1] : tensor<?x3xf32> to tensor<f32>
  blocks.output %cost "cost" roles [cost] : tensor<f32>
}
