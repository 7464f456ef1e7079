// RUN: %python %S/golden-steps.py %s %t
blocks.brick @m {
  blocks.parameter @a : tensor<2xf32> roles [parameter] init #blocks.constant<0.0>
}
blocks.graph @train() attributes {variant = "train"} {
  %a = blocks.get @m::@a : tensor<2xf32>
  %s = arith.mulf %a, %a : tensor<2xf32>
  %c = blocks.reduce sum %s dims [0] : tensor<2xf32> to tensor<f32>
  blocks.output %c "cost" : tensor<f32>
}
