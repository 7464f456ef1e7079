// Names of axes are followed from the sources; equal ones and unknown ones fit.
// RUN: blocks-opt %s -blocks-check-axes

blocks.graph @fits(%x: tensor<?x?x4xf32> {blocks.source = "x", blocks.axes = ["batch", "time", "feature"]},
                   %m: tensor<?x?xf32> {blocks.source = "m", blocks.axes = ["time", "batch"]},
                   %b: tensor<4xf32> {blocks.source = "b"}, %w: tensor<4x4xf32> {blocks.source = "w"}) {
  %t = blocks.transpose %x permutation [1, 0, 2] : tensor<?x?x4xf32> to tensor<?x?x4xf32>
  %wide = blocks.broadcast %m like %t dims [0, 1] : tensor<?x?xf32>, tensor<?x?x4xf32>
  %0 = arith.mulf %t, %wide : tensor<?x?x4xf32>
  %bias = blocks.broadcast %b like %t dims [2] : tensor<4xf32>, tensor<?x?x4xf32>
  %1 = arith.addf %0, %bias : tensor<?x?x4xf32>
  %h0 = blocks.reduce sum %1 dims [0] : tensor<?x?x4xf32> to tensor<?x4xf32>
  %2 = blocks.scan sequences(%1) states(%h0) : (tensor<?x?x4xf32>, tensor<?x4xf32>) -> tensor<?x?x4xf32> {
  ^bb0(%p: index, %s: tensor<?x4xf32>, %h: tensor<?x4xf32>):
    %z = blocks.matmul %h, %w : tensor<?x4xf32>, tensor<4x4xf32> to tensor<?x4xf32>
    %n = arith.addf %z, %s : tensor<?x4xf32>
    blocks.yield states(%n : tensor<?x4xf32>)
  }
  %3 = arith.addf %2, %t : tensor<?x?x4xf32>
}

// A part of an axis of fixed extent is another axis: the first of two gates.
blocks.graph @gates(%x: tensor<?x4xf32> {blocks.source = "x", blocks.axes = ["batch", "feature"]},
                    %g: tensor<?x8xf32> {blocks.source = "g", blocks.axes = ["batch", "gate"]}) {
  %zero = arith.constant 0 : index
  %n = tensor.dim %g, %zero : tensor<?x8xf32>
  %gate = tensor.extract_slice %g[0, 0] [%n, 4] [1, 1] : tensor<?x8xf32> to tensor<?x4xf32>
  %y = arith.mulf %x, %gate : tensor<?x4xf32>
}
