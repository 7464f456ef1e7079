// Words to vectors, a layer, the next word's cost: a language model without its
// recurrence.
blocks.brick @embeddings = "LookupTable" {length = 7, dim = 6}
blocks.brick @linear = "Linear" {input_dim = 6, output_dim = 7}
blocks.brick @softmax = "NDimensionalSoftmax" {extra_ndim = 1}
blocks.graph @cost(%x: tensor<?x?x5xf32> {blocks.source = "x", blocks.axes = ["batch", "time", "feature"]},
                   %i: tensor<?x?xui8> {blocks.source = "i", blocks.axes = ["batch", "time"]}) {
  %e = blocks.apply @embeddings::@apply(%i) : (tensor<?x?xui8>) -> tensor<?x?x6xf32>
  %h = math.tanh %e : tensor<?x?x6xf32>
  %y = blocks.apply @linear::@apply(%h) : (tensor<?x?x6xf32>) -> tensor<?x?x7xf32>
  %c = blocks.apply @softmax::@categorical_cross_entropy(%i, %y) : (tensor<?x?xui8>, tensor<?x?x7xf32>) -> tensor<?x?xf32>
  %sum = blocks.reduce sum %c dims [0, 1] : tensor<?x?xf32> to tensor<f32>
  blocks.output %sum "cost" roles [cost] : tensor<f32>
  blocks.output %e "embedded" : tensor<?x?x6xf32>
}
