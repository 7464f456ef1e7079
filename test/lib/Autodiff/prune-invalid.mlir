// RUN: blocks-opt %s --verify-diagnostics --blocks-prune=outputs=cost,eror_rate

// expected-error @+1 {{no graph has an output "eror_rate"; did you mean 'error_rate'?}}
module {
  blocks.graph @g(%x: tensor<f32> {blocks.source = "x"}) {
    blocks.output %x "cost" : tensor<f32>
    blocks.output %x "error_rate" : tensor<f32>
  }
}
