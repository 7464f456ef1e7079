// A gated recurrence written by hand: one product for both gates, cut into
// columns in the loop; the cost is of the last state alone. `@ends` takes slices
// that may be outside, `@parts` what the extents must be right for.
blocks.brick @p {
  blocks.parameter @U : tensor<3x8xf32> roles [weight] init #blocks.isotropic_gaussian<std = 0.5>
  blocks.parameter @W : tensor<4x8xf32> roles [weight] init #blocks.isotropic_gaussian<std = 0.5>
  blocks.parameter @h0 : tensor<4xf32> roles [initial_state] init #blocks.constant<0.25>
}
blocks.graph @cost(%x: tensor<?x?x3xf32> {blocks.source = "x", blocks.axes = ["batch", "time", "feature"]}) {
  %U = blocks.get @p::@U : tensor<3x8xf32>
  %W = blocks.get @p::@W : tensor<4x8xf32>
  %h0 = blocks.get @p::@h0 : tensor<4xf32>
  %xs = blocks.transpose %x permutation [1, 0, 2] : tensor<?x?x3xf32> to tensor<?x?x3xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?x3xf32>
  %t = tensor.dim %x, %c1 : tensor<?x?x3xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %start = blocks.broadcast %h0 like %e dims [1] : tensor<4xf32>, tensor<?x4xf32>
  %hs = blocks.scan sequences(%xs) states(%start) : (tensor<?x?x3xf32>, tensor<?x4xf32>) -> tensor<?x?x4xf32> {
  ^bb0(%p: index, %s: tensor<?x3xf32>, %h: tensor<?x4xf32>):
    %a = blocks.matmul %s, %U : tensor<?x3xf32>, tensor<3x8xf32> to tensor<?x8xf32>
    %b = blocks.matmul %h, %W : tensor<?x4xf32>, tensor<4x8xf32> to tensor<?x8xf32>
    %z = arith.addf %a, %b : tensor<?x8xf32>
    %g = tensor.extract_slice %z[0, 0] [%n, 4] [1, 1] : tensor<?x8xf32> to tensor<?x4xf32>
    %m = tensor.extract_slice %z[0, 4] [%n, 4] [1, 1] : tensor<?x8xf32> to tensor<?x4xf32>
    %i = blocks.logistic %g : tensor<?x4xf32>
    %nn = math.tanh %m : tensor<?x4xf32>
    %d = arith.subf %nn, %h : tensor<?x4xf32>
    %di = arith.mulf %i, %d : tensor<?x4xf32>
    %nh = arith.addf %h, %di : tensor<?x4xf32>
    blocks.yield states(%nh : tensor<?x4xf32>)
  }
  %end = arith.subi %t, %c1 : index
  %last = tensor.extract_slice %hs[%end, 0, 0] [1, %n, 4] [1, 1, 1] : tensor<?x?x4xf32> to tensor<?x4xf32>
  %sq = arith.mulf %last, %last : tensor<?x4xf32>
  %sum = blocks.reduce sum %sq dims [0, 1] : tensor<?x4xf32> to tensor<f32>
  blocks.output %sum "cost" roles [cost] : tensor<f32>
}
blocks.graph @ends(%x: tensor<?x?x3xf32> {blocks.source = "x", blocks.axes = ["time", "batch", "feature"]}) {
  %h0 = blocks.get @p::@h0 : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tensor.dim %x, %c0 : tensor<?x?x3xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?x3xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %start = blocks.broadcast %h0 like %e dims [1] : tensor<4xf32>, tensor<?x4xf32>
  %hs = blocks.scan sequences(%x) states(%start) : (tensor<?x?x3xf32>, tensor<?x4xf32>) -> tensor<?x?x4xf32> {
  ^bb0(%p: index, %s: tensor<?x3xf32>, %h: tensor<?x4xf32>):
    %nh = arith.addf %h, %h : tensor<?x4xf32>
    blocks.yield states(%nh : tensor<?x4xf32>)
  }
  %end = arith.subi %t, %c1 : index
  %last = tensor.extract_slice %hs[%end, 0, 0] [1, %n, 4] [1, 1, 1] : tensor<?x?x4xf32> to tensor<?x4xf32>
  %third = tensor.extract_slice %x[2, 0, 0] [1, %n, 3] [1, 1, 1] : tensor<?x?x3xf32> to tensor<?x3xf32>
  blocks.output %last "last" : tensor<?x4xf32>
  blocks.output %third "third" : tensor<?x3xf32>
}
blocks.graph @parts(%x: tensor<?x?x3xf32> {blocks.source = "x", blocks.axes = ["time", "batch", "feature"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = tensor.dim %x, %c0 : tensor<?x?x3xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?x3xf32>
  %less = arith.subi %t, %c1 : index
  %later = tensor.extract_slice %x[1, 0, 0] [%less, %n, 3] [1, 1, 1] : tensor<?x?x3xf32> to tensor<?x?x3xf32>
  %half = arith.divui %t, %c2 : index
  %start = tensor.extract_slice %x[0, 0, 0] [%half, %n, 3] [1, 1, 1] : tensor<?x?x3xf32> to tensor<?x?x3xf32>
  %pairs = tensor.expand_shape %x [[0, 1], [2], [3]] output_shape [%half, 2, %n, 3] : tensor<?x?x3xf32> into tensor<?x2x?x3xf32>
  %windows = blocks.scan sequences(%x) : (tensor<?x?x3xf32>) -> tensor<?x2x?x3xf32> {
  ^bb0(%p: index, %s: tensor<?x3xf32>):
    %w = tensor.extract_slice %x[%p, 0, 0] [2, %n, 3] [1, 1, 1] : tensor<?x?x3xf32> to tensor<2x?x3xf32>
    blocks.yield outputs(%w : tensor<2x?x3xf32>)
  }
  blocks.output %later "later" : tensor<?x?x3xf32>
  blocks.output %start "start" : tensor<?x?x3xf32>
  blocks.output %pairs "pairs" : tensor<?x2x?x3xf32>
  blocks.output %windows "windows" : tensor<?x2x?x3xf32>
}
