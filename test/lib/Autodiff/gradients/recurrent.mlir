// Gradients through the loop over time: the initial state, the sequence's
// source, captured weights and biases, masks, both directions, random numbers
// in the body; several steps, one step, one example.
// RUN: blocks-gradcheck %s --shape time=4,batch=3
// RUN: blocks-gradcheck %s --shape time=1,batch=3
// RUN: blocks-gradcheck %s --shape time=3,batch=1

module @simple_recurrent {
  blocks.brick @rnn {
    blocks.parameter @V : tensor<2x3xf64> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @W : tensor<3x3xf64> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @b : tensor<3xf64> roles [bias] init #blocks.constant<0.0>
    blocks.parameter @h0 : tensor<3xf64> roles [initial_state] init #blocks.constant<0.0>
  }
  blocks.graph @cost(%xs: tensor<?x?x2xf64> {blocks.source = "x", blocks.axes = ["time", "batch", "feature"]},
                     %like: tensor<?x3xf64> {blocks.source = "like", blocks.axes = ["batch", ""]}) {
    %V = blocks.get @rnn::@V : tensor<2x3xf64>
    %W = blocks.get @rnn::@W : tensor<3x3xf64>
    %b = blocks.get @rnn::@b : tensor<3xf64>
    %h0 = blocks.get @rnn::@h0 : tensor<3xf64>
    %start = blocks.broadcast %h0 like %like dims [1] : tensor<3xf64>, tensor<?x3xf64>
    %hs = blocks.scan sequences(%xs) states(%start) : (tensor<?x?x2xf64>, tensor<?x3xf64>) -> tensor<?x?x3xf64> {
    ^bb0(%t: index, %x: tensor<?x2xf64>, %h: tensor<?x3xf64>):
      %u = blocks.matmul %x, %V : tensor<?x2xf64>, tensor<2x3xf64> to tensor<?x3xf64>
      %p = blocks.matmul %h, %W : tensor<?x3xf64>, tensor<3x3xf64> to tensor<?x3xf64>
      %bias = blocks.broadcast %b like %p dims [1] : tensor<3xf64>, tensor<?x3xf64>
      %s = arith.addf %u, %p : tensor<?x3xf64>
      %a = arith.addf %s, %bias : tensor<?x3xf64>
      %n = math.tanh %a : tensor<?x3xf64>
      blocks.yield states(%n : tensor<?x3xf64>)
    }
    %q = arith.mulf %hs, %hs : tensor<?x?x3xf64>
    %cost = blocks.reduce sum %q dims [0, 1, 2] : tensor<?x?x3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

// A masked step keeps the state. Backwards in time, with two states that need
// each other, an output, and a transposed weight.
module @masked_reverse {
  blocks.brick @rnn {
    blocks.parameter @W : tensor<2x2xf64> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @scale : tensor<2xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost(%xs: tensor<?x?x2xf64> {blocks.source = "x", blocks.axes = ["time", "batch", ""]},
                     %mask: tensor<?x?x2xi1> {blocks.source = "mask", blocks.axes = ["time", "batch", ""]},
                     %g0: tensor<?x2xf64> {blocks.source = "g0", blocks.axes = ["batch", ""]}) {
    %W = blocks.get @rnn::@W : tensor<2x2xf64>
    %scale = blocks.get @rnn::@scale : tensor<2xf64>
    %hs, %gs, %os = blocks.scan reverse sequences(%xs, %mask) states(%g0, %g0) : (tensor<?x?x2xf64>, tensor<?x?x2xi1>, tensor<?x2xf64>, tensor<?x2xf64>) -> (tensor<?x?x2xf64>, tensor<?x?x2xf64>, tensor<?x?x2xf64>) {
    ^bb0(%t: index, %x: tensor<?x2xf64>, %m: tensor<?x2xi1>, %h: tensor<?x2xf64>, %g: tensor<?x2xf64>):
      %p = blocks.matmul %h, %W transposed : tensor<?x2xf64>, tensor<2x2xf64> to tensor<?x2xf64>
      %a = arith.addf %p, %g : tensor<?x2xf64>
      %n = math.tanh %a : tensor<?x2xf64>
      %hn = arith.select %m, %n, %h : tensor<?x2xi1>, tensor<?x2xf64>
      %c = blocks.broadcast %scale like %x dims [1] : tensor<2xf64>, tensor<?x2xf64>
      %xc = arith.mulf %x, %c : tensor<?x2xf64>
      %gn = arith.mulf %xc, %h : tensor<?x2xf64>
      %o = blocks.logistic %hn : tensor<?x2xf64>
      blocks.yield states(%hn, %gn : tensor<?x2xf64>, tensor<?x2xf64>) outputs(%o : tensor<?x2xf64>)
    }
    %q = arith.mulf %hs, %os : tensor<?x?x2xf64>
    %r = arith.addf %q, %gs : tensor<?x?x2xf64>
    %cost = blocks.reduce sum %r dims [0, 1, 2] : tensor<?x?x2xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

// The sequence itself depends on a parameter, and the body drops out.
module @dropout_in_the_body {
  blocks.brick @rnn {
    blocks.parameter @V : tensor<2x3xf64> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @W : tensor<3x3xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost(%x: tensor<?x2xf64> {blocks.source = "x", blocks.axes = ["time", ""]},
                     %h0: tensor<3xf64> {blocks.source = "h0"}) {
    %V = blocks.get @rnn::@V : tensor<2x3xf64>
    %W = blocks.get @rnn::@W : tensor<3x3xf64>
    %xs = blocks.matmul %x, %V : tensor<?x2xf64>, tensor<2x3xf64> to tensor<?x3xf64>
    %hs = blocks.scan sequences(%xs) states(%h0) : (tensor<?x3xf64>, tensor<3xf64>) -> tensor<?x3xf64> {
    ^bb0(%t: index, %s: tensor<3xf64>, %h: tensor<3xf64>):
      %u = blocks.random uniform like %h site 5 index %t : tensor<3xf64> to tensor<3xf64>
      %half = arith.constant dense<0.5> : tensor<3xf64>
      %two = arith.constant dense<2.0> : tensor<3xf64>
      %zero = arith.constant dense<0.0> : tensor<3xf64>
      %keep = arith.cmpf oge, %u, %half : tensor<3xf64>
      %scaled = arith.mulf %h, %two : tensor<3xf64>
      %d = arith.select %keep, %scaled, %zero : tensor<3xi1>, tensor<3xf64>
      %row = tensor.expand_shape %d [[0, 1]] output_shape [1, 3] : tensor<3xf64> into tensor<1x3xf64>
      %p = blocks.matmul %row, %W : tensor<1x3xf64>, tensor<3x3xf64> to tensor<1x3xf64>
      %flat = tensor.collapse_shape %p [[0, 1]] : tensor<1x3xf64> into tensor<3xf64>
      %a = arith.addf %flat, %s : tensor<3xf64>
      %n = math.tanh %a : tensor<3xf64>
      blocks.yield states(%n : tensor<3xf64>)
    }
    %q = arith.mulf %hs, %hs : tensor<?x3xf64>
    %cost = blocks.reduce sum %q dims [0, 1] : tensor<?x3xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}

// -----

// A scan inside a scan's body: for each outer step a running product.
module @nested {
  blocks.brick @rnn {
    blocks.parameter @a : tensor<2xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost(%xs: tensor<?x?x2xf64> {blocks.source = "x", blocks.axes = ["time", "batch", ""]},
                     %h0: tensor<2xf64> {blocks.source = "h0"}) {
    %a = blocks.get @rnn::@a : tensor<2xf64>
    %hs = blocks.scan sequences(%xs) states(%h0) : (tensor<?x?x2xf64>, tensor<2xf64>) -> tensor<?x2xf64> {
    ^bb0(%t: index, %rows: tensor<?x2xf64>, %h: tensor<2xf64>):
      %inner = blocks.scan sequences(%rows) states(%h) : (tensor<?x2xf64>, tensor<2xf64>) -> tensor<?x2xf64> {
      ^bb0(%s: index, %row: tensor<2xf64>, %g: tensor<2xf64>):
        %p = arith.mulf %g, %a : tensor<2xf64>
        %n = arith.addf %p, %row : tensor<2xf64>
        %k = math.sin %n : tensor<2xf64>
        blocks.yield states(%k : tensor<2xf64>)
      }
      %r = blocks.reduce sum %inner dims [0] : tensor<?x2xf64> to tensor<2xf64>
      %n = math.tanh %r : tensor<2xf64>
      blocks.yield states(%n : tensor<2xf64>)
    }
    %q = arith.mulf %hs, %hs : tensor<?x2xf64>
    %cost = blocks.reduce sum %q dims [0, 1] : tensor<?x2xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}
