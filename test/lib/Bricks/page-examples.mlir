// The models that docs/bricks.md and docs/dialect.md show, complete, so that they
// stay true: test/docs/run_docs.py compares the lines of those pages with these.
// RUN: blocks-opt %s -split-input-file --blocks-compile="stop-after=llvm" -o /dev/null

blocks.brick @convnet = "ConvolutionalSequence" {
  num_channels = 1, image_size = [28, 28],
  layers = [{kind = "Convolutional", filter_size = [5, 5], num_filters = 20}, "Rectifier", {kind = "MaxPooling", pooling_size = [2, 2]}]}
blocks.graph @images(%x: tensor<?x1x28x28xf32> {blocks.source = "x", blocks.axes = ["batch", "channel", "height", "width"]}) {
  %y = blocks.apply @convnet::@apply(%x) : (tensor<?x1x28x28xf32>) -> tensor<?x20x12x12xf32>
  %cost = blocks.reduce sum %y dims [0, 1, 2, 3] : tensor<?x20x12x12xf32> to tensor<f32>
  blocks.output %cost "cost" roles [cost] : tensor<f32>
}

// -----

blocks.brick @fork = "Fork" {output_names = ["inputs", "gate_inputs"], input_dim = 8, output_dims = [16, 32]}
blocks.brick @gru = "GatedRecurrent" {dim = 16}
blocks.graph @sequences(%xs: tensor<?x?x8xf32> {blocks.source = "xs", blocks.axes = ["time", "batch", ""]}, %mask: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
  %x, %g = blocks.apply @fork::@apply(%xs) : (tensor<?x?x8xf32>) -> (tensor<?x?x16xf32>, tensor<?x?x32xf32>)
  %h = blocks.apply @gru::@apply(%x, %g, %mask) {reverse} : (tensor<?x?x16xf32>, tensor<?x?x32xf32>, tensor<?x?xf32>) -> tensor<?x?x16xf32>
  %cost = blocks.reduce sum %h dims [0, 1, 2] : tensor<?x?x16xf32> to tensor<f32>
  blocks.output %cost "cost" roles [cost] : tensor<f32>
}

// -----

blocks.brick @embeddings = "LookupTable" {length = 10000, dim = 200, weights_init = #blocks.uniform<width = 0.2>}
blocks.graph @rows(%words: tensor<?x?xi32> {blocks.source = "words", blocks.axes = ["time", "batch"]}) {
  %x = blocks.apply @embeddings::@apply(%words) : (tensor<?x?xi32>) -> tensor<?x?x200xf32>
  %cost = blocks.reduce sum %x dims [0, 1, 2] : tensor<?x?x200xf32> to tensor<f32>
  blocks.output %cost "cost" roles [cost] : tensor<f32>
}

// -----

blocks.brick @mlp = "BatchNormalizedMLP" {dims = [784, 100, 10], activations = ["Tanh", "Identity"]}
blocks.graph @normalized(%x: tensor<?x784xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %y = blocks.apply @mlp::@apply(%x) : (tensor<?x784xf32>) -> tensor<?x10xf32>
  %cost = blocks.reduce sum %y dims [0, 1] : tensor<?x10xf32> to tensor<f32>
  blocks.output %cost "cost" roles [cost] : tensor<f32>
}

// -----

blocks.brick @generator = "SequenceGenerator" {
  readout = {kind = "Readout", source_names = ["states", "weighted_averages", "feedback"], readout_dim = 50,
             emitter = "SoftmaxEmitter", feedback_brick = {kind = "LookupFeedback", feedback_dim = 20}},
  transition = {kind = "GatedRecurrent", dim = 100},
  attention = {kind = "SequenceContentAttention", match_dim = 100, attended_dim = 200}}
blocks.graph @generated(%words: tensor<?x?xi64> {blocks.source = "words", blocks.axes = ["time", "batch"]}, %annotations: tensor<?x?x200xf32> {blocks.source = "annotations", blocks.axes = ["position", "batch", ""]}, %mask: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
  %cost = blocks.apply @generator::@cost(%words, %annotations, %mask) {arguments = ["outputs", "attended", "mask"]} : (tensor<?x?xi64>, tensor<?x?x200xf32>, tensor<?x?xf32>) -> tensor<f32>
  blocks.output %cost "cost" roles [cost] : tensor<f32>
}

// -----

blocks.brick @scale {
  blocks.parameter @a : tensor<10xf32> roles [weight] init #blocks.constant<1.0>
  blocks.application @apply(%x: tensor<?x10xf32>) -> tensor<?x10xf32> {
    %a = blocks.get @scale::@a : tensor<10xf32>
    %b = blocks.broadcast %a like %x dims [1] : tensor<10xf32>, tensor<?x10xf32>
    %y = arith.mulf %x, %b : tensor<?x10xf32>
    blocks.return %y : tensor<?x10xf32>
  }
}
blocks.graph @written(%x: tensor<?x4xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}, %z: tensor<?x10xf32> {blocks.source = "z", blocks.axes = ["batch", ""]}) {
  %u = blocks.random normal like %x site 1 : tensor<?x4xf32> to tensor<?x4xf32>
  %y = blocks.apply @scale::@apply(%z) : (tensor<?x10xf32>) -> tensor<?x10xf32>
  %a = blocks.reduce sum %y dims [0, 1] : tensor<?x10xf32> to tensor<f32>
  %b = blocks.reduce sum %u dims [0, 1] : tensor<?x4xf32> to tensor<f32>
  %cost = arith.addf %a, %b : tensor<f32>
  blocks.output %cost "cost" roles [cost] : tensor<f32>
}

// -----

blocks.brick @linear = "Linear" {input_dim = 3, output_dim = 3}
blocks.graph @parts(%source: tensor<?x?x3xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}) {
  %x = blocks.apply @linear::@apply(%source) : (tensor<?x?x3xf32>) -> tensor<?x?x3xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<?x?x3xf32>
  %T = tensor.dim %x, %c0 : tensor<?x?x3xf32>
  %less = arith.subi %T, %c1 : index
  %before = tensor.extract_slice %x[0, 0, 0] [%less, %n, 3] [1, 1, 1] : tensor<?x?x3xf32> to tensor<?x?x3xf32>
  %after = tensor.extract_slice %x[1, 0, 0] [%less, %n, 3] [1, 1, 1] : tensor<?x?x3xf32> to tensor<?x?x3xf32>
  %products = arith.mulf %before, %after : tensor<?x?x3xf32>
  %cost = blocks.reduce sum %products dims [0, 1, 2] : tensor<?x?x3xf32> to tensor<f32>
  blocks.output %cost "cost" roles [cost] : tensor<f32>
}
