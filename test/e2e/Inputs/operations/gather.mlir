// A table that is read by number twice, with duplicates; rows of one element;
// a table of data whose number of rows is dynamic.
blocks.brick @p {
  blocks.parameter @W : tensor<7x5xf32> roles [weight] init #blocks.isotropic_gaussian
  blocks.parameter @v : tensor<7xf32> roles [weight] init #blocks.isotropic_gaussian
}
blocks.graph @cost(%x: tensor<?x?x5xf32> {blocks.source = "x", blocks.axes = ["batch", "time", "feature"]},
                   %i: tensor<?x?xui8> {blocks.source = "i", blocks.axes = ["batch", "time"]}) {
  %W = blocks.get @p::@W : tensor<7x5xf32>
  %v = blocks.get @p::@v : tensor<7xf32>
  %rows = blocks.gather %W, %i {brick = "/p"} : tensor<7x5xf32>, tensor<?x?xui8> to tensor<?x?x5xf32>
  %scales = blocks.gather %v, %i : tensor<7xf32>, tensor<?x?xui8> to tensor<?x?xf32>
  %wide = blocks.broadcast %scales like %rows dims [0, 1] : tensor<?x?xf32>, tensor<?x?x5xf32>
  %d = arith.subf %x, %rows : tensor<?x?x5xf32>
  %s = arith.mulf %d, %wide : tensor<?x?x5xf32>
  %q = arith.mulf %s, %s : tensor<?x?x5xf32>
  %sum = blocks.reduce sum %q dims [0, 1, 2] : tensor<?x?x5xf32> to tensor<f32>
  blocks.output %sum "cost" roles [cost] : tensor<f32>
  blocks.output %rows "rows" : tensor<?x?x5xf32>
}
blocks.graph @reversed(%x: tensor<?x?x5xf32> {blocks.source = "x", blocks.axes = ["batch", "time", "feature"]},
                       %i: tensor<?x?xui8> {blocks.source = "i", blocks.axes = ["batch", "time"]}) {
  %r = blocks.gather %x, %i : tensor<?x?x5xf32>, tensor<?x?xui8> to tensor<?x?x?x5xf32>
  %t = math.tanh %r : tensor<?x?x?x5xf32>
  %m = blocks.reduce sum %t dims [2, 3] : tensor<?x?x?x5xf32> to tensor<?x?xf32>
  blocks.output %m "sums" : tensor<?x?xf32>
}
