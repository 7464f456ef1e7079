// Batch normalization: features, an MLP, and the update of the population's
// statistics, which @plain uses.
blocks.brick @bn = "BatchNormalization" {input_dim = 5}
blocks.brick @mlp = "BatchNormalizedMLP" {dims = [5, 4, 3], activations = ["Tanh", "Logistic"]}
blocks.brick @binary = "BinaryCrossEntropy" {}
blocks.graph @cost(%x: tensor<?x?x5xf32> {blocks.source = "x", blocks.axes = ["batch", "time", "feature"]},
                   %i: tensor<?x?xui8> {blocks.source = "i", blocks.axes = ["batch", "time"]}) {
  %c0 = arith.constant 0 : index
  %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x5xf32> into tensor<?x5xf32>
  %n = blocks.apply @bn::@apply(%rows) : (tensor<?x5xf32>) -> tensor<?x5xf32>
  %s = math.tanh %n : tensor<?x5xf32>
  %p = blocks.apply @mlp::@apply(%s) : (tensor<?x5xf32>) -> tensor<?x3xf32>
  %half = arith.constant dense<0.25> : tensor<f32>
  %y = blocks.broadcast %half like %p dims [] : tensor<f32>, tensor<?x3xf32>
  %cost = blocks.apply @binary::@apply(%y, %p) : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<f32>
  blocks.output %cost "cost" roles [cost] : tensor<f32>
  blocks.output %p "p" : tensor<?x3xf32>
}
