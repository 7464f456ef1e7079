// Gradients of the user's kernels against finite differences, in f64: from
// kernels that are named for it, and derived from bodies; of calls, and of
// bodies in their place, before and after the differentiation.
//
// RUN: blocks-gradcheck %s --passes='blocks-convert-to-f64,blocks-differentiate' --shape time=3,batch=4 | FileCheck %s
// RUN: blocks-gradcheck %s --passes='blocks-convert-to-f64,blocks-inline-kernels{keep-gradients=true},blocks-differentiate,blocks-inline-kernels' --shape time=3,batch=4 | FileCheck %s

// CHECK: named: {{[1-9][0-9]*}} elements agree
module @named {
  // y = x·w + i and s = Σ of y over n; the gradient has the integers between.
  blocks.kernel @mix(%x: tensor<?x?xf32> {blocks.axes = ["n", "m"]}, %i: tensor<?xi32> {blocks.axes = ["n"]}, %w: tensor<?xf32> {blocks.axes = ["m"]})
      -> (tensor<?x?xf32> {blocks.axes = ["n", "m"]}, tensor<?xf32> {blocks.axes = ["m"]})
      attributes {gradient = @mix_gradient} {
    %ws = blocks.broadcast %w like %x dims [1] : tensor<?xf32>, tensor<?x?xf32>
    %f = blocks.cast %i : tensor<?xi32> to tensor<?xf32>
    %fs = blocks.broadcast %f like %x dims [0] : tensor<?xf32>, tensor<?x?xf32>
    %p = arith.mulf %x, %ws : tensor<?x?xf32>
    %y = arith.addf %p, %fs : tensor<?x?xf32>
    %s = blocks.reduce sum %y dims [0] : tensor<?x?xf32> to tensor<?xf32>
    blocks.return %y, %s : tensor<?x?xf32>, tensor<?xf32>
  }
  blocks.kernel @mix_gradient(
      %x: tensor<?x?xf32> {blocks.axes = ["n", "m"]}, %i: tensor<?xi32> {blocks.axes = ["n"]}, %w: tensor<?xf32> {blocks.axes = ["m"]},
      %y: tensor<?x?xf32> {blocks.axes = ["n", "m"]}, %s: tensor<?xf32> {blocks.axes = ["m"]},
      %dy: tensor<?x?xf32> {blocks.axes = ["n", "m"]}, %ds: tensor<?xf32> {blocks.axes = ["m"]})
      -> (tensor<?x?xf32> {blocks.axes = ["n", "m"]}, tensor<?xf32> {blocks.axes = ["m"]}) {
    %dss = blocks.broadcast %ds like %x dims [1] : tensor<?xf32>, tensor<?x?xf32>
    %g = arith.addf %dy, %dss : tensor<?x?xf32>
    %ws = blocks.broadcast %w like %x dims [1] : tensor<?xf32>, tensor<?x?xf32>
    %dx = arith.mulf %g, %ws : tensor<?x?xf32>
    %p = arith.mulf %g, %x : tensor<?x?xf32>
    %dw = blocks.reduce sum %p dims [0] : tensor<?x?xf32> to tensor<?xf32>
    blocks.return %dx, %dw : tensor<?x?xf32>, tensor<?xf32>
  }
  blocks.brick @p {
    blocks.parameter @w : tensor<3xf32> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @v : tensor<3xf32> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @train(%x: tensor<?x3xf32> {blocks.source = "x"}, %i: tensor<?xi32> {blocks.source = "i"}) attributes {variant = "train"} {
    %w = blocks.get @p::@w : tensor<3xf32>
    %v = blocks.get @p::@v : tensor<3xf32>
    // Of the first call one result is not used.
    %y, %s = blocks.call_kernel @mix(%x, %i, %w) : (tensor<?x3xf32>, tensor<?xi32>, tensor<3xf32>) -> (tensor<?x3xf32>, tensor<3xf32>)
    %t = math.tanh %y : tensor<?x3xf32>
    %z, %r = blocks.call_kernel @mix(%t, %i, %v) : (tensor<?x3xf32>, tensor<?xi32>, tensor<3xf32>) -> (tensor<?x3xf32>, tensor<3xf32>)
    %q = arith.mulf %z, %z : tensor<?x3xf32>
    %sq = blocks.reduce sum %q dims [0] : tensor<?x3xf32> to tensor<3xf32>
    %u = arith.mulf %sq, %r : tensor<3xf32>
    %c = blocks.reduce sum %u dims [0] : tensor<3xf32> to tensor<f32>
    blocks.output %c "cost" roles [cost] : tensor<f32>
  }
}

// -----

// CHECK: derived: {{[1-9][0-9]*}} elements agree
module @derived {
  blocks.kernel @bend(%x: tensor<?x?xf32> {blocks.axes = ["n", "m"]}, %w: tensor<?xf32> {blocks.axes = ["m"]})
      -> (tensor<?x?xf32> {blocks.axes = ["n", "m"]}, tensor<?xf32> {blocks.axes = ["n"]}) {
    %ws = blocks.broadcast %w like %x dims [1] : tensor<?xf32>, tensor<?x?xf32>
    %p = arith.mulf %x, %ws : tensor<?x?xf32>
    %y = math.tanh %p : tensor<?x?xf32>
    %s = blocks.reduce sum %y dims [1] : tensor<?x?xf32> to tensor<?xf32>
    blocks.return %y, %s : tensor<?x?xf32>, tensor<?xf32>
  }
  blocks.brick @p {
    blocks.parameter @w : tensor<3xf32> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @train(%x: tensor<?x3xf32> {blocks.source = "x"}) attributes {variant = "train"} {
    %w = blocks.get @p::@w : tensor<3xf32>
    %y, %s = blocks.call_kernel @bend(%x, %w) : (tensor<?x3xf32>, tensor<3xf32>) -> (tensor<?x3xf32>, tensor<?xf32>)
    %z, %r = blocks.call_kernel @bend(%y, %w) : (tensor<?x3xf32>, tensor<3xf32>) -> (tensor<?x3xf32>, tensor<?xf32>)
    %q = arith.mulf %s, %r : tensor<?xf32>
    %c = blocks.reduce sum %q dims [0] : tensor<?xf32> to tensor<f32>
    blocks.output %c "cost" roles [cost] : tensor<f32>
  }
}

// -----

// In a loop, with a captured parameter and the state.
// CHECK: loop: {{[1-9][0-9]*}} elements agree
module @loop {
  blocks.kernel @derived(%x: tensor<?x?xf32> {blocks.axes = ["n", "m"]}, %w: tensor<?xf32> {blocks.axes = ["m"]})
      -> (tensor<?x?xf32> {blocks.axes = ["n", "m"]}) {
    %ws = blocks.broadcast %w like %x dims [1] : tensor<?xf32>, tensor<?x?xf32>
    %p = arith.mulf %x, %ws : tensor<?x?xf32>
    %y = math.tanh %p : tensor<?x?xf32>
    blocks.return %y : tensor<?x?xf32>
  }
  blocks.kernel @square(%x: tensor<?x?xf32> {blocks.axes = ["n", "m"]}) -> (tensor<?x?xf32> {blocks.axes = ["n", "m"]})
      attributes {gradient = @square_gradient} {
    %y = arith.mulf %x, %x : tensor<?x?xf32>
    blocks.return %y : tensor<?x?xf32>
  }
  blocks.kernel @square_gradient(%x: tensor<?x?xf32> {blocks.axes = ["n", "m"]}, %y: tensor<?x?xf32> {blocks.axes = ["n", "m"]}, %dy: tensor<?x?xf32> {blocks.axes = ["n", "m"]})
      -> (tensor<?x?xf32> {blocks.axes = ["n", "m"]}) {
    %p = arith.mulf %x, %dy : tensor<?x?xf32>
    %dx = arith.addf %p, %p : tensor<?x?xf32>
    blocks.return %dx : tensor<?x?xf32>
  }
  blocks.brick @p {
    blocks.parameter @w : tensor<2xf32> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @v : tensor<2xf32> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @train(%xs: tensor<?x?x2xf32> {blocks.source = "xs", blocks.axes = ["time", "batch", ""]}, %h0: tensor<?x2xf32> {blocks.source = "h0"}) attributes {variant = "train"} {
    %hs = blocks.scan sequences(%xs) states(%h0) : (tensor<?x?x2xf32>, tensor<?x2xf32>) -> tensor<?x?x2xf32> {
    ^bb0(%t: index, %x: tensor<?x2xf32>, %h: tensor<?x2xf32>):
      %w = blocks.get @p::@w : tensor<2xf32>
      %v = blocks.get @p::@v : tensor<2xf32>
      %a = blocks.call_kernel @derived(%h, %w) : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
      %b = blocks.call_kernel @derived(%x, %v) : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
      %s = arith.addf %a, %b : tensor<?x2xf32>
      %n = blocks.call_kernel @square(%s) : (tensor<?x2xf32>) -> tensor<?x2xf32>
      blocks.yield states(%n : tensor<?x2xf32>)
    }
    %c = blocks.reduce sum %hs dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    blocks.output %c "cost" roles [cost] : tensor<f32>
  }
}
