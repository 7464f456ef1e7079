// A small translator: words to annotations, a generator that looks at them, and
// the graphs that beam search and sampling run.
blocks.brick @words = "LookupTable" {length = 7, dim = 4, weights_init = #blocks.isotropic_gaussian<std = 1.0>}
blocks.brick @generator = "SequenceGenerator" {weights_init = #blocks.isotropic_gaussian<std = 1.0>,
  readout = {kind = "Readout", source_names = ["states", "weighted_averages", "feedback"], readout_dim = 5, emitter = "SoftmaxEmitter", feedback_brick = {kind = "LookupFeedback", feedback_dim = 3}},
  transition = {kind = "GatedRecurrent", dim = 6}, attention = {kind = "SequenceContentAttention", match_dim = 4, attended_dim = 4}}

blocks.graph @cost(%x: tensor<?x?xi64> {blocks.source = "words", blocks.axes = ["positions", "batch"]}, %y: tensor<?x?xi64> {blocks.source = "outputs", blocks.axes = ["time", "batch"]}, %m: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
  %a = blocks.apply @words::@apply(%x) : (tensor<?x?xi64>) -> tensor<?x?x4xf32>
  %c = blocks.apply @generator::@cost_matrix(%y, %a, %m) : (tensor<?x?xi64>, tensor<?x?x4xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  blocks.output %c "costs" : tensor<?x?xf32>
}
blocks.graph @search_start(%x: tensor<?x?xi64> {blocks.source = "words", blocks.axes = ["positions", "batch"]}) {
  %a = blocks.apply @words::@apply(%x) : (tensor<?x?xi64>) -> tensor<?x?x4xf32>
  %c, %s, %g, %w, %p = blocks.apply @generator::@search_start(%a) : (tensor<?x?x4xf32>) -> (tensor<?x5xf32>, tensor<?x6xf32>, tensor<?x4xf32>, tensor<?x?xf32>, tensor<?x?x4xf32>)
  blocks.output %c "costs" : tensor<?x5xf32>
  blocks.output %s "states" : tensor<?x6xf32>
  blocks.output %g "weighted_averages" : tensor<?x4xf32>
  blocks.output %w "weights" : tensor<?x?xf32>
  blocks.output %p "preprocessed_attended" : tensor<?x?x4xf32>
  blocks.output %a "attended" : tensor<?x?x4xf32>
}
blocks.graph @search_step(%y: tensor<?xi64> {blocks.source = "outputs", blocks.axes = ["batch"]}, %s: tensor<?x6xf32> {blocks.source = "states", blocks.axes = ["batch", ""]}, %g: tensor<?x4xf32> {blocks.source = "weighted_averages", blocks.axes = ["batch", ""]}, %w: tensor<?x?xf32> {blocks.source = "weights", blocks.axes = ["batch", "positions"]}, %a: tensor<?x?x4xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}, %p: tensor<?x?x4xf32> {blocks.source = "preprocessed_attended", blocks.axes = ["positions", "batch", ""]}) {
  %c, %t, %h, %v = blocks.apply @generator::@search_step(%y, %s, %g, %w, %a, %p) : (tensor<?xi64>, tensor<?x6xf32>, tensor<?x4xf32>, tensor<?x?xf32>, tensor<?x?x4xf32>, tensor<?x?x4xf32>) -> (tensor<?x5xf32>, tensor<?x6xf32>, tensor<?x4xf32>, tensor<?x?xf32>)
  blocks.output %c "costs" : tensor<?x5xf32>
  blocks.output %t "states" : tensor<?x6xf32>
  blocks.output %h "weighted_averages" : tensor<?x4xf32>
  blocks.output %v "weights" : tensor<?x?xf32>
}
blocks.graph @generate(%x: tensor<?x?xi64> {blocks.source = "words", blocks.axes = ["positions", "batch"]}) {
  %a = blocks.apply @words::@apply(%x) : (tensor<?x?xi64>) -> tensor<?x?x4xf32>
  %s, %y, %g, %w, %c = blocks.apply @generator::@generate(%a) {n_steps = 8} : (tensor<?x?x4xf32>) -> (tensor<8x?x6xf32>, tensor<8x?xi64>, tensor<8x?x4xf32>, tensor<8x?x?xf32>, tensor<8x?xf32>)
  blocks.output %y "outputs" : tensor<8x?xi64>
  blocks.output %c "costs" : tensor<8x?xf32>
}
