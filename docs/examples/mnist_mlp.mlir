// MNIST with a multilayer perceptron: 784 → 500 → 500 → 10.
//
// The first model to read. A model has two parts: *bricks*, which own the
// parameters, and *graphs*, which say how sources become outputs. Nothing here
// says how to train: regularizers and step rules are given on the command line.
//
//   blocks-opt --print-brick-tree mnist_mlp.mlir      # the bricks and parameters
//   blocks-opt --print-roles mnist_mlp.mlir           # every value that has a name
//   blocks-run train mnist_mlp.mlir --data mnist.hdf5 --valid-split test \
//     --batch-size 128 --epochs 10 --step-rule 'adam(learning_rate=0.001)' \
//     --regularize 'dropout(p=0.5, where="role:output brick:/mlp/rectifier_*")'

module @mnist_mlp {

  //===--- Bricks ---------------------------------------------------------===//
  // A library brick is a kind and its settings. This one has the children
  // linear_0, rectifier_0, linear_1, rectifier_1, linear_2 and identity_2, one
  // activation a layer. Its parameters are named by their path: /mlp/linear_0.W
  // is 784x500, /mlp/linear_0.b is 500, and so on. How they get their first
  // values is said once, here, and handed down to the children.
  blocks.brick @mlp = "MLP" {
    dims = [784, 500, 500, 10],
    activations = ["Rectifier", "Rectifier", "Identity"],
    weights_init = #blocks.glorot_uniform,
    biases_init = #blocks.constant<0.0>
  }

  // Bricks without parameters: they are here to give their values a name.
  blocks.brick @flattener = "Flattener" {}
  blocks.brick @softmax = "Softmax" {}
  blocks.brick @misclassification = "MisclassificationRate" {}

  //===--- The graph to train on ------------------------------------------===//
  // Each argument names its source in the data file and has the type that the
  // file has: bytes from 0 to 255, one channel, 28 rows, 28 columns. The batch
  // is dynamic (?): one compile serves every batch size.
  blocks.graph @cost(
      %features: tensor<?x1x28x28xui8> {blocks.source = "features", blocks.axes = ["batch", "channel", "height", "width"]},
      %targets: tensor<?x1xui8> {blocks.source = "targets", blocks.axes = ["batch", "index"]}) {

    // Pixels become numbers from 0 to 1. Conversions are always written out.
    %pixels = blocks.cast %features : tensor<?x1x28x28xui8> to tensor<?x1x28x28xf32>
    %white = arith.constant dense<255.0> : tensor<f32>
    %whites = blocks.broadcast %white like %pixels dims [] : tensor<f32>, tensor<?x1x28x28xf32>
    %images = arith.divf %pixels, %whites : tensor<?x1x28x28xf32>

    // Applying a brick: its path, then the application.
    %x = blocks.apply @flattener::@apply(%images) : (tensor<?x1x28x28xf32>) -> tensor<?x784xf32>
    %logits = blocks.apply @mlp::@apply(%x) : (tensor<?x784xf32>) -> tensor<?x10xf32>

    // The cost takes the logits, not probabilities: one value for each example,
    // of which the mean is trained on. Labels need no conversion.
    %losses = blocks.apply @softmax::@categorical_cross_entropy(%targets, %logits) : (tensor<?x1xui8>, tensor<?x10xf32>) -> tensor<?xf32>
    %sum = blocks.reduce sum %losses dims [0] : tensor<?xf32> to tensor<f32>
    %count = blocks.extent %losses dims [0] : tensor<?xf32> to tensor<f32>
    %cost = arith.divf %sum, %count : tensor<f32>

    %error_rate = blocks.apply @misclassification::@apply(%targets, %logits) : (tensor<?x1xui8>, tensor<?x10xf32>) -> tensor<f32>

    // What can be monitored, and what can be trained on (role cost). Over many
    // batches both are means, weighted by the number of examples.
    blocks.output %cost "cost" roles [cost] aggregate mean : tensor<f32>
    blocks.output %error_rate "error_rate" aggregate mean : tensor<f32>
  }

  //===--- The graph for inference ----------------------------------------===//
  // It applies the same bricks, so it shares their parameters; it needs no
  // targets.
  blocks.graph @predict(
      %features: tensor<?x1x28x28xui8> {blocks.source = "features", blocks.axes = ["batch", "channel", "height", "width"]}) {
    %pixels = blocks.cast %features : tensor<?x1x28x28xui8> to tensor<?x1x28x28xf32>
    %white = arith.constant dense<255.0> : tensor<f32>
    %whites = blocks.broadcast %white like %pixels dims [] : tensor<f32>, tensor<?x1x28x28xf32>
    %images = arith.divf %pixels, %whites : tensor<?x1x28x28xf32>
    %x = blocks.apply @flattener::@apply(%images) : (tensor<?x1x28x28xf32>) -> tensor<?x784xf32>
    %logits = blocks.apply @mlp::@apply(%x) : (tensor<?x784xf32>) -> tensor<?x10xf32>
    %probabilities = blocks.apply @softmax::@apply(%logits) : (tensor<?x10xf32>) -> tensor<?x10xf32>
    blocks.output %probabilities "probabilities" : tensor<?x10xf32>
  }
}
