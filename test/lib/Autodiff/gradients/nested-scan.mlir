// Gradients through loops in loops, and through loops without sequences.
// RUN: blocks-gradcheck %s --shape outer=3,inner=2,batch=2 --seeds 2 | FileCheck %s
// RUN: blocks-gradcheck %s --shape outer=1,inner=3,batch=1 --seeds 1
// RUN: blocks-gradcheck %s --shape outer=2,inner=0,batch=2 --seeds 1
// RUN: blocks-gradcheck %s --shape outer=0,inner=2,batch=2 --seeds 1
// RUN: test-compiled-graphs %s --shape outer=3,inner=2,batch=2

// The state goes through an inner loop in each step; the inner loop captures
// weights, a slice of the outer loop and a sequence from outside.
// CHECK: nested: {{[1-9][0-9]*}} elements agree
module @nested {
  blocks.brick @rnn {
    blocks.parameter @W : tensor<2x2xf32> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @V : tensor<2x2xf32> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @b : tensor<2xf32> roles [bias] init #blocks.constant<0.0>
    blocks.parameter @h0 : tensor<2xf32> roles [initial_state] init #blocks.constant<0.0>
  }
  blocks.graph @cost(%xs: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["outer", "batch", ""]},
                     %ys: tensor<?x?x2xf32> {blocks.source = "y", blocks.axes = ["inner", "batch", ""]},
                     %like: tensor<?x2xf32> {blocks.source = "like", blocks.axes = ["batch", ""]}) {
    %W = blocks.get @rnn::@W : tensor<2x2xf32>
    %V = blocks.get @rnn::@V : tensor<2x2xf32>
    %b = blocks.get @rnn::@b : tensor<2xf32>
    %h0 = blocks.get @rnn::@h0 : tensor<2xf32>
    %start = blocks.broadcast %h0 like %like dims [1] : tensor<2xf32>, tensor<?x2xf32>
    %hs = blocks.scan sequences(%xs) states(%start) : (tensor<?x?x2xf32>, tensor<?x2xf32>) -> tensor<?x?x2xf32> {
    ^bb0(%t: index, %x: tensor<?x2xf32>, %h: tensor<?x2xf32>):
      %z = blocks.matmul %x, %V : tensor<?x2xf32>, tensor<2x2xf32> to tensor<?x2xf32>
      %gs = blocks.scan sequences(%ys) states(%h) : (tensor<?x?x2xf32>, tensor<?x2xf32>) -> tensor<?x?x2xf32> {
      ^bb0(%s: index, %y: tensor<?x2xf32>, %g: tensor<?x2xf32>):
        %p = blocks.matmul %g, %W : tensor<?x2xf32>, tensor<2x2xf32> to tensor<?x2xf32>
        %bias = blocks.broadcast %b like %p dims [1] : tensor<2xf32>, tensor<?x2xf32>
        %q = arith.addf %p, %bias : tensor<?x2xf32>
        %r = math.tanh %q : tensor<?x2xf32>
        %u = arith.mulf %r, %y : tensor<?x2xf32>
        %v = arith.addf %u, %z : tensor<?x2xf32>
        %n = math.sin %v : tensor<?x2xf32>
        blocks.yield states(%n : tensor<?x2xf32>)
      }
      %sum = blocks.reduce sum %gs dims [0] : tensor<?x?x2xf32> to tensor<?x2xf32>
      %a = blocks.matmul %sum, %V transposed : tensor<?x2xf32>, tensor<2x2xf32> to tensor<?x2xf32>
      %c = arith.addf %a, %h : tensor<?x2xf32>
      %n = math.tanh %c : tensor<?x2xf32>
      blocks.yield states(%n : tensor<?x2xf32>)
    }
    %q = arith.mulf %hs, %hs : tensor<?x?x2xf32>
    %cost = blocks.reduce sum %q dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// Two inner loops one after the other, whose stacked results are products'
// factors in the outer loop; the outer one goes in reverse.
// CHECK: chained: {{[1-9][0-9]*}} elements agree
module @chained {
  blocks.brick @rnn {
    blocks.parameter @W : tensor<2x2xf32> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @V : tensor<2x2xf32> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost(%xs: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["outer", "batch", ""]},
                     %ys: tensor<?x?x2xf32> {blocks.source = "y", blocks.axes = ["inner", "batch", ""]},
                     %h0: tensor<?x2xf32> {blocks.source = "h0", blocks.axes = ["batch", ""]}) {
    %W = blocks.get @rnn::@W : tensor<2x2xf32>
    %V = blocks.get @rnn::@V : tensor<2x2xf32>
    %hs = blocks.scan reverse sequences(%xs) states(%h0) : (tensor<?x?x2xf32>, tensor<?x2xf32>) -> tensor<?x?x2xf32> {
    ^bb0(%t: index, %x: tensor<?x2xf32>, %h: tensor<?x2xf32>):
      %gs = blocks.scan sequences(%ys) states(%h) : (tensor<?x?x2xf32>, tensor<?x2xf32>) -> tensor<?x?x2xf32> {
      ^bb0(%s: index, %y: tensor<?x2xf32>, %g: tensor<?x2xf32>):
        %p = blocks.matmul %g, %W : tensor<?x2xf32>, tensor<2x2xf32> to tensor<?x2xf32>
        %q = arith.addf %p, %y : tensor<?x2xf32>
        %n = math.tanh %q : tensor<?x2xf32>
        blocks.yield states(%n : tensor<?x2xf32>)
      }
      %ks, %os = blocks.scan reverse sequences(%gs) states(%x) : (tensor<?x?x2xf32>, tensor<?x2xf32>) -> (tensor<?x?x2xf32>, tensor<?x?x2xf32>) {
      ^bb0(%s: index, %g: tensor<?x2xf32>, %k: tensor<?x2xf32>):
        %p = blocks.matmul %g, %V : tensor<?x2xf32>, tensor<2x2xf32> to tensor<?x2xf32>
        %q = arith.mulf %p, %k : tensor<?x2xf32>
        %r = arith.addf %q, %h : tensor<?x2xf32>
        %n = math.tanh %r : tensor<?x2xf32>
        blocks.yield states(%n : tensor<?x2xf32>) outputs(%q : tensor<?x2xf32>)
      }
      %a = blocks.reduce sum %ks dims [0] : tensor<?x?x2xf32> to tensor<?x2xf32>
      %b = blocks.reduce sum %os dims [0] : tensor<?x?x2xf32> to tensor<?x2xf32>
      %c = blocks.matmul %a, %W : tensor<?x2xf32>, tensor<2x2xf32> to tensor<?x2xf32>
      %d = arith.addf %c, %b : tensor<?x2xf32>
      %n = math.tanh %d : tensor<?x2xf32>
      blocks.yield states(%n : tensor<?x2xf32>)
    }
    %q = arith.mulf %hs, %hs : tensor<?x?x2xf32>
    %cost = blocks.reduce sum %q dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// No sequences: the number of steps is an axis of a source.
// CHECK: steps: {{[1-9][0-9]*}} elements agree
module @steps {
  blocks.brick @rnn {
    blocks.parameter @W : tensor<2x2xf32> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost(%h0: tensor<?x2xf32> {blocks.source = "h0", blocks.axes = ["batch", ""]},
                     %times: tensor<?xf32> {blocks.source = "times", blocks.axes = ["outer"]}) {
    %W = blocks.get @rnn::@W : tensor<2x2xf32>
    %zero = arith.constant 0 : index
    %count = tensor.dim %times, %zero : tensor<?xf32>
    %hs = blocks.scan states(%h0) steps(%count) : (tensor<?x2xf32>, index) -> tensor<?x?x2xf32> {
    ^bb0(%t: index, %h: tensor<?x2xf32>):
      %p = blocks.matmul %h, %W : tensor<?x2xf32>, tensor<2x2xf32> to tensor<?x2xf32>
      %n = math.tanh %p : tensor<?x2xf32>
      blocks.yield states(%n : tensor<?x2xf32>)
    }
    %q = arith.mulf %hs, %hs : tensor<?x?x2xf32>
    %cost = blocks.reduce sum %q dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}
