// RUN: blocks-opt %s -blocks-check-axes -split-input-file -verify-diagnostics

// An image and its transpose have equal extents here, and are not one.
blocks.graph @sum(%x: tensor<?x28x28xf32> {blocks.source = "x", blocks.axes = ["batch", "height", "width"]}) {
  %t = blocks.transpose %x permutation [0, 2, 1] : tensor<?x28x28xf32> to tensor<?x28x28xf32>
  // expected-error @+1 {{combines axis 'height' (axis 1 of ?x28x28) with axis 'width' (axis 1 of ?x28x28); transpose one of the tensors}}
  %0 = arith.addf %x, %t : tensor<?x28x28xf32>
}

// -----

blocks.graph @product(%x: tensor<?x4xf32> {blocks.source = "x", blocks.axes = ["batch", "feature"]},
                      %y: tensor<?x4xf32> {blocks.source = "y", blocks.axes = ["batch", "channel"]}) {
  // expected-error @+1 {{combines axis 'feature' (axis 1 of ?x4) with axis 'channel' (axis 1 of ?x4)}}
  %0 = blocks.matmul %x, %y transposed : tensor<?x4xf32>, tensor<?x4xf32> to tensor<?x?xf32>
}

// -----

// Names follow a value into a loop.
blocks.graph @loop(%x: tensor<?x?x4xf32> {blocks.source = "x", blocks.axes = ["time", "batch", "feature"]},
                   %y: tensor<?x4xf32> {blocks.source = "y", blocks.axes = ["batch", "state"]}) {
  %2 = blocks.scan sequences(%x) states(%y) : (tensor<?x?x4xf32>, tensor<?x4xf32>) -> tensor<?x?x4xf32> {
  ^bb0(%p: index, %s: tensor<?x4xf32>, %h: tensor<?x4xf32>):
    // expected-error @+1 {{combines axis 'state' (axis 1 of ?x4) with axis 'feature' (axis 1 of ?x4)}}
    %n = arith.addf %h, %s : tensor<?x4xf32>
    blocks.yield states(%n : tensor<?x4xf32>)
  }
}

// -----

// The commonest slip: data is batch-first.
blocks.graph @batch_first(%x: tensor<?x?x4xf32> {blocks.source = "x", blocks.axes = ["batch", "time", "feature"]},
                          %y: tensor<?x4xf32> {blocks.source = "y"}) {
  // expected-error @+1 {{takes its steps along axis 'batch' (axis 0 of ?x?x4); sequences are time-first: put the time first by blocks.transpose}}
  %2 = blocks.scan sequences(%x) states(%y) : (tensor<?x?x4xf32>, tensor<?x4xf32>) -> tensor<?x?x4xf32> {
  ^bb0(%p: index, %s: tensor<?x4xf32>, %h: tensor<?x4xf32>):
    blocks.yield states(%s : tensor<?x4xf32>)
  }
}

// -----

blocks.graph @labels(%x: tensor<?x?x4xf32> {blocks.source = "x", blocks.axes = ["time", "batch", "feature"]},
                     %y: tensor<?x?xi32> {blocks.source = "y", blocks.axes = ["batch", "time"]}) {
  // expected-error @+1 {{combines axis 'time' (axis 0 of ?x?x4) with axis 'batch' (axis 0 of ?x?)}}
  %0, %1 = blocks.softmax_cross_entropy %x, %y : tensor<?x?x4xf32>, tensor<?x?xi32> to tensor<?x?xf32>, tensor<?x?x4xf32>
}

// -----

// A kernel's name for an axis is one axis of the caller's.
blocks.kernel @add(%x: tensor<?xf32> {blocks.axes = ["n"]}, %y: tensor<?xf32> {blocks.axes = ["n"]}) -> (tensor<?xf32> {blocks.axes = ["n"]}) {
  %z = arith.addf %x, %y : tensor<?xf32>
  blocks.return %z : tensor<?xf32>
}
blocks.graph @kernel(%x: tensor<?xf32> {blocks.source = "x", blocks.axes = ["batch"]}, %y: tensor<?xf32> {blocks.source = "y", blocks.axes = ["time"]}) {
  // expected-error @+1 {{combines axis 'batch' (axis 0 of ?) with axis 'time' (axis 0 of ?)}}
  %z = blocks.call_kernel @add(%x, %y) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  blocks.output %z "z" : tensor<?xf32>
}
