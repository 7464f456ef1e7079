// Convolutions of every form and pools of every kind in one model, so that a
// training step needs all gradients, those of transposed convolutions too.
module {
  blocks.brick @first = "Convolutional" {filter_size = [3, 2], num_filters = 5, num_channels = 2, border_mode = "full", step = [1, 2], flipped = true}
  blocks.brick @tanh = "Tanh" {}
  blocks.brick @max = "MaxPooling" {pooling_size = [3, 3], step = [2, 1], padding = [1, 1]}
  blocks.brick @second = "Convolutional" {filter_size = [3, 3], num_filters = 4, num_channels = 5, border_mode = "half", image_size = [6, 6], tied_biases = false}
  blocks.brick @average = "AveragePooling" {pooling_size = [2, 2], ignore_border = false}
  blocks.brick @up = "ConvolutionalTranspose" {filter_size = [2, 3], num_filters = 3, num_channels = 4, image_size = [3, 3], step = [2, 2]}
  blocks.brick @counted = "AveragePooling" {pooling_size = [3, 3], step = [2, 2], padding = [1, 1], include_padding = true}
  blocks.brick @pairs = "MaxPooling" {pooling_size = [2, 2], ignore_border = false}

  blocks.graph @cost(%x: tensor<?x2x9x10xf32> {blocks.source = "x", blocks.axes = ["batch", "channel", "height", "width"]}) {
    %0 = blocks.apply @first::@apply(%x) : (tensor<?x2x9x10xf32>) -> tensor<?x5x11x6xf32>
    %1 = blocks.apply @tanh::@apply(%0) : (tensor<?x5x11x6xf32>) -> tensor<?x5x11x6xf32>
    %2 = blocks.apply @max::@apply(%1) : (tensor<?x5x11x6xf32>) -> tensor<?x5x6x6xf32>
    %3 = blocks.apply @second::@apply(%2) : (tensor<?x5x6x6xf32>) -> tensor<?x4x6x6xf32>
    %4 = blocks.apply @tanh::@apply(%3) : (tensor<?x4x6x6xf32>) -> tensor<?x4x6x6xf32>
    %5 = blocks.apply @average::@apply(%4) : (tensor<?x4x6x6xf32>) -> tensor<?x4x3x3xf32>
    %6 = blocks.apply @up::@apply(%5) : (tensor<?x4x3x3xf32>) -> tensor<?x3x6x7xf32>
    %7 = blocks.apply @counted::@apply(%6) : (tensor<?x3x6x7xf32>) -> tensor<?x3x3x4xf32>
    %8 = blocks.apply @pairs::@apply(%7) : (tensor<?x3x3x4xf32>) -> tensor<?x3x2x2xf32>
    %square = arith.mulf %8, %8 : tensor<?x3x2x2xf32>
    %sum = blocks.reduce sum %square dims [0, 1, 2, 3] : tensor<?x3x2x2xf32> to tensor<f32>
    %count = blocks.extent %square dims [0] : tensor<?x3x2x2xf32> to tensor<f32>
    %cost = arith.divf %sum, %count : tensor<f32>
    blocks.output %cost "cost" roles [cost] aggregate mean : tensor<f32>
  }
}
