// RUN: blocks-opt %s -split-input-file -verify-diagnostics

blocks.graph @convolution_c1_rank(%a: tensor<8x9xf32> {blocks.source = "a"}, %b: tensor<4x1x3x3xf32> {blocks.source = "b"}) {
  // expected-error @below {{C1: the image must have the axes (batch, channels, height, width), found 8x9}}
  %0 = blocks.convolution %a, %b strides [1, 1] padding [0, 0, 0, 0] : tensor<8x9xf32>, tensor<4x1x3x3xf32> to tensor<?x4x6x7xf32>
}

// -----

blocks.graph @convolution_c1_filters(%a: tensor<?x1x8x9xf32> {blocks.source = "a"}, %b: tensor<3x3xf32> {blocks.source = "b"}) {
  // expected-error @below {{C1: the filters must have the axes (filters, channels, height, width), found 3x3}}
  %0 = blocks.convolution %a, %b strides [1, 1] padding [0, 0, 0, 0] : tensor<?x1x8x9xf32>, tensor<3x3xf32> to tensor<?x4x6x7xf32>
}

// -----

blocks.graph @convolution_c1_dynamic(%a: tensor<?x1x?x9xf32> {blocks.source = "a"}, %b: tensor<4x1x3x3xf32> {blocks.source = "b"}) {
  // expected-error @below {{C1: every extent of the image but the batch must be a number, found ?x1x?x9}}
  %0 = blocks.convolution %a, %b strides [1, 1] padding [0, 0, 0, 0] : tensor<?x1x?x9xf32>, tensor<4x1x3x3xf32> to tensor<?x4x?x7xf32>
}

// -----

blocks.graph @convolution_c2_channels(%a: tensor<?x1x8x9xf32> {blocks.source = "a"}, %b: tensor<4x3x3x3xf32> {blocks.source = "b"}) {
  // expected-error @below {{C2: the image has 1 channels (axis 1 of ?x1x8x9), the filters are for 3 (axis 1 of 4x3x3x3)}}
  %0 = blocks.convolution %a, %b strides [1, 1] padding [0, 0, 0, 0] : tensor<?x1x8x9xf32>, tensor<4x3x3x3xf32> to tensor<?x4x6x7xf32>
}

// -----

blocks.graph @convolution_c3_stride(%a: tensor<?x1x8x9xf32> {blocks.source = "a"}, %b: tensor<4x1x3x3xf32> {blocks.source = "b"}) {
  // expected-error @below {{C3: needs two positive strides and four paddings of at least 0, found strides [0, 1] and padding [0, 0, 0, 0]}}
  %0 = blocks.convolution %a, %b strides [0, 1] padding [0, 0, 0, 0] : tensor<?x1x8x9xf32>, tensor<4x1x3x3xf32> to tensor<?x4x6x7xf32>
}

// -----

blocks.graph @convolution_c3_padding(%a: tensor<?x1x8x9xf32> {blocks.source = "a"}, %b: tensor<4x1x3x3xf32> {blocks.source = "b"}) {
  // expected-error @below {{C3: needs two positive strides and four paddings of at least 0, found strides [1, 1] and padding [0, 0]}}
  %0 = blocks.convolution %a, %b strides [1, 1] padding [0, 0] : tensor<?x1x8x9xf32>, tensor<4x1x3x3xf32> to tensor<?x4x6x7xf32>
}

// -----

blocks.graph @convolution_c4_kernel(%a: tensor<?x1x4x9xf32> {blocks.source = "a"}, %b: tensor<4x1x5x5xf32> {blocks.source = "b"}) {
  // expected-error @below {{C4: the kernel of 5x5 is larger than the image of 4x9 with its padding of [0, 0, 1, 1] (top, bottom, left, right)}}
  %0 = blocks.convolution %a, %b strides [1, 1] padding [0, 0, 1, 1] : tensor<?x1x4x9xf32>, tensor<4x1x5x5xf32> to tensor<?x4x1x7xf32>
}

// -----

blocks.graph @convolution_c5_result(%a: tensor<?x1x8x9xf32> {blocks.source = "a"}, %b: tensor<4x1x3x3xf32> {blocks.source = "b"}) {
  // expected-error @below {{C5: an image of 'tensor<?x1x8x9xf32>' and filters of 'tensor<4x1x3x3xf32>' go with a result of 'tensor<?x4x6x7xf32>', found 'tensor<?x4x8x9xf32>'}}
  %0 = blocks.convolution %a, %b strides [1, 1] padding [0, 0, 0, 0] : tensor<?x1x8x9xf32>, tensor<4x1x3x3xf32> to tensor<?x4x8x9xf32>
}

// -----

blocks.graph @convolution_c5_type(%a: tensor<?x1x8x9xf32> {blocks.source = "a"}, %b: tensor<4x1x3x3xf32> {blocks.source = "b"}) {
  // expected-error @below {{found 'tensor<?x4x6x7xf64>'}}
  %0 = blocks.convolution %a, %b strides [1, 1] padding [0, 0, 0, 0] : tensor<?x1x8x9xf32>, tensor<4x1x3x3xf32> to tensor<?x4x6x7xf64>
}

// -----

