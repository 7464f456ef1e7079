// Maxout, Fork, Distribute, Merge, permutations, layer normalization.
blocks.brick @maxout = "LinearMaxout" {input_dim = 5, output_dim = 4, num_pieces = 3}
blocks.brick @fork = "Fork" {output_names = ["a", "b"], input_dim = 4, output_dims = [3, 2]}
blocks.brick @distribute = "Distribute" {target_names = ["a", "b"], source_name = "s", target_dims = [3, 2], source_dim = 4}
blocks.brick @parallel = "Parallel" {input_names = ["a", "b"], input_dims = [3, 2], output_dims = [3, 2]}
blocks.brick @merge = "Merge" {input_names = ["a", "b"], input_dims = [3, 2], output_dim = 4}
blocks.brick @order = "FixedPermutation" {order = [2, 0, 3, 1], dot = false}
blocks.brick @matrix = "FixedPermutation" {order = [1, 2, 0, 3]}
blocks.brick @layer = "LayerNormalization" {dim = 4}
blocks.brick @softsign = "Softsign" {}
blocks.brick @absolute = "AbsoluteError" {}
blocks.graph @cost(%x: tensor<?x?x5xf32> {blocks.source = "x", blocks.axes = ["batch", "time", "feature"]},
                   %i: tensor<?x?xui8> {blocks.source = "i", blocks.axes = ["batch", "time"]}) {
  %m = blocks.apply @maxout::@apply(%x) : (tensor<?x?x5xf32>) -> tensor<?x?x4xf32>
  %a, %b = blocks.apply @fork::@apply(%m) : (tensor<?x?x4xf32>) -> (tensor<?x?x3xf32>, tensor<?x?x2xf32>)
  %sa = blocks.apply @softsign::@apply(%a) : (tensor<?x?x3xf32>) -> tensor<?x?x3xf32>
  %sb = blocks.apply @softsign::@apply(%b) : (tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
  %c, %d = blocks.apply @distribute::@apply(%m, %sa, %sb) : (tensor<?x?x4xf32>, tensor<?x?x3xf32>, tensor<?x?x2xf32>) -> (tensor<?x?x3xf32>, tensor<?x?x2xf32>)
  %e, %f = blocks.apply @parallel::@apply(%c, %d) : (tensor<?x?x3xf32>, tensor<?x?x2xf32>) -> (tensor<?x?x3xf32>, tensor<?x?x2xf32>)
  %g = blocks.apply @merge::@apply(%e, %f) : (tensor<?x?x3xf32>, tensor<?x?x2xf32>) -> tensor<?x?x4xf32>
  %o = blocks.apply @order::@apply(%g) : (tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  %p = blocks.apply @matrix::@apply(%o) : (tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  %n = blocks.apply @layer::@apply(%p) : (tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  %cost = blocks.apply @absolute::@apply(%m, %n) : (tensor<?x?x4xf32>, tensor<?x?x4xf32>) -> tensor<f32>
  blocks.output %cost "cost" roles [cost] : tensor<f32>
  blocks.output %n "normalized" : tensor<?x?x4xf32>
}
