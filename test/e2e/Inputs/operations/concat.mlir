// Concatenation along a static axis, along time (with a step in front), of a
// parameter, and of the result with itself.
blocks.brick @p {
  blocks.parameter @W : tensor<5x5xf32> roles [weight] init #blocks.isotropic_gaussian
  blocks.parameter @b : tensor<5xf32> roles [bias] init #blocks.isotropic_gaussian
}
blocks.graph @cost(%x: tensor<?x?x5xf32> {blocks.source = "x", blocks.axes = ["batch", "time", "feature"]},
                   %i: tensor<?x?xui8> {blocks.source = "i", blocks.axes = ["batch", "time"]}) {
  %W = blocks.get @p::@W : tensor<5x5xf32>
  %b = blocks.get @p::@b : tensor<5xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x?x5xf32>
  %one = tensor.empty(%n) : tensor<?x1x5xf32>
  %start = blocks.broadcast %b like %one dims [2] : tensor<5xf32>, tensor<?x1x5xf32>
  %sequence = tensor.concat dim(1) %start, %x : (tensor<?x1x5xf32>, tensor<?x?x5xf32>) -> tensor<?x?x5xf32>
  %square = arith.mulf %sequence, %sequence : tensor<?x?x5xf32>
  %twice = tensor.concat dim(1) %square, %sequence, %x : (tensor<?x?x5xf32>, tensor<?x?x5xf32>, tensor<?x?x5xf32>) -> tensor<?x?x5xf32>
  %first = tensor.extract_slice %W[0, 0] [2, 5] [1, 1] : tensor<5x5xf32> to tensor<2x5xf32>
  %tall = tensor.concat dim(0) %W, %first : (tensor<5x5xf32>, tensor<2x5xf32>) -> tensor<7x5xf32>
  %c1 = arith.constant 1 : index
  %t = tensor.dim %twice, %c1 : tensor<?x?x5xf32>
  %rows = tensor.collapse_shape %twice [[0, 1], [2]] : tensor<?x?x5xf32> into tensor<?x5xf32>
  %wide = blocks.matmul %rows, %tall transposed : tensor<?x5xf32>, tensor<7x5xf32> to tensor<?x7xf32>
  %both = tensor.concat dim(1) %rows, %wide : (tensor<?x5xf32>, tensor<?x7xf32>) -> tensor<?x12xf32>
  %y = math.tanh %both : tensor<?x12xf32>
  %sum = blocks.reduce sum %y dims [0, 1] : tensor<?x12xf32> to tensor<f32>
  blocks.output %sum "cost" roles [cost] : tensor<f32>
  blocks.output %sequence "sequence" : tensor<?x?x5xf32>
}