blocks.graph @input_grad_c4_kernel(%a: tensor<?x2x1x1xf32> {blocks.source = "a"}, %b: tensor<2x1x5x5xf32> {blocks.source = "b"}) {
  // expected-error @below {{C4: the kernel of 5x5 is larger than the image of 4x4}}
  %0 = blocks.convolution_input_grad %a, %b strides [1, 1] padding [0, 0, 0, 0] : tensor<?x2x1x1xf32>, tensor<2x1x5x5xf32> to tensor<?x1x4x4xf32>
}

// -----

blocks.graph @input_grad_c5_gradient(%a: tensor<?x2x3x3xf32> {blocks.source = "a"}, %b: tensor<2x1x3x3xf32> {blocks.source = "b"}) {
  // expected-error @below {{go with a result of 'tensor<?x2x2x2xf32>', found 'tensor<?x2x3x3xf32>'}}
  %0 = blocks.convolution_input_grad %a, %b strides [1, 1] padding [0, 0, 0, 0] : tensor<?x2x3x3xf32>, tensor<2x1x3x3xf32> to tensor<?x1x4x4xf32>
}

// -----

blocks.graph @filter_grad_c2_channels(%a: tensor<?x2x4x4xf32> {blocks.source = "a"}, %b: tensor<?x2x2x2xf32> {blocks.source = "b"}) {
  // expected-error @below {{C2: the image has 2 channels}}
  %0 = blocks.convolution_filter_grad %a, %b strides [1, 1] padding [0, 0, 0, 0] : tensor<?x2x4x4xf32>, tensor<?x2x2x2xf32> to tensor<2x1x3x3xf32>
}

// -----

blocks.graph @pool_c1_rank(%a: tensor<?x4x4xf32> {blocks.source = "a"}) {
  // expected-error @below {{C1: the image must have the axes (batch, channels, height, width), found ?x4x4}}
  %0 = blocks.pool max %a window [2, 2] strides [2, 2] padding [0, 0] : tensor<?x4x4xf32> to tensor<?x2x2xf32>
}

// -----

blocks.graph @pool_c1_dynamic(%a: tensor<?x?x4x4xf32> {blocks.source = "a"}) {
  // expected-error @below {{C1: every extent of the image but the batch must be a number, found ?x?x4x4}}
  %0 = blocks.pool max %a window [2, 2] strides [2, 2] padding [0, 0] : tensor<?x?x4x4xf32> to tensor<?x?x2x2xf32>
}

// -----

blocks.graph @pool_c2_window(%a: tensor<?x1x4x4xf32> {blocks.source = "a"}) {
  // expected-error @below {{C2: needs a window of two positive extents, two positive strides and two paddings of at least 0 that are smaller than the window, found window [2], strides [2, 2] and padding [0, 0]}}
  %0 = blocks.pool max %a window [2] strides [2, 2] padding [0, 0] : tensor<?x1x4x4xf32> to tensor<?x1x2x2xf32>
}

// -----

blocks.graph @pool_c2_padding(%a: tensor<?x1x4x4xf32> {blocks.source = "a"}) {
  // expected-error @below {{found window [2, 2], strides [2, 2] and padding [2, 0]}}
  %0 = blocks.pool max %a window [2, 2] strides [2, 2] padding [2, 0] : tensor<?x1x4x4xf32> to tensor<?x1x2x2xf32>
}

// -----

blocks.graph @pool_c3_window(%a: tensor<?x1x4x4xf32> {blocks.source = "a"}) {
  // expected-error @below {{C3: the window of 5x5 is larger than the image of 4x4 with its padding of [0, 0]}}
  %0 = blocks.pool max %a window [5, 5] strides [1, 1] padding [0, 0] : tensor<?x1x4x4xf32> to tensor<?x1x1x1xf32>
}

// -----

blocks.graph @pool_c4_partial(%a: tensor<?x1x4x4xf32> {blocks.source = "a"}) {
  // expected-error @below {{C4: windows that stand out of the image (partial, ignore_border = false) go without padding, found [1, 1]}}
  %0 = blocks.pool max %a window [2, 2] strides [2, 2] padding [1, 1] partial : tensor<?x1x4x4xf32> to tensor<?x1x3x3xf32>
}

// -----

blocks.graph @pool_c5_result(%a: tensor<?x1x5x5xf32> {blocks.source = "a"}) {
  // expected-error @below {{C5: a pool of 'tensor<?x1x5x5xf32>' gives 'tensor<?x1x2x2xf32>', found 'tensor<?x1x3x3xf32>'}}
  %0 = blocks.pool max %a window [2, 2] strides [2, 2] padding [0, 0] : tensor<?x1x5x5xf32> to tensor<?x1x3x3xf32>
}

// -----

blocks.graph @pool_grad_c5_gradient(%a: tensor<?x1x5x5xf32> {blocks.source = "a"}, %g: tensor<?x1x2x2xf32> {blocks.source = "g"}) {
  // expected-error @below {{C5: a pool of 'tensor<?x1x5x5xf32>' gives 'tensor<?x1x3x3xf32>', found 'tensor<?x1x2x2xf32>'}}
  %0 = blocks.pool_grad max %a, %g window [2, 2] strides [2, 2] padding [0, 0] partial : tensor<?x1x5x5xf32>, tensor<?x1x2x2xf32>
}
