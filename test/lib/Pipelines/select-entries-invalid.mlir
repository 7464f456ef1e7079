// RUN: blocks-opt %s --blocks-select-entries=entries=a,d -verify-diagnostics

// expected-error @+1 {{the model has no graph 'd'; it has a, b}}
module {
  blocks.graph @a(%x: tensor<2xf32> {blocks.source = "x"}) {
    blocks.output %x "y" : tensor<2xf32>
  }
  blocks.graph @b(%x: tensor<2xf32> {blocks.source = "x"}) {
    blocks.output %x "y" : tensor<2xf32>
  }
}
