// DRAW: images of 8x8 pixels, drawn in eight steps through a window of 3x3.
//
// Read mnist_mlp.mlir and recurrent.mlir first; only what is new is explained
// here: a loop of the model's own, and random numbers.
//
//   blocks-run train draw.mlir --data boxes.hdf5 --valid-split test --batch-size 50 --epochs 40 \
//     --step-rule 'step_clipping(threshold=10), adam(learning_rate=0.003)' --checkpoint draw.ckpt
//   blocks-run infer draw.mlir --entry sample --parameters draw.ckpt --output canvases=c.npy

module @draw {

  //===--- Bricks ---------------------------------------------------------===//
  // The reader gives 2·3·3 numbers, of the image and of what is missing on the
  // canvas; with the decoder's state they are 50. The LSTMs take 4·32 inputs.
  blocks.brick @reader = "AttentionReader" {x_dim = 64, dec_dim = 32, channels = 1, height = 8, width = 8, N = 3}
  blocks.brick @encoder = "MLP" {dims = [50, 128], activations = ["Identity"]}
  blocks.brick @rnn_enc = "LSTM" {dim = 32}
  blocks.brick @q = "Qsampler" {input_dim = 32, output_dim = 6}
  blocks.brick @decoder = "MLP" {dims = [6, 128], activations = ["Identity"]}
  blocks.brick @rnn_dec = "LSTM" {dim = 32}
  blocks.brick @writer = "AttentionWriter" {input_dim = 32, channels = 1, height = 8, width = 8, N = 3}
  blocks.brick @bce = "BinaryCrossEntropy" {}
  blocks.brick @flattener = "Flattener" {}

  //===--- The graph to train on ------------------------------------------===//
  blocks.graph @cost(%features: tensor<?x1x8x8xui8> {blocks.source = "features", blocks.axes = ["batch", "channel", "height", "width"]}) {
    %pixels = blocks.cast %features : tensor<?x1x8x8xui8> to tensor<?x1x8x8xf32>
    %white = arith.constant dense<255.0> : tensor<f32>
    %whites = blocks.broadcast %white like %pixels dims [] : tensor<f32>, tensor<?x1x8x8xf32>
    %images = arith.divf %pixels, %whites : tensor<?x1x8x8xf32>
    %x = blocks.apply @flattener::@apply(%images) : (tensor<?x1x8x8xf32>) -> tensor<?x64xf32>

    // One normal number for each step, example and feature, new in each batch.
    // `site` tells apart the places that draw; the values of `like` do not
    // matter, only its shape.
    %axis = arith.constant 0 : index
    %b = tensor.dim %x, %axis : tensor<?x64xf32>
    %shape = tensor.empty(%b) : tensor<8x?x6xf32>
    %u = blocks.random normal like %shape site 1 : tensor<8x?x6xf32> to tensor<8x?x6xf32>
    // The loop carries the canvas and the states of both networks, and gives
    // them and the divergences for all steps. What stands outside, as %x, may be
    // used inside. `{iterate = false}` is one step of a recurrent brick.
    %zero = arith.constant dense<0.0> : tensor<f32>
    %canvas = blocks.broadcast %zero like %x dims [] : tensor<f32>, tensor<?x64xf32>
    %h0, %c0 = blocks.apply @rnn_enc::@initial_states(%x) : (tensor<?x64xf32>) -> (tensor<?x32xf32>, tensor<?x32xf32>)
    %h1, %c1 = blocks.apply @rnn_dec::@initial_states(%x) : (tensor<?x64xf32>) -> (tensor<?x32xf32>, tensor<?x32xf32>)
    %cs, %he, %ce, %hd, %cd, %kls = blocks.scan sequences(%u) states(%canvas, %h0, %c0, %h1, %c1) : (tensor<8x?x6xf32>, tensor<?x64xf32>, tensor<?x32xf32>, tensor<?x32xf32>, tensor<?x32xf32>, tensor<?x32xf32>) -> (tensor<8x?x64xf32>, tensor<8x?x32xf32>, tensor<8x?x32xf32>, tensor<8x?x32xf32>, tensor<8x?x32xf32>, tensor<8x?xf32>) {
    ^step(%t: index, %noise: tensor<?x6xf32>, %c: tensor<?x64xf32>, %h_enc: tensor<?x32xf32>, %c_enc: tensor<?x32xf32>, %h_dec: tensor<?x32xf32>, %c_dec: tensor<?x32xf32>):
      %shown = blocks.logistic %c : tensor<?x64xf32>
      %missing = arith.subf %x, %shown : tensor<?x64xf32>
      %r = blocks.apply @reader::@apply(%x, %missing, %h_dec) : (tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x32xf32>) -> tensor<?x18xf32>
      %both = tensor.concat dim(1) %r, %h_dec : (tensor<?x18xf32>, tensor<?x32xf32>) -> tensor<?x50xf32>
      %i = blocks.apply @encoder::@apply(%both) : (tensor<?x50xf32>) -> tensor<?x128xf32>
      %ne, %me = blocks.apply @rnn_enc::@apply(%i, %h_enc, %c_enc) {iterate = false} : (tensor<?x128xf32>, tensor<?x32xf32>, tensor<?x32xf32>) -> (tensor<?x32xf32>, tensor<?x32xf32>)
      %z, %kl = blocks.apply @q::@sample(%ne, %noise) : (tensor<?x32xf32>, tensor<?x6xf32>) -> (tensor<?x6xf32>, tensor<?xf32>)
      %j = blocks.apply @decoder::@apply(%z) : (tensor<?x6xf32>) -> tensor<?x128xf32>
      %nd, %md = blocks.apply @rnn_dec::@apply(%j, %h_dec, %c_dec) {iterate = false} : (tensor<?x128xf32>, tensor<?x32xf32>, tensor<?x32xf32>) -> (tensor<?x32xf32>, tensor<?x32xf32>)
      %update = blocks.apply @writer::@apply(%nd) : (tensor<?x32xf32>) -> tensor<?x64xf32>
      %next = arith.addf %c, %update : tensor<?x64xf32>
      blocks.yield states(%next, %ne, %me, %nd, %md : tensor<?x64xf32>, tensor<?x32xf32>, tensor<?x32xf32>, tensor<?x32xf32>, tensor<?x32xf32>) outputs(%kl : tensor<?xf32>)
    }
    // The canvas after the last of the eight steps, and the two costs.
    %last = tensor.extract_slice %cs[7, 0, 0] [1, %b, 64] [1, 1, 1] : tensor<8x?x64xf32> to tensor<?x64xf32>
    %p = blocks.logistic %last : tensor<?x64xf32>
    %nll = blocks.apply @bce::@apply(%x, %p) : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<f32>
    %kl = blocks.reduce sum %kls dims [0, 1] : tensor<8x?xf32> to tensor<f32>
    %n = blocks.extent %x dims [0] : tensor<?x64xf32> to tensor<f32>
    %mean = arith.divf %kl, %n : tensor<f32>
    %cost = arith.addf %nll, %mean : tensor<f32>
    blocks.output %cost "cost" roles [cost] aggregate mean : tensor<f32>
    blocks.output %mean "kl" aggregate mean : tensor<f32>
    blocks.output %nll "nll" aggregate mean : tensor<f32>
  }
  //===--- The graph that draws -------------------------------------------===//
  // Five images from nothing but random numbers, after each of the eight steps.
  // It has no sources: `blocks-run infer` needs no --input.
  blocks.graph @sample() {
    %shape = tensor.empty() : tensor<8x5x6xf32>
    %u = blocks.random normal like %shape site 2 : tensor<8x5x6xf32> to tensor<8x5x6xf32>
    %canvas = arith.constant dense<0.0> : tensor<5x64xf32>
    %h1, %c1 = blocks.apply @rnn_dec::@initial_states(%canvas) : (tensor<5x64xf32>) -> (tensor<5x32xf32>, tensor<5x32xf32>)
    %cs, %hd, %cd = blocks.scan sequences(%u) states(%canvas, %h1, %c1) : (tensor<8x5x6xf32>, tensor<5x64xf32>, tensor<5x32xf32>, tensor<5x32xf32>) -> (tensor<8x5x64xf32>, tensor<8x5x32xf32>, tensor<8x5x32xf32>) {
    ^step(%t: index, %noise: tensor<5x6xf32>, %c: tensor<5x64xf32>, %h_dec: tensor<5x32xf32>, %c_dec: tensor<5x32xf32>):
      %z = blocks.apply @q::@sample_from_prior(%noise) : (tensor<5x6xf32>) -> tensor<5x6xf32>
      %j = blocks.apply @decoder::@apply(%z) : (tensor<5x6xf32>) -> tensor<5x128xf32>
      %nd, %md = blocks.apply @rnn_dec::@apply(%j, %h_dec, %c_dec) {iterate = false} : (tensor<5x128xf32>, tensor<5x32xf32>, tensor<5x32xf32>) -> (tensor<5x32xf32>, tensor<5x32xf32>)
      %update = blocks.apply @writer::@apply(%nd) : (tensor<5x32xf32>) -> tensor<5x64xf32>
      %next = arith.addf %c, %update : tensor<5x64xf32>
      blocks.yield states(%next, %nd, %md : tensor<5x64xf32>, tensor<5x32xf32>, tensor<5x32xf32>)
    }
    %p = blocks.logistic %cs : tensor<8x5x64xf32>
    blocks.output %p "canvases" : tensor<8x5x64xf32>
  }
}
