// Labels for every step of sequences: a recurrent network of 8 units.
//
// The data holds one example after the other, (batch, time, …), shorter
// sequences filled up and a mask of 1 and 0 beside; recurrent bricks take one
// time step after the other. blocks.transpose is between the two. Batch and time
// are dynamic: one compile serves every number of examples and steps.
//
//   blocks-run train recurrent.mlir --data sequences.hdf5 --batch-size 32 \
//     --epochs 10 --step-rule 'step_clipping(threshold=1), adam(learning_rate=0.01)' \
//     --regularize 'dropout(p=0.5, where="role:output brick:/rnn/tanh")'

module @recurrent {

  //===--- Bricks ---------------------------------------------------------===//
  // The recurrent brick owns W, from state to state, and the initial state,
  // which is trained like any other parameter; what comes in passes through a
  // Linear of its own.
  blocks.brick @input = "Linear" {input_dim = 3, output_dim = 8, weights_init = #blocks.isotropic_gaussian<std = 0.3>}
  blocks.brick @rnn = "SimpleRecurrent" {dim = 8, activation = "Tanh", weights_init = #blocks.isotropic_gaussian<std = 0.3>}
  blocks.brick @readout = "Linear" {input_dim = 8, output_dim = 5, weights_init = #blocks.isotropic_gaussian<std = 0.3>}
  blocks.brick @softmax = "Softmax" {}

  //===--- The graph to train on ------------------------------------------===//
  blocks.graph @cost(
      %x: tensor<?x?x3xf32> {blocks.source = "x", blocks.axes = ["batch", "time", "feature"]},
      %mask: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["batch", "time"]},
      %y: tensor<?x?xui8> {blocks.source = "y", blocks.axes = ["batch", "time"]}) {

    // Time first. Axis i of the result is axis permutation[i] of the input.
    %xs = blocks.transpose %x permutation [1, 0, 2] : tensor<?x?x3xf32> to tensor<?x?x3xf32>
    %masks = blocks.transpose %mask permutation [1, 0] : tensor<?x?xf32> to tensor<?x?xf32>
    %ys = blocks.transpose %y permutation [1, 0] : tensor<?x?xui8> to tensor<?x?xui8>

    // Where the mask is 0 the state stays as it is.
    %inputs = blocks.apply @input::@apply(%xs) : (tensor<?x?x3xf32>) -> tensor<?x?x8xf32>
    %states = blocks.apply @rnn::@apply(%inputs, %masks) : (tensor<?x?x8xf32>, tensor<?x?xf32>) -> tensor<?x?x8xf32>
    %logits = blocks.apply @readout::@apply(%states) : (tensor<?x?x8xf32>) -> tensor<?x?x5xf32>

    // Every step of every sequence is a row; the mean is over the steps that
    // the mask has.
    %rows = tensor.collapse_shape %logits [[0, 1], [2]] : tensor<?x?x5xf32> into tensor<?x5xf32>
    %labels = tensor.collapse_shape %ys [[0, 1]] : tensor<?x?xui8> into tensor<?xui8>
    %weights = tensor.collapse_shape %masks [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
    %losses = blocks.apply @softmax::@categorical_cross_entropy(%labels, %rows) : (tensor<?xui8>, tensor<?x5xf32>) -> tensor<?xf32>
    %counted = arith.mulf %losses, %weights : tensor<?xf32>
    %sum = blocks.reduce sum %counted dims [0] : tensor<?xf32> to tensor<f32>
    %count = blocks.reduce sum %weights dims [0] : tensor<?xf32> to tensor<f32>
    %cost = arith.divf %sum, %count : tensor<f32>

    blocks.output %cost "cost" roles [cost] aggregate mean : tensor<f32>
  }
}
