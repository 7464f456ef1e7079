// RUN: blocks-opt %s --split-input-file --verify-diagnostics --blocks-differentiate

blocks.brick @a {
  blocks.parameter @used : tensor<2xf32> roles [weight] init #blocks.constant<1.0>
  // expected-note @+1 {{/a.left is declared here}}
  blocks.parameter @left : tensor<2xf32> roles [bias] init #blocks.constant<1.0>
  blocks.parameter @statistic : tensor<2xf32> roles [batch_norm_population_mean] init #blocks.constant<1.0>
}
blocks.graph @train() attributes {variant = "train"} {
  %w = blocks.get @a::@used : tensor<2xf32>
  %l = blocks.get @a::@left : tensor<2xf32>
  %c = blocks.reduce sum %w dims [0] : tensor<2xf32> to tensor<f32>
  // expected-error @+1 {{cost "cost" does not depend on /a.left; remove what is not used}}
  blocks.output %c "cost" : tensor<f32>
}

// -----

blocks.brick @a {
  blocks.parameter @w : tensor<2xf32> roles [weight] init #blocks.constant<1.0>
}
blocks.graph @train() attributes {variant = "train"} {
  %w = blocks.get @a::@w : tensor<2xf32>
  %n = arith.constant dense<3> : tensor<2xi32>
  // expected-error @+1 {{'math.fpowi' has no gradient, but the cost depends on a parameter through it (near brick /a/root); write the operation by others}}
  %r = math.fpowi %w, %n : tensor<2xf32>, tensor<2xi32>
  %t = blocks.tag %r <"/a/root", "apply", "output", [output], "root.apply#0"> : tensor<2xf32>
  %c = blocks.reduce sum %t dims [0] : tensor<2xf32> to tensor<f32>
  blocks.output %c "cost" : tensor<f32>
}

// -----

// expected-error @+1 {{graph @train has no output "cost"}}
blocks.graph @train(%x: tensor<f32> {blocks.source = "x"}) attributes {variant = "train"} {
  // expected-note @+1 {{there is "loss"}}
  blocks.output %x "loss" : tensor<f32>
}

// -----

blocks.graph @train(%x: tensor<2xf32> {blocks.source = "x"}) attributes {variant = "train"} {
  // expected-error @+1 {{cost "cost" is 'tensor<2xf32>'; a cost is one floating-point number: reduce it first}}
  blocks.output %x "cost" : tensor<2xf32>
}

// -----

// expected-error @+1 {{there is no training graph; derive the entries first}}
module {
  blocks.graph @cost(%x: tensor<f32> {blocks.source = "x"}) {
    blocks.output %x "cost" : tensor<f32>
  }
}
