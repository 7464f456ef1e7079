// The language model of the reference trajectories: embeddings of 200, two LSTMs
// of 200, 10,000 words. States go on from batch to batch: they are persistent
// values that each step reads and assigns.
module {
  blocks.brick @lookup = "LookupTable" {length = 10000, dim = 200}
  blocks.brick @input_0 = "Linear" {input_dim = 200, output_dim = 800}
  blocks.brick @lstm_0 = "LSTM" {dim = 200, peepholes = false, trained_initial_states = false}
  blocks.brick @input_1 = "Linear" {input_dim = 200, output_dim = 800}
  blocks.brick @lstm_1 = "LSTM" {dim = 200, peepholes = false, trained_initial_states = false}
  blocks.brick @readout = "Linear" {input_dim = 200, output_dim = 10000}
  blocks.brick @softmax = "Softmax" {}
  blocks.brick @carried {
    blocks.parameter @states_0 : tensor<20x200xf32> roles [persistent] init #blocks.constant<0.0>
    blocks.parameter @cells_0 : tensor<20x200xf32> roles [persistent] init #blocks.constant<0.0>
    blocks.parameter @states_1 : tensor<20x200xf32> roles [persistent] init #blocks.constant<0.0>
    blocks.parameter @cells_1 : tensor<20x200xf32> roles [persistent] init #blocks.constant<0.0>
  }

  blocks.graph @cost(%x: tensor<?x20xi32> {blocks.source = "x", blocks.axes = ["time", "batch"]},
                     %y: tensor<?x20xi32> {blocks.source = "y", blocks.axes = ["time", "batch"]}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %time = tensor.dim %x, %c0 : tensor<?x20xi32>
    %last = arith.subi %time, %c1 : index
    %h0 = blocks.get @carried::@states_0 : tensor<20x200xf32>
    %s0 = blocks.get @carried::@cells_0 : tensor<20x200xf32>
    %h1 = blocks.get @carried::@states_1 : tensor<20x200xf32>
    %s1 = blocks.get @carried::@cells_1 : tensor<20x200xf32>

    %words = blocks.apply @lookup::@apply(%x) : (tensor<?x20xi32>) -> tensor<?x20x200xf32>
    %a = blocks.apply @input_0::@apply(%words) : (tensor<?x20x200xf32>) -> tensor<?x20x800xf32>
    %states_0, %cells_0 = blocks.apply @lstm_0::@apply(%a, %h0, %s0) {arguments = ["inputs", "states", "cells"]}
        : (tensor<?x20x800xf32>, tensor<20x200xf32>, tensor<20x200xf32>) -> (tensor<?x20x200xf32>, tensor<?x20x200xf32>)
    %b = blocks.apply @input_1::@apply(%states_0) : (tensor<?x20x200xf32>) -> tensor<?x20x800xf32>
    %states_1, %cells_1 = blocks.apply @lstm_1::@apply(%b, %h1, %s1) {arguments = ["inputs", "states", "cells"]}
        : (tensor<?x20x800xf32>, tensor<20x200xf32>, tensor<20x200xf32>) -> (tensor<?x20x200xf32>, tensor<?x20x200xf32>)

    %logits = blocks.apply @readout::@apply(%states_1) : (tensor<?x20x200xf32>) -> tensor<?x20x10000xf32>
    %costs = blocks.apply @softmax::@categorical_cross_entropy(%y, %logits) : (tensor<?x20xi32>, tensor<?x20x10000xf32>) -> tensor<?x20xf32>
    %sum = blocks.reduce sum %costs dims [0, 1] : tensor<?x20xf32> to tensor<f32>
    %batch = blocks.extent %costs dims [1] : tensor<?x20xf32> to tensor<f32>
    %cost = arith.divf %sum, %batch : tensor<f32>
    blocks.output %cost "cost" roles [cost] aggregate mean : tensor<f32>

    %h0n = tensor.extract_slice %states_0[%last, 0, 0] [1, 20, 200] [1, 1, 1] : tensor<?x20x200xf32> to tensor<20x200xf32>
    %s0n = tensor.extract_slice %cells_0[%last, 0, 0] [1, 20, 200] [1, 1, 1] : tensor<?x20x200xf32> to tensor<20x200xf32>
    %h1n = tensor.extract_slice %states_1[%last, 0, 0] [1, 20, 200] [1, 1, 1] : tensor<?x20x200xf32> to tensor<20x200xf32>
    %s1n = tensor.extract_slice %cells_1[%last, 0, 0] [1, 20, 200] [1, 1, 1] : tensor<?x20x200xf32> to tensor<20x200xf32>
    blocks.assign @carried::@states_0, %h0n : tensor<20x200xf32>
    blocks.assign @carried::@cells_0, %s0n : tensor<20x200xf32>
    blocks.assign @carried::@states_1, %h1n : tensor<20x200xf32>
    blocks.assign @carried::@cells_1, %s1n : tensor<20x200xf32>
  }
}
