// The model of Blocks' test of beam search: characters to annotations, and a
// generator whose readout sees states and glimpses alone.
blocks.brick @lookup = "LookupTable" {length = 20, dim = 10}
blocks.brick @generator = "SequenceGenerator" {
  readout = {kind = "Readout", source_names = ["states", "weighted_averages"], readout_dim = 20, emitter = "SoftmaxEmitter", feedback_brick = {kind = "LookupFeedback", feedback_dim = 10}},
  transition = {kind = "SimpleRecurrent", dim = 10, activation = "Tanh"}, attention = {kind = "SequenceContentAttention", match_dim = 10, attended_dim = 10}}

blocks.graph @search_start(%x: tensor<?x?xi64> {blocks.source = "words", blocks.axes = ["positions", "batch"]}) {
  %a = blocks.apply @lookup::@apply(%x) : (tensor<?x?xi64>) -> tensor<?x?x10xf32>
  %c, %s, %g, %w, %p = blocks.apply @generator::@search_start(%a) : (tensor<?x?x10xf32>) -> (tensor<?x20xf32>, tensor<?x10xf32>, tensor<?x10xf32>, tensor<?x?xf32>, tensor<?x?x10xf32>)
  blocks.output %c "costs" : tensor<?x20xf32>
  blocks.output %s "states" : tensor<?x10xf32>
  blocks.output %g "weighted_averages" : tensor<?x10xf32>
  blocks.output %w "weights" : tensor<?x?xf32>
  blocks.output %p "preprocessed_attended" : tensor<?x?x10xf32>
  blocks.output %a "attended" : tensor<?x?x10xf32>
}
blocks.graph @search_step(%y: tensor<?xi64> {blocks.source = "outputs", blocks.axes = ["batch"]}, %s: tensor<?x10xf32> {blocks.source = "states", blocks.axes = ["batch", ""]}, %g: tensor<?x10xf32> {blocks.source = "weighted_averages", blocks.axes = ["batch", ""]}, %w: tensor<?x?xf32> {blocks.source = "weights", blocks.axes = ["batch", "positions"]}, %a: tensor<?x?x10xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}, %p: tensor<?x?x10xf32> {blocks.source = "preprocessed_attended", blocks.axes = ["positions", "batch", ""]}) {
  %c, %t, %h, %v = blocks.apply @generator::@search_step(%y, %s, %g, %w, %a, %p) : (tensor<?xi64>, tensor<?x10xf32>, tensor<?x10xf32>, tensor<?x?xf32>, tensor<?x?x10xf32>, tensor<?x?x10xf32>) -> (tensor<?x20xf32>, tensor<?x10xf32>, tensor<?x10xf32>, tensor<?x?xf32>)
  blocks.output %c "costs" : tensor<?x20xf32>
  blocks.output %t "states" : tensor<?x10xf32>
  blocks.output %h "weighted_averages" : tensor<?x10xf32>
  blocks.output %v "weights" : tensor<?x?xf32>
}
