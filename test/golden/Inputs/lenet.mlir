// The network of the reference trajectories: two convolutions of 5x5 with
// rectifiers and pools of 2x2, then 800-500-10.
module {
  blocks.brick @convnet = "ConvolutionalSequence" {
    num_channels = 1, image_size = [28, 28],
    layers = [{kind = "Convolutional", filter_size = [5, 5], num_filters = 20}, "Rectifier", {kind = "MaxPooling", pooling_size = [2, 2]},
              {kind = "Convolutional", filter_size = [5, 5], num_filters = 50}, "Rectifier", {kind = "MaxPooling", pooling_size = [2, 2]}]}
  blocks.brick @flattener = "Flattener" {}
  blocks.brick @mlp = "MLP" {dims = [800, 500, 10], activations = ["Rectifier", "Identity"]}
  blocks.brick @softmax = "Softmax" {}

  blocks.graph @cost(%x: tensor<?x1x28x28xf32> {blocks.source = "features", blocks.axes = ["batch", "channel", "height", "width"]},
                     %y: tensor<?xi32> {blocks.source = "targets", blocks.axes = ["batch"]}) {
    %maps = blocks.apply @convnet::@apply(%x) : (tensor<?x1x28x28xf32>) -> tensor<?x50x4x4xf32>
    %flat = blocks.apply @flattener::@apply(%maps) : (tensor<?x50x4x4xf32>) -> tensor<?x800xf32>
    %logits = blocks.apply @mlp::@apply(%flat) : (tensor<?x800xf32>) -> tensor<?x10xf32>
    %costs = blocks.apply @softmax::@categorical_cross_entropy(%y, %logits)
        : (tensor<?xi32>, tensor<?x10xf32>) -> tensor<?xf32>
    %sum = blocks.reduce sum %costs dims [0] : tensor<?xf32> to tensor<f32>
    %count = blocks.extent %costs dims [0] : tensor<?xf32> to tensor<f32>
    %cost = arith.divf %sum, %count : tensor<f32>
    blocks.output %cost "cost" roles [cost] aggregate mean : tensor<f32>
  }
}
