// A DRAW model with a window: the step's parts in a loop of three steps, its
// gradients against finite differences in f64, its compiled code against the
// reference.
// DEFINE: %{passes} = --passes='blocks-expand-bricks,blocks-inline-applications,blocks-convert-to-f64,blocks-derive-entries{cost=cost},blocks-differentiate{cost=cost}'
// RUN: blocks-gradcheck %s %{passes} --shape batch=2 --seeds 1 | FileCheck %s --check-prefix=GRADIENT
// RUN: blocks-gradcheck %s %{passes} --shape batch=1 --seeds 1
// RUN: blocks-opt %s -split-input-file -blocks-expand-bricks -blocks-inline-applications | test-compiled-graphs --shape batch=3 | FileCheck %s --check-prefix=COMPILED

// GRADIENT: draw: {{[1-9][0-9]*}} elements agree
// COMPILED: draw agrees
module @draw {
  blocks.brick @reader = "AttentionReader" {x_dim = 24, dec_dim = 2, channels = 2, height = 3, width = 4, N = 2}
  blocks.brick @encoder = "MLP" {dims = [18, 8], activations = ["Identity"]}
  blocks.brick @rnn_enc = "LSTM" {dim = 2, trained_initial_states = false}
  blocks.brick @q = "Qsampler" {input_dim = 2, output_dim = 2}
  blocks.brick @decoder = "MLP" {dims = [2, 8], activations = ["Identity"]}
  blocks.brick @rnn_dec = "LSTM" {dim = 2, trained_initial_states = false}
  blocks.brick @writer = "AttentionWriter" {input_dim = 2, channels = 2, height = 3, width = 4, N = 2}
  blocks.brick @bce = "BinaryCrossEntropy"
  blocks.graph @cost(%x: tensor<?x24xf32> {blocks.source = "x", blocks.axes = ["batch", ""], check.range = [0.1, 0.9]}, %u: tensor<3x?x2xf32> {blocks.source = "u", blocks.axes = ["", "batch", ""]}) {
    %zero = arith.constant dense<0.0> : tensor<f32>
    %canvas = blocks.broadcast %zero like %x dims [] : tensor<f32>, tensor<?x24xf32>
    %h0, %c0 = blocks.apply @rnn_enc::@initial_states(%x) : (tensor<?x24xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>)
    %h1, %c1 = blocks.apply @rnn_dec::@initial_states(%x) : (tensor<?x24xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>)
    %cs, %he, %ce, %hd, %cd, %kls = blocks.scan sequences(%u) states(%canvas, %h0, %c0, %h1, %c1) : (tensor<3x?x2xf32>, tensor<?x24xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>) -> (tensor<3x?x24xf32>, tensor<3x?x2xf32>, tensor<3x?x2xf32>, tensor<3x?x2xf32>, tensor<3x?x2xf32>, tensor<3x?xf32>) {
    ^step(%t: index, %noise: tensor<?x2xf32>, %c: tensor<?x24xf32>, %h_enc: tensor<?x2xf32>, %c_enc: tensor<?x2xf32>, %h_dec: tensor<?x2xf32>, %c_dec: tensor<?x2xf32>):
      %shown = blocks.logistic %c : tensor<?x24xf32>
      %missing = arith.subf %x, %shown : tensor<?x24xf32>
      %r = blocks.apply @reader::@apply(%x, %missing, %h_dec) : (tensor<?x24xf32>, tensor<?x24xf32>, tensor<?x2xf32>) -> tensor<?x16xf32>
      %both = tensor.concat dim(1) %r, %h_dec : (tensor<?x16xf32>, tensor<?x2xf32>) -> tensor<?x18xf32>
      %i = blocks.apply @encoder::@apply(%both) : (tensor<?x18xf32>) -> tensor<?x8xf32>
      %ne, %me = blocks.apply @rnn_enc::@apply(%i, %h_enc, %c_enc) {iterate = false} : (tensor<?x8xf32>, tensor<?x2xf32>, tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>)
      %z, %kl = blocks.apply @q::@sample(%ne, %noise) : (tensor<?x2xf32>, tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?xf32>)
      %j = blocks.apply @decoder::@apply(%z) : (tensor<?x2xf32>) -> tensor<?x8xf32>
      %nd, %md = blocks.apply @rnn_dec::@apply(%j, %h_dec, %c_dec) {iterate = false} : (tensor<?x8xf32>, tensor<?x2xf32>, tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>)
      %update = blocks.apply @writer::@apply(%nd) : (tensor<?x2xf32>) -> tensor<?x24xf32>
      %next = arith.addf %c, %update : tensor<?x24xf32>
      blocks.yield states(%next, %ne, %me, %nd, %md : tensor<?x24xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>) outputs(%kl : tensor<?xf32>)
    }
    %axis = arith.constant 0 : index
    %b = tensor.dim %x, %axis : tensor<?x24xf32>
    %last = tensor.extract_slice %cs[2, 0, 0] [1, %b, 24] [1, 1, 1] : tensor<3x?x24xf32> to tensor<?x24xf32>
    %p = blocks.logistic %last : tensor<?x24xf32>
    %nll = blocks.apply @bce::@apply(%x, %p) : (tensor<?x24xf32>, tensor<?x24xf32>) -> tensor<f32>
    %kl = blocks.reduce sum %kls dims [0, 1] : tensor<3x?xf32> to tensor<f32>
    %n = blocks.extent %x dims [0] : tensor<?x24xf32> to tensor<f32>
    %mean = arith.divf %kl, %n : tensor<f32>
    %cost = arith.addf %nll, %mean : tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}
