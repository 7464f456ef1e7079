// What the bricks over images compute, by the reference interpreter, and what
// they declare.
// RUN: blocks-opt %s -blocks-expand-bricks -blocks-inline-applications -verify-annotations | blocks-interpret | FileCheck %s
// RUN: blocks-opt %s -blocks-expand-bricks | FileCheck %s --check-prefix=DECLARED

// Every border mode; ones over an image of ones count the places that meet it.
blocks.brick @full = "Convolutional" {filter_size = [2, 3], num_filters = 1, num_channels = 1, border_mode = "full", weights_init = #blocks.constant<1.0>, biases_init = #blocks.constant<0.5>}
blocks.brick @half = "Convolutional" {filter_size = [3, 3], num_filters = 1, num_channels = 1, border_mode = "half", weights_init = #blocks.constant<1.0>, use_bias = false}
blocks.brick @stepped = "Convolutional" {filter_size = [1, 2], num_filters = 2, num_channels = 1, border_mode = [0, 1], step = [2, 2], weights_init = #blocks.constant<1.0>}
blocks.brick @untied = "Convolutional" {filter_size = [2, 2], num_filters = 1, num_channels = 1, image_size = [2, 2], tied_biases = false, border_mode = 1, weights_init = #blocks.constant<1.0>, biases_init = #blocks.constant<1.0>}
blocks.graph @modes() {
  %x = arith.constant dense<1.0> : tensor<1x1x2x2xf32>
  %0 = blocks.apply @full::@apply(%x) : (tensor<1x1x2x2xf32>) -> tensor<1x1x3x4xf32>
  %1 = blocks.apply @half::@apply(%x) : (tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
  %2 = blocks.apply @stepped::@apply(%x) : (tensor<1x1x2x2xf32>) -> tensor<1x2x1x2xf32>
  %3 = blocks.apply @untied::@apply(%x) : (tensor<1x1x2x2xf32>) -> tensor<1x1x3x3xf32>
  blocks.output %0 "full" : tensor<1x1x3x4xf32>
  blocks.output %1 "half" : tensor<1x1x2x2xf32>
  blocks.output %2 "stepped" : tensor<1x2x1x2xf32>
  blocks.output %3 "untied" : tensor<1x1x3x3xf32>
}
// CHECK: @modes full = 1x1x3x4xf32 {{\[\[\[\[}}1.5, 2.5, 2.5, 1.5], [2.5, 4.5, 4.5, 2.5], [1.5, 2.5, 2.5, 1.5]]]]
// CHECK: @modes half = 1x1x2x2xf32 {{\[\[\[\[}}4, 4], [4, 4]]]]
// CHECK: @modes stepped = 1x2x1x2xf32 {{\[\[\[\[}}1, 1]], {{\[\[}}1, 1]]]]
// CHECK: @modes untied = 1x1x3x3xf32 {{\[\[\[\[}}2, 3, 2], [3, 5, 3], [2, 3, 2]]]]

// Two channels into one: each place of the image spreads over the kernel.
blocks.brick @transposed = "ConvolutionalTranspose" {filter_size = [2, 2], num_filters = 1, num_channels = 2, image_size = [2, 2], step = [2, 2], unused_edge = [1, 0], weights_init = #blocks.constant<1.0>, biases_init = #blocks.constant<0.25>}
blocks.graph @transpose() {
  %x = arith.constant dense<[[[[1.0, 2.0], [3.0, 4.0]], [[10.0, 20.0], [30.0, 40.0]]]]> : tensor<1x2x2x2xf32>
  %0 = blocks.apply @transposed::@apply(%x) : (tensor<1x2x2x2xf32>) -> tensor<1x1x5x4xf32>
  blocks.output %0 "y" : tensor<1x1x5x4xf32>
}
// CHECK: @transpose y = 1x1x5x4xf32 {{\[\[\[\[}}11.25, 11.25, 22.25, 22.25], [11.25, 11.25, 22.25, 22.25], [33.25, 33.25, 44.25, 44.25], [33.25, 33.25, 44.25, 44.25], [0.25, 0.25, 0.25, 0.25]]]]

blocks.brick @max = "MaxPooling" {pooling_size = [2, 2]}
blocks.brick @partial = "MaxPooling" {pooling_size = [2, 2], ignore_border = false}
blocks.brick @average = "AveragePooling" {pooling_size = [2, 2], step = [1, 1], padding = [1, 1]}
blocks.brick @counted = "AveragePooling" {pooling_size = [2, 2], step = [1, 1], padding = [1, 1], include_padding = true}
blocks.graph @pools() {
  %x = arith.constant dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]]]> : tensor<1x1x3x3xf32>
  %s = arith.constant dense<[[[[4.0, 8.0]]]]> : tensor<1x1x1x2xf32>
  %0 = blocks.apply @max::@apply(%x) : (tensor<1x1x3x3xf32>) -> tensor<1x1x1x1xf32>
  %1 = blocks.apply @partial::@apply(%x) : (tensor<1x1x3x3xf32>) -> tensor<1x1x2x2xf32>
  %2 = blocks.apply @average::@apply(%s) : (tensor<1x1x1x2xf32>) -> tensor<1x1x2x3xf32>
  %3 = blocks.apply @counted::@apply(%s) : (tensor<1x1x1x2xf32>) -> tensor<1x1x2x3xf32>
  blocks.output %0 "max" : tensor<1x1x1x1xf32>
  blocks.output %1 "partial" : tensor<1x1x2x2xf32>
  blocks.output %2 "average" : tensor<1x1x2x3xf32>
  blocks.output %3 "counted" : tensor<1x1x2x3xf32>
}
// CHECK: @pools max = 1x1x1x1xf32 {{\[\[\[\[}}5]]]]
// CHECK: @pools partial = 1x1x2x2xf32 {{\[\[\[\[}}5, 6], [8, 9]]]]
// CHECK: @pools average = 1x1x2x3xf32 {{\[\[\[\[}}4, 6, 8], [4, 6, 8]]]]
// CHECK: @pools counted = 1x1x2x3xf32 {{\[\[\[\[}}1, 3, 2], [1, 3, 2]]]]

// Channels and sizes go from layer to layer; layers of one class are numbered.
blocks.brick @net = "ConvolutionalSequence" {
  layers = [{kind = "Convolutional", filter_size = [3, 3], num_filters = 4}, "Rectifier", {kind = "MaxPooling", pooling_size = [2, 2]},
            {kind = "Convolutional", filter_size = [2, 2], num_filters = 3, border_mode = "valid", name = "last"}, "Rectifier"],
  num_channels = 2, image_size = [6, 6], border_mode = "full", tied_biases = false, weights_init = #blocks.constant<0.5>}
blocks.graph @sequence() {
  %x = arith.constant dense<1.0> : tensor<1x2x6x6xf32>
  %0 = blocks.apply @net::@apply(%x) : (tensor<1x2x6x6xf32>) -> tensor<1x3x3x3xf32>
  blocks.output %0 "y" : tensor<1x3x3x3xf32>
}
// The pool's results are 4, 6 or 9 places, two channels, a half each; then four channels, four places.
// CHECK: @sequence y = 1x3x3x3xf32 {{\[\[\[\[}}50, 60, 50], [60, 72, 60], [50, 60, 50]]

// DECLARED: blocks.brick @net
// DECLARED: blocks.brick @convolutional
// DECLARED: blocks.parameter @W : tensor<4x2x3x3xf32> roles [filter]
// DECLARED: blocks.parameter @b : tensor<4x8x8xf32> roles [bias]
// DECLARED: blocks.brick @rectifier_0
// DECLARED: blocks.brick @maxpooling
// DECLARED: blocks.brick @last
// DECLARED: blocks.parameter @W : tensor<3x4x2x2xf32> roles [filter]
// DECLARED: blocks.parameter @b : tensor<3x3x3xf32> roles [bias]
// DECLARED: blocks.brick @rectifier_1

// Blocks flips its kernels: 0 … 8 with [[1, 2], [3, 4]], its numbers and those of
// a correlation. The transposed convolution spreads [[1, 0], [0, 0]] over the
// kernel as it is, and flipped.
blocks.brick @turned = "Convolutional" {filter_size = [2, 2], num_filters = 1, num_channels = 1, flipped = true, use_bias = false, weights_init = #blocks.constant_array<dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>>}
blocks.brick @plain = "Convolutional" {filter_size = [2, 2], num_filters = 1, num_channels = 1, use_bias = false, weights_init = #blocks.constant_array<dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>>}
blocks.brick @back = "ConvolutionalTranspose" {filter_size = [2, 2], num_filters = 1, num_channels = 1, image_size = [2, 2], flipped = true, use_bias = false, weights_init = #blocks.constant_array<dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>>}
blocks.brick @ahead = "ConvolutionalTranspose" {filter_size = [2, 2], num_filters = 1, num_channels = 1, image_size = [2, 2], use_bias = false, weights_init = #blocks.constant_array<dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>>}
blocks.graph @flips() {
  %x = arith.constant dense<[[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]]]]> : tensor<1x1x3x3xf32>
  %i = arith.constant dense<[[[[1.0, 0.0], [0.0, 0.0]]]]> : tensor<1x1x2x2xf32>
  %0 = blocks.apply @turned::@apply(%x) : (tensor<1x1x3x3xf32>) -> tensor<1x1x2x2xf32>
  %1 = blocks.apply @plain::@apply(%x) : (tensor<1x1x3x3xf32>) -> tensor<1x1x2x2xf32>
  %2 = blocks.apply @back::@apply(%i) : (tensor<1x1x2x2xf32>) -> tensor<1x1x3x3xf32>
  %3 = blocks.apply @ahead::@apply(%i) : (tensor<1x1x2x2xf32>) -> tensor<1x1x3x3xf32>
  blocks.output %0 "flipped" : tensor<1x1x2x2xf32>
  blocks.output %1 "plain" : tensor<1x1x2x2xf32>
  blocks.output %2 "spread_flipped" : tensor<1x1x3x3xf32>
  blocks.output %3 "spread" : tensor<1x1x3x3xf32>
}
// CHECK: @flips flipped = 1x1x2x2xf32 {{\[\[\[\[}}13, 23], [43, 53]]]]
// CHECK: @flips plain = 1x1x2x2xf32 {{\[\[\[\[}}27, 37], [57, 67]]]]
// CHECK: @flips spread_flipped = 1x1x3x3xf32 {{\[\[\[\[}}4, 3, 0], [2, 1, 0], [0, 0, 0]]]]
// CHECK: @flips spread = 1x1x3x3xf32 {{\[\[\[\[}}1, 2, 0], [3, 4, 0], [0, 0, 0]]]]
