// Attention weights under a mask that the labels give; label 0 masks. Huge
// energies at masked positions.
blocks.brick @p {
  blocks.parameter @w : tensor<5xf32> roles [weight] init #blocks.isotropic_gaussian
}
blocks.graph @cost(%x: tensor<?x?x5xf32> {blocks.source = "x", blocks.axes = ["batch", "time", "feature"]},
                   %i: tensor<?x?xui8> {blocks.source = "i", blocks.axes = ["batch", "time"]}) {
  %w = blocks.get @p::@w : tensor<5xf32>
  %ws = blocks.broadcast %w like %x dims [2] : tensor<5xf32>, tensor<?x?x5xf32>
  %terms = arith.mulf %x, %ws : tensor<?x?x5xf32>
  %e = blocks.reduce sum %terms dims [2] : tensor<?x?x5xf32> to tensor<?x?xf32>
  %m = blocks.cast %i : tensor<?x?xui8> to tensor<?x?xi1>
  %big = arith.constant dense<1.0e35> : tensor<f32>
  %none = arith.constant dense<0.0> : tensor<f32>
  %bigs = blocks.broadcast %big like %e dims [] : tensor<f32>, tensor<?x?xf32>
  %nones = blocks.broadcast %none like %e dims [] : tensor<f32>, tensor<?x?xf32>
  %extra = arith.select %m, %nones, %bigs : tensor<?x?xi1>, tensor<?x?xf32>
  %energies = arith.addf %e, %extra : tensor<?x?xf32>
  %a = blocks.softmax %energies masked %m : tensor<?x?xf32>, tensor<?x?xi1>
  %as = blocks.broadcast %a like %x dims [0, 1] : tensor<?x?xf32>, tensor<?x?x5xf32>
  %v = arith.mulf %as, %x : tensor<?x?x5xf32>
  %c = blocks.reduce sum %v dims [1] : tensor<?x?x5xf32> to tensor<?x5xf32>
  %q = arith.mulf %c, %c : tensor<?x5xf32>
  %sum = blocks.reduce sum %q dims [0, 1] : tensor<?x5xf32> to tensor<f32>
  blocks.output %sum "cost" roles [cost] : tensor<f32>
  blocks.output %a "weights" : tensor<?x?xf32>
}
