// A linear model of two numbers, with the states of a small recurrence that are
// carried from batch to batch beside it.
blocks.brick @linear = "Linear" {input_dim = 3, output_dim = 2}
blocks.brick @error = "SquaredError" {}
blocks.brick @carried {
  blocks.parameter @states : tensor<1x2xf32> roles [persistent] init #blocks.constant<1.0>
}
blocks.brick @rnn = "SimpleRecurrent" {dim = 2, activation = "Tanh", trained_initial_states = false}
blocks.graph @cost(%x: tensor<?x3xf32> {blocks.source = "x"}, %y: tensor<?x2xf32> {blocks.source = "y"}) {
  %p = blocks.apply @linear::@apply(%x) : (tensor<?x3xf32>) -> tensor<?x2xf32>
  %e = blocks.apply @error::@apply(%y, %p) : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<f32>
  // The rows are the steps of one sequence of one example.
  %zero = arith.constant 0 : index
  %rows = tensor.dim %y, %zero : tensor<?x2xf32>
  %s = tensor.expand_shape %y [[0, 1], [2]] output_shape [%rows, 1, 2] : tensor<?x2xf32> into tensor<?x1x2xf32>
  %start = blocks.get @carried::@states : tensor<1x2xf32>
  %h, %last = blocks.apply @rnn::@apply(%s, %start) {return_final_states, arguments = ["inputs", "states"]} : (tensor<?x1x2xf32>, tensor<1x2xf32>) -> (tensor<?x1x2xf32>, tensor<1x2xf32>)
  blocks.assign @carried::@states, %last : tensor<1x2xf32>
  %q = arith.mulf %h, %h : tensor<?x1x2xf32>
  %r = blocks.reduce sum %q dims [0, 1, 2] : tensor<?x1x2xf32> to tensor<f32>
  %c = arith.addf %e, %r : tensor<f32>
  blocks.output %c "cost" roles [cost] aggregate mean : tensor<f32>
}
