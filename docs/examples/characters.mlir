// A language model of characters: two LSTMs of 48 units, one above the other.
//
// Read recurrent.mlir first; only what is new is explained here. The data are
// lines of text as numbers (fuel-convert text --level character), padded by the
// transformer `padding`, which also makes the mask.
//
//   blocks-run train characters.mlir --data text.hdf5 --transform padding --epochs 25 \
//     --step-rule 'step_clipping(threshold=5), adam(learning_rate=0.005)' \
//     --regularize 'weight_noise(std=0.02, where="name:W_state")' --checkpoint text.ckpt
//   blocks-run generate characters.mlir --parameters text.ckpt --sample --end 1

module @characters {

  //===--- Bricks ---------------------------------------------------------===//
  // A generator gives each output from the states before it and from the output
  // before it (`feedback`), so the model is not shown its targets shifted by
  // one: the brick does that. 24 is the number of characters. The transition's
  // states are `states` and `cells` of the lower LSTM, `states#1` and `cells#1`
  // of the upper one; `inits` gives one parameter by name another start. Each
  // LSTM trains what it starts from (initial_state, initial_cells).
  blocks.brick @generator = "SequenceGenerator" {
    readout = {kind = "Readout", source_names = ["states#1", "feedback"], readout_dim = 24,
               emitter = "SoftmaxEmitter", feedback_brick = {kind = "LookupFeedback", feedback_dim = 16}},
    transition = {kind = "RecurrentStack", transitions = [{kind = "LSTM", dim = 48}, {kind = "LSTM", dim = 48}]},
    inits = {weight = #blocks.isotropic_gaussian<std = 0.1>, W_state = #blocks.orthogonal}
  }

  //===--- The graph to train on ------------------------------------------===//
  // The cost is summed over time, and averaged over the lines.
  blocks.graph @cost(
      %features: tensor<?x?xi64> {blocks.source = "features", blocks.axes = ["batch", "time"]},
      %mask: tensor<?x?xf32> {blocks.source = "features_mask", blocks.axes = ["batch", "time"]}) {
    %text = blocks.transpose %features permutation [1, 0] : tensor<?x?xi64> to tensor<?x?xi64>
    %masks = blocks.transpose %mask permutation [1, 0] : tensor<?x?xf32> to tensor<?x?xf32>
    %cost = blocks.apply @generator::@cost(%text, %masks) {arguments = ["outputs", "mask"]} : (tensor<?x?xi64>, tensor<?x?xf32>) -> tensor<f32>
    blocks.output %cost "cost" roles [cost] aggregate mean : tensor<f32>
  }

  //===--- The graph that samples -----------------------------------------===//
  // Four lines of at most 40 characters. The results come in the order states,
  // outputs, glimpses (here none), costs; `generate --sample` prints `outputs`
  // and the sum of `costs`.
  blocks.graph @generate() {
    %states, %cells, %states1, %cells1, %outputs, %costs = blocks.apply @generator::@generate() {n_steps = 40, batch_size = 4} : () -> (tensor<40x4x48xf32>, tensor<40x4x48xf32>, tensor<40x4x48xf32>, tensor<40x4x48xf32>, tensor<40x4xi64>, tensor<40x4xf32>)
    blocks.output %outputs "outputs" : tensor<40x4xi64>
    blocks.output %costs "costs" : tensor<40x4xf32>
  }
}
