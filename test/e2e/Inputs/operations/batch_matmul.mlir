// Stacks of products as attention has them: queries times keys, weights times
// values; two leading axes, dynamic rows and columns, every transposition in the
// gradients.
blocks.brick @p {
  blocks.parameter @K : tensor<5x4xf32> roles [weight] init #blocks.isotropic_gaussian
  blocks.parameter @F : tensor<2x5x3xf32> roles [weight] init #blocks.isotropic_gaussian
}
blocks.graph @cost(%x: tensor<?x?x5xf32> {blocks.source = "x", blocks.axes = ["batch", "time", "feature"]},
                   %i: tensor<?x?xui8> {blocks.source = "i", blocks.axes = ["batch", "time"]}) {
  %K = blocks.get @p::@K : tensor<5x4xf32>
  %F = blocks.get @p::@F : tensor<2x5x3xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?x5xf32>
  %t = tensor.dim %x, %c1 : tensor<?x?x5xf32>
  %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x5xf32> into tensor<?x5xf32>
  %keys = blocks.matmul %flat, %K : tensor<?x5xf32>, tensor<5x4xf32> to tensor<?x4xf32>
  %k = tensor.expand_shape %keys [[0, 1], [2]] output_shape [%n, %t, 4] : tensor<?x4xf32> into tensor<?x?x4xf32>
  %e = blocks.batch_matmul %k, %k transposed : tensor<?x?x4xf32>, tensor<?x?x4xf32> to tensor<?x?x?xf32>
  %a = blocks.softmax %e : tensor<?x?x?xf32>
  %y = blocks.batch_matmul %a transposed, %x : tensor<?x?x?xf32>, tensor<?x?x5xf32> to tensor<?x?x5xf32>
  %init = tensor.empty(%n) : tensor<?x2x5x3xf32>
  %fs = blocks.broadcast %F like %init dims [1, 2, 3] : tensor<2x5x3xf32>, tensor<?x2x5x3xf32>
  %two = tensor.empty(%n, %t) : tensor<?x2x?x5xf32>
  %ys = blocks.broadcast %y like %two dims [0, 2, 3] : tensor<?x?x5xf32>, tensor<?x2x?x5xf32>
  %z = blocks.batch_matmul %fs transposed, %ys transposed : tensor<?x2x5x3xf32>, tensor<?x2x?x5xf32> to tensor<?x2x3x?xf32>
  %tanh = math.tanh %z : tensor<?x2x3x?xf32>
  %sum = blocks.reduce sum %tanh dims [0, 1, 2, 3] : tensor<?x2x3x?xf32> to tensor<f32>
  blocks.output %sum "cost" roles [cost] : tensor<f32>
  blocks.output %y "y" : tensor<?x?x5xf32>
}
