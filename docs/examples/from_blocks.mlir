// The model of docs/from-blocks.md: an MLP whose last layer is a Softmax, and a
// cost of probabilities.
//
// Read mnist_mlp.mlir first; only what is new is explained here.

module @from_blocks {

  blocks.brick @mlp = "MLP" {
    dims = [784, 100, 10], activations = ["Tanh", "Softmax"],
    weights_init = #blocks.isotropic_gaussian<std = 0.01>, biases_init = #blocks.constant<0.0>
  }
  blocks.brick @flattener = "Flattener" {}
  blocks.brick @cross_entropy = "CategoricalCrossEntropy" {}
  blocks.brick @misclassification = "MisclassificationRate" {}

  blocks.graph @cost(
      %features: tensor<?x1x28x28xui8> {blocks.source = "features", blocks.axes = ["batch", "channel", "height", "width"]},
      %targets: tensor<?x1xui8> {blocks.source = "targets", blocks.axes = ["batch", "index"]}) {
    %pixels = blocks.cast %features : tensor<?x1x28x28xui8> to tensor<?x1x28x28xf32>
    %white = arith.constant dense<255.0> : tensor<f32>
    %whites = blocks.broadcast %white like %pixels dims [] : tensor<f32>, tensor<?x1x28x28xf32>
    %images = arith.divf %pixels, %whites : tensor<?x1x28x28xf32>
    %x = blocks.apply @flattener::@apply(%images) : (tensor<?x1x28x28xf32>) -> tensor<?x784xf32>

    // Probabilities, as in Blocks. The compiler sees that they come from a
    // Softmax and takes the stable form of both together.
    %probabilities = blocks.apply @mlp::@apply(%x) : (tensor<?x784xf32>) -> tensor<?x10xf32>
    %cost = blocks.apply @cross_entropy::@apply(%targets, %probabilities) : (tensor<?x1xui8>, tensor<?x10xf32>) -> tensor<f32>
    %error_rate = blocks.apply @misclassification::@apply(%targets, %probabilities) : (tensor<?x1xui8>, tensor<?x10xf32>) -> tensor<f32>
    blocks.output %cost "cost" roles [cost] aggregate mean : tensor<f32>
    blocks.output %error_rate "error_rate" aggregate mean : tensor<f32>
  }
}
