// From sequence to sequence with attention: words in, the same words in reverse
// order out.
//
// Read recurrent.mlir and characters.mlir first; only what is new is explained
// here. The data are pairs of lines (fuel-convert parallel-text), padded by the
// transformer `padding`: words are numbers, 0 begins and 1 ends a line.
//
//   blocks-run train reverse.mlir --data pairs.hdf5 --transform padding --batch-size 50 \
//     --epochs 12 --step-rule 'step_clipping(threshold=5), adam(learning_rate=0.003)' --checkpoint reverse.ckpt
//   blocks-run generate reverse.mlir --parameters reverse.ckpt --beam-size 4 --end 1 --length-penalty 1 \
//     --input source=s.npy --input source_mask=m.npy

module @reverse {

  //===--- Bricks ---------------------------------------------------------===//
  // The encoder reads the source in both directions: 2x32 features a position.
  blocks.brick @embeddings = "LookupTable" {length = 11, dim = 16}
  blocks.brick @fork = "Fork" {output_names = ["inputs", "gate_inputs"], input_dim = 16, output_dims = [32, 64]}
  blocks.brick @encoder = "Bidirectional" {prototype = {kind = "GatedRecurrent", dim = 32}}

  // The decoder looks at the encoder's positions before each word that it gives.
  blocks.brick @generator = "SequenceGenerator" {
    readout = {kind = "Readout", source_names = ["states", "weighted_averages", "feedback"], readout_dim = 11,
               emitter = "SoftmaxEmitter", feedback_brick = {kind = "LookupFeedback", feedback_dim = 16}},
    transition = {kind = "GatedRecurrent", dim = 48},
    attention = {kind = "SequenceContentAttention", match_dim = 32, attended_dim = 64}
  }

  // What all graphs begin with. A brick written by hand has applications that
  // other graphs and bricks call; it takes (batch, time) and gives (time, batch).
  blocks.brick @read {
    blocks.application @apply(%words: tensor<?x?xi64>, %mask: tensor<?x?xf32>) -> (tensor<?x?x64xf32>, tensor<?x?xf32>) {
      %turned = blocks.transpose %words permutation [1, 0] : tensor<?x?xi64> to tensor<?x?xi64>
      %masks = blocks.transpose %mask permutation [1, 0] : tensor<?x?xf32> to tensor<?x?xf32>
      %x = blocks.apply @embeddings::@apply(%turned) : (tensor<?x?xi64>) -> tensor<?x?x16xf32>
      %inputs, %gates = blocks.apply @fork::@apply(%x) : (tensor<?x?x16xf32>) -> (tensor<?x?x32xf32>, tensor<?x?x64xf32>)
      %positions = blocks.apply @encoder::@apply(%inputs, %gates, %masks) : (tensor<?x?x32xf32>, tensor<?x?x64xf32>, tensor<?x?xf32>) -> tensor<?x?x64xf32>
      blocks.return %positions, %masks : tensor<?x?x64xf32>, tensor<?x?xf32>
    }
  }

  //===--- The graph to train on ------------------------------------------===//
  // Two time axes, so they have two names. The weights of the attention are the
  // value /generator.weights (time of the target, batch, time of the source).
  blocks.graph @cost(
      %source: tensor<?x?xi64> {blocks.source = "source", blocks.axes = ["batch", "time"]},
      %source_mask: tensor<?x?xf32> {blocks.source = "source_mask", blocks.axes = ["batch", "time"]},
      %target: tensor<?x?xi64> {blocks.source = "target", blocks.axes = ["batch", "target_time"]},
      %target_mask: tensor<?x?xf32> {blocks.source = "target_mask", blocks.axes = ["batch", "target_time"]}) {
    %attended, %attended_mask = blocks.apply @read::@apply(%source, %source_mask) : (tensor<?x?xi64>, tensor<?x?xf32>) -> (tensor<?x?x64xf32>, tensor<?x?xf32>)
    %outputs = blocks.transpose %target permutation [1, 0] : tensor<?x?xi64> to tensor<?x?xi64>
    %mask = blocks.transpose %target_mask permutation [1, 0] : tensor<?x?xf32> to tensor<?x?xf32>
    %cost = blocks.apply @generator::@cost(%outputs, %attended, %mask, %attended_mask) {arguments = ["outputs", "attended", "mask", "attended_mask"]} : (tensor<?x?xi64>, tensor<?x?x64xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<f32>
    blocks.output %cost "cost" roles [cost] aggregate mean : tensor<f32>
  }

  //===--- The graphs of beam search --------------------------------------===//
  // The first one is called once. What both give (states, weighted_averages,
  // weights) goes from step to step; the rest of its outputs stays.
  blocks.graph @search_start(
      %source: tensor<?x?xi64> {blocks.source = "source", blocks.axes = ["batch", "time"]},
      %source_mask: tensor<?x?xf32> {blocks.source = "source_mask", blocks.axes = ["batch", "time"]}) {
    %attended, %mask = blocks.apply @read::@apply(%source, %source_mask) : (tensor<?x?xi64>, tensor<?x?xf32>) -> (tensor<?x?x64xf32>, tensor<?x?xf32>)
    %costs, %states, %averages, %weights, %prepared = blocks.apply @generator::@search_start(%attended, %mask) {arguments = ["attended", "attended_mask"]} : (tensor<?x?x64xf32>, tensor<?x?xf32>) -> (tensor<?x11xf32>, tensor<?x48xf32>, tensor<?x64xf32>, tensor<?x?xf32>, tensor<?x?x32xf32>)
    blocks.output %costs "costs" : tensor<?x11xf32>
    blocks.output %states "states" : tensor<?x48xf32>
    blocks.output %averages "weighted_averages" : tensor<?x64xf32>
    blocks.output %weights "weights" : tensor<?x?xf32>
    blocks.output %attended "attended" : tensor<?x?x64xf32>
    blocks.output %prepared "preprocessed_attended" : tensor<?x?x32xf32>
    blocks.output %mask "attended_mask" : tensor<?x?xf32>
  }

  // The second one is called for each step, with a row for each hypothesis.
  blocks.graph @search_step(
      %outputs: tensor<?xi64> {blocks.source = "outputs", blocks.axes = ["batch"]},
      %states: tensor<?x48xf32> {blocks.source = "states", blocks.axes = ["batch", ""]},
      %averages: tensor<?x64xf32> {blocks.source = "weighted_averages", blocks.axes = ["batch", ""]},
      %weights: tensor<?x?xf32> {blocks.source = "weights", blocks.axes = ["batch", "time"]},
      %attended: tensor<?x?x64xf32> {blocks.source = "attended", blocks.axes = ["time", "batch", ""]},
      %prepared: tensor<?x?x32xf32> {blocks.source = "preprocessed_attended", blocks.axes = ["time", "batch", ""]},
      %mask: tensor<?x?xf32> {blocks.source = "attended_mask", blocks.axes = ["time", "batch"]}) {
    %costs, %next, %next_averages, %next_weights = blocks.apply @generator::@search_step(%outputs, %states, %averages, %weights, %attended, %prepared, %mask) : (tensor<?xi64>, tensor<?x48xf32>, tensor<?x64xf32>, tensor<?x?xf32>, tensor<?x?x64xf32>, tensor<?x?x32xf32>, tensor<?x?xf32>) -> (tensor<?x11xf32>, tensor<?x48xf32>, tensor<?x64xf32>, tensor<?x?xf32>)
    blocks.output %costs "costs" : tensor<?x11xf32>
    blocks.output %next "states" : tensor<?x48xf32>
    blocks.output %next_averages "weighted_averages" : tensor<?x64xf32>
    blocks.output %next_weights "weights" : tensor<?x?xf32>
  }
}
