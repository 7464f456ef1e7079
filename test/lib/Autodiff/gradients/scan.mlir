// Gradients through the loop over time against finite differences, in f64: at
// several lengths and batch sizes, with and without products taken out of it.
// RUN: blocks-gradcheck %s --passes='blocks-convert-to-f64,blocks-differentiate' --shape time=4,batch=3 | FileCheck %s
// RUN: blocks-gradcheck %s --passes='blocks-convert-to-f64,blocks-hoist-scan-products,blocks-differentiate' --shape time=4,batch=3 | FileCheck %s
// RUN: blocks-gradcheck %s --passes='blocks-convert-to-f64,blocks-hoist-scan-products,blocks-differentiate' --shape time=1,batch=1 | FileCheck %s
// RUN: blocks-gradcheck %s --passes='blocks-convert-to-f64,blocks-differentiate,blocks-hoist-scan-products' --shape time=2,batch=1 | FileCheck %s

// CHECK: masked: {{[1-9][0-9]*}} elements agree
module @masked {
  blocks.brick @rnn {
    blocks.parameter @U : tensor<2x3xf32> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @W : tensor<3x3xf32> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @b : tensor<3xf32> roles [bias] init #blocks.constant<0.0>
    blocks.parameter @h0 : tensor<3xf32> roles [initial_state] init #blocks.constant<0.0>
  }
  blocks.graph @train(%xs: tensor<?x?x2xf32> {blocks.source = "xs", blocks.axes = ["time", "batch", ""]},
                      %mask: tensor<?x?xui8> {blocks.source = "mask", blocks.axes = ["time", "batch"]},
                      %like: tensor<?xf32> {blocks.source = "like"}) attributes {variant = "train"} {
    %h0 = blocks.get @rnn::@h0 : tensor<3xf32>
    %one = arith.constant dense<1.0> : tensor<f32>
    %column = blocks.broadcast %one like %like dims [] : tensor<f32>, tensor<?xf32>
    %c0 = arith.constant 0 : index
    %n = tensor.dim %like, %c0 : tensor<?xf32>
    %rows = tensor.expand_shape %column [[0, 1]] output_shape [%n, 1] : tensor<?xf32> into tensor<?x1xf32>
    %h1 = tensor.expand_shape %h0 [[0, 1]] output_shape [1, 3] : tensor<3xf32> into tensor<1x3xf32>
    %start = blocks.matmul %rows, %h1 : tensor<?x1xf32>, tensor<1x3xf32> to tensor<?x3xf32>
    %m = blocks.cast %mask : tensor<?x?xui8> to tensor<?x?xf32>
    %hs = blocks.scan sequences(%xs, %m) states(%start) : (tensor<?x?x2xf32>, tensor<?x?xf32>, tensor<?x3xf32>) -> tensor<?x?x3xf32> {
    ^bb0(%t: index, %x: tensor<?x2xf32>, %mt: tensor<?xf32>, %h: tensor<?x3xf32>):
      %U = blocks.get @rnn::@U : tensor<2x3xf32>
      %W = blocks.get @rnn::@W : tensor<3x3xf32>
      %b = blocks.get @rnn::@b : tensor<3xf32>
      %u = blocks.matmul %x, %U : tensor<?x2xf32>, tensor<2x3xf32> to tensor<?x3xf32>
      %p = blocks.matmul %h, %W : tensor<?x3xf32>, tensor<3x3xf32> to tensor<?x3xf32>
      %s = arith.addf %u, %p : tensor<?x3xf32>
      %bb = blocks.broadcast %b like %s dims [1] : tensor<3xf32>, tensor<?x3xf32>
      %z = arith.addf %s, %bb : tensor<?x3xf32>
      %a = math.tanh %z : tensor<?x3xf32>
      %mm = blocks.broadcast %mt like %a dims [0] : tensor<?xf32>, tensor<?x3xf32>
      %one1 = arith.constant dense<1.0> : tensor<f32>
      %ones = blocks.broadcast %one1 like %a dims [] : tensor<f32>, tensor<?x3xf32>
      %keep = arith.subf %ones, %mm : tensor<?x3xf32>
      %new = arith.mulf %a, %mm : tensor<?x3xf32>
      %old = arith.mulf %h, %keep : tensor<?x3xf32>
      %next = arith.addf %new, %old : tensor<?x3xf32>
      blocks.yield states(%next : tensor<?x3xf32>)
    }
    %sq = arith.mulf %hs, %hs : tensor<?x?x3xf32>
    %cost = blocks.reduce sum %sq dims [0, 1, 2] : tensor<?x?x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// Two states that mix, outputs, a transposed weight, an elementwise captured
// scale, dropout by position, and the sequence itself depends on a parameter.
// CHECK: gated: {{[1-9][0-9]*}} elements agree
module @gated {
  blocks.brick @p {
    blocks.parameter @V : tensor<2x3xf32> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @W : tensor<3x3xf32> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @R : tensor<3x3xf32> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @scale : tensor<3xf32> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @gain : tensor<f32> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @train(%xs: tensor<?x?x2xf32> {blocks.source = "xs", blocks.axes = ["time", "batch", ""]},
                      %c0: tensor<?x3xf32> {blocks.source = "c0"}) attributes {variant = "train"} {
    %V = blocks.get @p::@V : tensor<2x3xf32>
    %scale = blocks.get @p::@scale : tensor<3xf32>
    %gain = blocks.get @p::@gain : tensor<f32>
    %rows = tensor.collapse_shape %xs [[0, 1], [2]] : tensor<?x?x2xf32> into tensor<?x2xf32>
    %v = blocks.matmul %rows, %V : tensor<?x2xf32>, tensor<2x3xf32> to tensor<?x3xf32>
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %time = tensor.dim %xs, %i0 : tensor<?x?x2xf32>
    %batch = tensor.dim %xs, %i1 : tensor<?x?x2xf32>
    %vs = tensor.expand_shape %v [[0, 1], [2]] output_shape [%time, %batch, 3] : tensor<?x3xf32> into tensor<?x?x3xf32>
    %h0 = blocks.broadcast %scale like %c0 dims [1] : tensor<3xf32>, tensor<?x3xf32>
    %cs, %hs, %os = blocks.scan sequences(%vs) states(%c0, %h0) : (tensor<?x?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) -> (tensor<?x?x3xf32>, tensor<?x?x3xf32>, tensor<?x?xf32>) {
    ^bb0(%t: index, %x: tensor<?x3xf32>, %c: tensor<?x3xf32>, %h: tensor<?x3xf32>):
      %W = blocks.get @p::@W : tensor<3x3xf32>
      %R = blocks.get @p::@R : tensor<3x3xf32>
      %r = blocks.random uniform like %h site 11 index %t : tensor<?x3xf32> to tensor<?x3xf32>
      %d = arith.mulf %h, %r : tensor<?x3xf32>
      %tagged = blocks.tag %d <"/p", "apply", "states", [input, dropout], "p.apply#0"> : tensor<?x3xf32>
      %a = blocks.matmul %tagged, %W transposed : tensor<?x3xf32>, tensor<3x3xf32> to tensor<?x3xf32>
      %b = blocks.matmul %h, %R : tensor<?x3xf32>, tensor<3x3xf32> to tensor<?x3xf32>
      %ax = arith.addf %a, %x : tensor<?x3xf32>
      %gate = blocks.logistic %ax : tensor<?x3xf32>
      %in = math.tanh %b : tensor<?x3xf32>
      %sc = blocks.broadcast %scale like %in dims [1] : tensor<3xf32>, tensor<?x3xf32>
      %in2 = arith.mulf %in, %sc : tensor<?x3xf32>
      %kept = arith.mulf %c, %gate : tensor<?x3xf32>
      %cn = arith.addf %kept, %in2 : tensor<?x3xf32>
      %hn = math.tanh %cn : tensor<?x3xf32>
      %sum = blocks.reduce sum %hn dims [1] : tensor<?x3xf32> to tensor<?xf32>
      %gg = blocks.broadcast %gain like %sum dims [] : tensor<f32>, tensor<?xf32>
      %out = arith.mulf %sum, %gg : tensor<?xf32>
      blocks.yield states(%cn, %hn : tensor<?x3xf32>, tensor<?x3xf32>) outputs(%out : tensor<?xf32>)
    }
    %oo = arith.mulf %os, %os : tensor<?x?xf32>
    %s0 = blocks.reduce sum %oo dims [0, 1] : tensor<?x?xf32> to tensor<f32>
    %cc = arith.mulf %cs, %cs : tensor<?x?x3xf32>
    %s1 = blocks.reduce sum %cc dims [0, 1, 2] : tensor<?x?x3xf32> to tensor<f32>
    %cost = arith.addf %s0, %s1 : tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// Backwards, a product with the captured matrix on the left, a captured matrix
// used elementwise, and only the last state counts.
// CHECK: reversed: {{[1-9][0-9]*}} elements agree
module @reversed {
  blocks.brick @p {
    blocks.parameter @L : tensor<3x3xf32> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @E : tensor<3x2xf32> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @h0 : tensor<3x2xf32> roles [initial_state] init #blocks.constant<0.0>
  }
  blocks.graph @train(%xs: tensor<?x3x2xf32> {blocks.source = "xs", blocks.axes = ["time", "", ""]}) attributes {variant = "train"} {
    %h0 = blocks.get @p::@h0 : tensor<3x2xf32>
    %L = blocks.get @p::@L : tensor<3x3xf32>
    %E = blocks.get @p::@E : tensor<3x2xf32>
    %hs = blocks.scan reverse sequences(%xs) states(%h0) : (tensor<?x3x2xf32>, tensor<3x2xf32>) -> tensor<?x3x2xf32> {
    ^bb0(%t: index, %x: tensor<3x2xf32>, %h: tensor<3x2xf32>):
      %a = blocks.matmul %L, %h : tensor<3x3xf32>, tensor<3x2xf32> to tensor<3x2xf32>
      %b = arith.mulf %x, %E : tensor<3x2xf32>
      %c = arith.addf %a, %b : tensor<3x2xf32>
      %d = math.exp %c : tensor<3x2xf32>
      %e = math.sin %d : tensor<3x2xf32>
      blocks.yield states(%e : tensor<3x2xf32>)
    }
    %last = tensor.extract_slice %hs[0, 0, 0] [1, 3, 2] [1, 1, 1] : tensor<?x3x2xf32> to tensor<3x2xf32>
    %sq = arith.mulf %last, %last : tensor<3x2xf32>
    %cost = blocks.reduce sum %sq dims [0, 1] : tensor<3x2xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// A loop within a loop.
// CHECK: nested: {{[1-9][0-9]*}} elements agree
module @nested {
  blocks.brick @p {
    blocks.parameter @W : tensor<2x2xf32> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @b : tensor<2xf32> roles [bias] init #blocks.constant<0.0>
  }
  blocks.graph @train(%xs: tensor<?x2x?x2xf32> {blocks.source = "xs", blocks.axes = ["time", "", "batch", ""]},
                      %h0: tensor<?x2xf32> {blocks.source = "h0"}) attributes {variant = "train"} {
    %hs = blocks.scan sequences(%xs) states(%h0) : (tensor<?x2x?x2xf32>, tensor<?x2xf32>) -> tensor<?x?x2xf32> {
    ^bb0(%t: index, %x: tensor<2x?x2xf32>, %h: tensor<?x2xf32>):
      %k = math.tanh %h : tensor<?x2xf32>
      %inner = blocks.scan sequences(%x) states(%k) : (tensor<2x?x2xf32>, tensor<?x2xf32>) -> tensor<2x?x2xf32> {
      ^bb0(%u: index, %y: tensor<?x2xf32>, %g: tensor<?x2xf32>):
        %W = blocks.get @p::@W : tensor<2x2xf32>
        %b = blocks.get @p::@b : tensor<2xf32>
        %p = blocks.matmul %g, %W : tensor<?x2xf32>, tensor<2x2xf32> to tensor<?x2xf32>
        %bb = blocks.broadcast %b like %p dims [1] : tensor<2xf32>, tensor<?x2xf32>
        %q = arith.addf %p, %bb : tensor<?x2xf32>
        %r = arith.mulf %q, %y : tensor<?x2xf32>
        %s = arith.addf %r, %k : tensor<?x2xf32>
        %n = math.tanh %s : tensor<?x2xf32>
        blocks.yield states(%n : tensor<?x2xf32>)
      }
      %next = blocks.reduce sum %inner dims [0] : tensor<2x?x2xf32> to tensor<?x2xf32>
      blocks.yield states(%next : tensor<?x2xf32>)
    }
    %sq = arith.mulf %hs, %hs : tensor<?x?x2xf32>
    %cost = blocks.reduce sum %sq dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}
