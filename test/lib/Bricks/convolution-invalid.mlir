// RUN: blocks-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{brick /c ("Convolutional") needs the setting 'filter_size', [height, width], two integers of at least 1}}
blocks.brick @c = "Convolutional" {num_filters = 1, num_channels = 1}

// -----

// expected-error @below {{has filter_size = 5 : i64, expected [height, width], two integers of at least 1}}
blocks.brick @c = "Convolutional" {filter_size = 5, num_filters = 1, num_channels = 1}

// -----

// expected-error @below {{has border_mode = "same", expected "valid", "full", "half", a padding of at least 0, or [vertical, horizontal]}}
blocks.brick @c = "Convolutional" {filter_size = [5, 5], num_filters = 1, num_channels = 1, border_mode = "same"}

// -----

// expected-error @below {{needs the setting 'image_size' for untied biases}}
blocks.brick @c = "Convolutional" {filter_size = [5, 5], num_filters = 1, num_channels = 1, tied_biases = false}

// -----

// expected-error @below {{has a kernel of 5x5 that is larger than its images of 4x6 with a padding of 0x0 on each side; choose a smaller filter_size or another border_mode}}
blocks.brick @c = "Convolutional" {filter_size = [5, 5], num_filters = 1, num_channels = 1, image_size = [4, 6]}

// -----

// expected-note @below {{is declared here}}
blocks.brick @c = "Convolutional" {filter_size = [5, 5], num_filters = 1, num_channels = 1}
blocks.graph @kernel(%x: tensor<?x1x4x6xf32> {blocks.source = "x"}) {
  // expected-error @below {{/c has a kernel of 5x5 that is larger than its images of 4x6}}
  %0 = blocks.apply @c::@apply(%x) : (tensor<?x1x4x6xf32>) -> tensor<?x1x1x2xf32>
}

// -----

// expected-note @below {{is declared here}}
blocks.brick @c = "Convolutional" {filter_size = [3, 3], num_filters = 1, num_channels = 3}
blocks.graph @channels(%x: tensor<?x1x4x6xf32> {blocks.source = "x"}) {
  // expected-error @below {{/c expects 3 channels on axis 1, found 1: its input has shape ?x1x4x6}}
  %0 = blocks.apply @c::@apply(%x) : (tensor<?x1x4x6xf32>) -> tensor<?x1x2x4xf32>
}

// -----

// expected-note @below {{is declared here}}
blocks.brick @c = "Convolutional" {filter_size = [3, 3], num_filters = 1, num_channels = 3}
blocks.graph @flat(%x: tensor<?x1x784x1x1xf32> {blocks.source = "x"}) {
  // expected-error @below {{/c needs images with the axes (batch, channels, height, width), found shape ?x1x784x1x1}}
  %0 = blocks.apply @c::@apply(%x) : (tensor<?x1x784x1x1xf32>) -> tensor<?x1x2x4xf32>
}

// -----

// expected-note @below {{is declared here}}
blocks.brick @c = "Convolutional" {filter_size = [3, 3], num_filters = 1, num_channels = 1}
blocks.graph @dynamic(%x: tensor<?x1x?x28xf32> {blocks.source = "x"}) {
  // expected-error @below {{/c needs images whose channels, height and width are known, found shape ?x1x?x28; give them in the type}}
  %0 = blocks.apply @c::@apply(%x) : (tensor<?x1x?x28xf32>) -> tensor<?x1x26x26xf32>
}

// -----

// expected-note @below {{is declared here}}
blocks.brick @c = "Convolutional" {filter_size = [3, 3], num_filters = 1, num_channels = 1, image_size = [28, 28]}
blocks.graph @size(%x: tensor<?x1x32x32xf32> {blocks.source = "x"}) {
  // expected-error @below {{/c was given image_size 28x28, but its input has shape ?x1x32x32}}
  %0 = blocks.apply @c::@apply(%x) : (tensor<?x1x32x32xf32>) -> tensor<?x1x30x30xf32>
}

// -----

// expected-error @below {{needs the setting 'image_size', [height, width] of its input}}
blocks.brick @t = "ConvolutionalTranspose" {filter_size = [3, 3], num_filters = 1, num_channels = 1}

// -----

// expected-error @below {{would make images of 9x9, whose convolution with a kernel of 3x3, step 2x2 and a padding of 0x0 is not of image_size 3x3; change original_image_size or unused_edge}}
blocks.brick @t = "ConvolutionalTranspose" {filter_size = [3, 3], num_filters = 1, num_channels = 1, image_size = [3, 3], step = [2, 2], original_image_size = [9, 9]}

// -----

// expected-error @below {{has padding = [2, 0], expected less than pooling_size 2x2}}
blocks.brick @p = "MaxPooling" {pooling_size = [2, 2], padding = [2, 0]}

// -----

// expected-error @below {{has padding = [1, 1], expected [0, 0] with ignore_border = false}}
blocks.brick @p = "MaxPooling" {pooling_size = [2, 2], padding = [1, 1], ignore_border = false}

// -----

// expected-note @below {{is declared here}}
blocks.brick @p = "AveragePooling" {pooling_size = [4, 4]}
blocks.graph @window(%x: tensor<?x1x3x3xf32> {blocks.source = "x"}) {
  // expected-error @below {{/p has a pooling_size of 4x4 that is larger than its images of 3x3 with a padding of 0x0}}
  %0 = blocks.apply @p::@apply(%x) : (tensor<?x1x3x3xf32>) -> tensor<?x1x1x1xf32>
}

// -----

// expected-error @below {{brick /s/convolutional_1 ("Convolutional") leaves nothing of its images: kernel and window must not be larger than they are}}
blocks.brick @s = "ConvolutionalSequence" {num_channels = 1, image_size = [6, 6], layers = [
  {kind = "Convolutional", filter_size = [3, 3], num_filters = 2}, {kind = "Convolutional", filter_size = [5, 5], num_filters = 2}]}

// -----

// Twice this and more is beyond 64 bits.
// expected-error @below {{has border_mode = 4611686018427387904 : i64, expected numbers of at most 1073741824}}
blocks.brick @c = "Convolutional" {filter_size = [3, 3], num_filters = 1, num_channels = 1, border_mode = 4611686018427387904}

// -----

// expected-error @below {{has original_image_size 6x6, but with unused_edge 1x1 images would be 7x7; leave one of the two out}}
blocks.brick @c = "ConvolutionalTranspose" {filter_size = [3, 3], num_filters = 1, num_channels = 1, image_size = [4, 4], original_image_size = [6, 6], unused_edge = [1, 1]}

// -----

// Though no layer takes it.
// expected-error @below {{brick /s ("ConvolutionalSequence") has border_mode = "same", expected "valid", "full", "half"}}
blocks.brick @s = "ConvolutionalSequence" {num_channels = 1, border_mode = "same", layers = ["Rectifier"]}
