// Images with a convolutional network in the manner of LeNet: two layers of
// filters, rectifiers and pools, then 800 → 500 → 10.
//
// Read mnist_mlp.mlir first; only what is new is explained here.
//
//   blocks-run train lenet.mlir --data mnist.hdf5 --valid-split test \
//     --batch-size 128 --epochs 5 --step-rule 'adam(learning_rate=0.001)'

module @lenet {

  // A chain of bricks over images (batch, channels, height, width). The number
  // of channels and the size of the images are said once and handed on: 28x28
  // → 24x24 → 12x12 → 8x8 → 4x4, with 50 channels at the end. The parameters
  // are /convnet/convolutional_0.W (20x1x5x5), /convnet/convolutional_0.b (20),
  // and so on.
  blocks.brick @convnet = "ConvolutionalSequence" {
    num_channels = 1,
    image_size = [28, 28],
    layers = [
      {kind = "Convolutional", filter_size = [5, 5], num_filters = 20}, "Rectifier", {kind = "MaxPooling", pooling_size = [2, 2]},
      {kind = "Convolutional", filter_size = [5, 5], num_filters = 50}, "Rectifier", {kind = "MaxPooling", pooling_size = [2, 2]}],
    weights_init = #blocks.glorot_uniform
  }
  blocks.brick @flattener = "Flattener" {}
  blocks.brick @mlp = "MLP" {dims = [800, 500, 10], activations = ["Rectifier", "Identity"], weights_init = #blocks.glorot_uniform}
  blocks.brick @softmax = "Softmax" {}
  blocks.brick @misclassification = "MisclassificationRate" {}

  blocks.graph @cost(
      %features: tensor<?x1x28x28xui8> {blocks.source = "features", blocks.axes = ["batch", "channel", "height", "width"]},
      %targets: tensor<?x1xui8> {blocks.source = "targets", blocks.axes = ["batch", "index"]}) {
    %pixels = blocks.cast %features : tensor<?x1x28x28xui8> to tensor<?x1x28x28xf32>
    %white = arith.constant dense<255.0> : tensor<f32>
    %whites = blocks.broadcast %white like %pixels dims [] : tensor<f32>, tensor<?x1x28x28xf32>
    %images = arith.divf %pixels, %whites : tensor<?x1x28x28xf32>

    %maps = blocks.apply @convnet::@apply(%images) : (tensor<?x1x28x28xf32>) -> tensor<?x50x4x4xf32>
    %x = blocks.apply @flattener::@apply(%maps) : (tensor<?x50x4x4xf32>) -> tensor<?x800xf32>
    %logits = blocks.apply @mlp::@apply(%x) : (tensor<?x800xf32>) -> tensor<?x10xf32>

    %losses = blocks.apply @softmax::@categorical_cross_entropy(%targets, %logits) : (tensor<?x1xui8>, tensor<?x10xf32>) -> tensor<?xf32>
    %sum = blocks.reduce sum %losses dims [0] : tensor<?xf32> to tensor<f32>
    %count = blocks.extent %losses dims [0] : tensor<?xf32> to tensor<f32>
    %cost = arith.divf %sum, %count : tensor<f32>
    %error_rate = blocks.apply @misclassification::@apply(%targets, %logits) : (tensor<?x1xui8>, tensor<?x10xf32>) -> tensor<f32>

    blocks.output %cost "cost" roles [cost] aggregate mean : tensor<f32>
    blocks.output %error_rate "error_rate" aggregate mean : tensor<f32>
  }
}
