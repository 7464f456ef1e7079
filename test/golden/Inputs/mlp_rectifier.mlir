// The network of the reference trajectories: 784-500-500-10, rectifier units.
module {
  blocks.brick @mlp = "MLP" {dims = [784, 500, 500, 10], activations = ["Rectifier", "Rectifier", "Identity"]}
  blocks.brick @softmax = "Softmax" {}

  blocks.graph @cost(%x: tensor<?x784xf32> {blocks.source = "features"},
                     %y: tensor<?xi32> {blocks.source = "targets"}) {
    %logits = blocks.apply @mlp::@apply(%x) : (tensor<?x784xf32>) -> tensor<?x10xf32>
    %costs = blocks.apply @softmax::@categorical_cross_entropy(%y, %logits)
        : (tensor<?xi32>, tensor<?x10xf32>) -> tensor<?xf32>
    %sum = blocks.reduce sum %costs dims [0] : tensor<?xf32> to tensor<f32>
    %count = blocks.extent %costs dims [0] : tensor<?xf32> to tensor<f32>
    %cost = arith.divf %sum, %count : tensor<f32>
    blocks.output %cost "cost" roles [cost] aggregate mean : tensor<f32>
  }
}
