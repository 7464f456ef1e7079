// RUN: %python %S/dropout-training.py %s %t
blocks.brick @linear = "Linear" {input_dim = 2, output_dim = 1, use_bias = false, weights_init = #blocks.constant<1.0>}
blocks.graph @model() {
  %x = arith.constant dense<[[3.0, 4.0]]> : tensor<1x2xf32>
  %y = blocks.apply @linear::@apply(%x) : (tensor<1x2xf32>) -> tensor<1x1xf32>
  %s = arith.mulf %y, %y : tensor<1x1xf32>
  %c = blocks.reduce sum %s dims [0, 1] : tensor<1x1xf32> to tensor<f32>
  blocks.output %c "cost" roles [cost] : tensor<f32>
}
