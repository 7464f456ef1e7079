// Convolutions that are large enough to be products on a GPU, and transposes in
// tiles, against the reference; on the processor, too.
//
// RUN: test-compiled-graphs %s --shape batch=5 | FileCheck %s
// CHECK: large agrees
module @large {

blocks.graph @convolutions(%x: tensor<?x6x12x11xf32> {blocks.source = "x", blocks.axes = ["batch", "", "", ""]},
    %w: tensor<20x6x3x3xf32> {blocks.source = "w", blocks.axes = ["", "", "", ""]},
    %g: tensor<?x20x12x11xf32> {blocks.source = "g", blocks.axes = ["batch", "", "", ""]}) {
  %y = blocks.convolution %x, %w strides [1, 1] padding [1, 1, 1, 1] : tensor<?x6x12x11xf32>, tensor<20x6x3x3xf32> to tensor<?x20x12x11xf32>
  %flipped = blocks.convolution flipped %x, %w strides [1, 1] padding [1, 1, 1, 1] : tensor<?x6x12x11xf32>, tensor<20x6x3x3xf32> to tensor<?x20x12x11xf32>
  %dx = blocks.convolution_input_grad %g, %w strides [1, 1] padding [1, 1, 1, 1] : tensor<?x20x12x11xf32>, tensor<20x6x3x3xf32> to tensor<?x6x12x11xf32>
  %dx_flipped = blocks.convolution_input_grad flipped %g, %w strides [1, 1] padding [1, 1, 1, 1] : tensor<?x20x12x11xf32>, tensor<20x6x3x3xf32> to tensor<?x6x12x11xf32>
  %dw = blocks.convolution_filter_grad %x, %g strides [1, 1] padding [1, 1, 1, 1] : tensor<?x6x12x11xf32>, tensor<?x20x12x11xf32> to tensor<20x6x3x3xf32>
  %dw_flipped = blocks.convolution_filter_grad flipped %x, %g strides [1, 1] padding [1, 1, 1, 1] : tensor<?x6x12x11xf32>, tensor<?x20x12x11xf32> to tensor<20x6x3x3xf32>
  blocks.output %y "y" : tensor<?x20x12x11xf32>
  blocks.output %flipped "flipped" : tensor<?x20x12x11xf32>
  blocks.output %dx "dx" : tensor<?x6x12x11xf32>
  blocks.output %dx_flipped "dx_flipped" : tensor<?x6x12x11xf32>
  blocks.output %dw "dw" : tensor<20x6x3x3xf32>
  blocks.output %dw_flipped "dw_flipped" : tensor<20x6x3x3xf32>
}

blocks.graph @strided(%x: tensor<?x8x13x14xf32> {blocks.source = "sx", blocks.axes = ["batch", "", "", ""]},
    %w: tensor<24x8x4x3xf32> {blocks.source = "sw", blocks.axes = ["", "", "", ""]},
    %g: tensor<?x24x6x7xf32> {blocks.source = "sg", blocks.axes = ["batch", "", "", ""]}) {
  %y = blocks.convolution %x, %w strides [2, 2] padding [1, 0, 1, 0] : tensor<?x8x13x14xf32>, tensor<24x8x4x3xf32> to tensor<?x24x6x7xf32>
  %dx = blocks.convolution_input_grad %g, %w strides [2, 2] padding [1, 0, 1, 0] : tensor<?x24x6x7xf32>, tensor<24x8x4x3xf32> to tensor<?x8x13x14xf32>
  %dw = blocks.convolution_filter_grad flipped %x, %g strides [2, 2] padding [1, 0, 1, 0] : tensor<?x8x13x14xf32>, tensor<?x24x6x7xf32> to tensor<24x8x4x3xf32>
  blocks.output %y "sy" : tensor<?x24x6x7xf32>
  blocks.output %dx "sdx" : tensor<?x8x13x14xf32>
  blocks.output %dw "sdw" : tensor<24x8x4x3xf32>
}

blocks.graph @transposes(%a: tensor<?x45xf32> {blocks.source = "a", blocks.axes = ["batch", ""]},
    %b: tensor<3x?x40xf32> {blocks.source = "b", blocks.axes = ["", "batch", ""]},
    %c: tensor<45x?xf32> {blocks.source = "c", blocks.axes = ["", "batch"]}) {
  %at = blocks.transpose %a permutation [1, 0] : tensor<?x45xf32> to tensor<45x?xf32>
  %sum = arith.addf %at, %c : tensor<45x?xf32>
  %bt = blocks.transpose %b permutation [0, 2, 1] : tensor<3x?x40xf32> to tensor<3x40x?xf32>
  %turned = blocks.transpose %b permutation [2, 0, 1] : tensor<3x?x40xf32> to tensor<40x3x?xf32>
  blocks.output %sum "sum" : tensor<45x?xf32>
  blocks.output %bt "bt" : tensor<3x40x?xf32>
  blocks.output %turned "turned" : tensor<40x3x?xf32>
}
}
