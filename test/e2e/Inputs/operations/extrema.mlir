// Maxima and minima over leading, middle, trailing and separate axes.
blocks.brick @p {
  blocks.parameter @w : tensor<5xf32> roles [weight] init #blocks.isotropic_gaussian
}
blocks.graph @cost(%x: tensor<?x?x5xf32> {blocks.source = "x", blocks.axes = ["batch", "time", "feature"]},
                   %i: tensor<?x?xui8> {blocks.source = "i", blocks.axes = ["batch", "time"]}) {
  %w = blocks.get @p::@w : tensor<5xf32>
  %ws = blocks.broadcast %w like %x dims [2] : tensor<5xf32>, tensor<?x?x5xf32>
  %y = arith.mulf %x, %ws : tensor<?x?x5xf32>
  %a = blocks.reduce max %y dims [1] : tensor<?x?x5xf32> to tensor<?x5xf32>
  %b = blocks.reduce min %y dims [0, 2] : tensor<?x?x5xf32> to tensor<?xf32>
  %c = blocks.reduce max %y dims [2] : tensor<?x?x5xf32> to tensor<?x?xf32>
  %d = blocks.reduce min %y dims [0] : tensor<?x?x5xf32> to tensor<?x5xf32>
  %aa = arith.mulf %a, %a : tensor<?x5xf32>
  %bb = arith.mulf %b, %b : tensor<?xf32>
  %cc = arith.mulf %c, %c : tensor<?x?xf32>
  %dd = arith.mulf %d, %d : tensor<?x5xf32>
  %as = blocks.reduce sum %aa dims [0, 1] : tensor<?x5xf32> to tensor<f32>
  %bs = blocks.reduce sum %bb dims [0] : tensor<?xf32> to tensor<f32>
  %cs = blocks.reduce sum %cc dims [0, 1] : tensor<?x?xf32> to tensor<f32>
  %ds = blocks.reduce sum %dd dims [0, 1] : tensor<?x5xf32> to tensor<f32>
  %ab = arith.addf %as, %bs : tensor<f32>
  %abc = arith.addf %ab, %cs : tensor<f32>
  %sum = arith.addf %abc, %ds : tensor<f32>
  blocks.output %sum "cost" roles [cost] : tensor<f32>
}
