// The state after the last step, which without steps is the initial one: its
// gradient reaches the initial state either way.
// RUN: blocks-gradcheck %s --shape time=3,batch=2 --seeds 2 | FileCheck %s
// RUN: blocks-gradcheck %s --shape time=1,batch=1 --seeds 1
// RUN: blocks-gradcheck %s --shape time=0,batch=3 --seeds 1
// RUN: blocks-gradcheck %s --shape time=2,batch=2,inner=0 --seeds 1
// RUN: test-compiled-graphs %s --shape time=4,batch=17
// RUN: test-compiled-graphs %s --shape time=2,batch=3,inner=0
// RUN: test-compiled-graphs %s --shape time=0,batch=3

// Whole states are asked for, too.
// CHECK: forward: {{[1-9][0-9]*}} elements agree
module @forward {
  blocks.brick @rnn {
    blocks.parameter @W : tensor<2x2xf32> roles [weight] init #blocks.constant<0.5>
    blocks.parameter @h0 : tensor<2xf32> roles [initial_state] init #blocks.constant<0.5>
  }
  blocks.graph @cost(%xs: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]},
                     %like: tensor<?x2xf32> {blocks.source = "like", blocks.axes = ["batch", ""]}) {
    %W = blocks.get @rnn::@W : tensor<2x2xf32>
    %h0 = blocks.get @rnn::@h0 : tensor<2xf32>
    %start = blocks.broadcast %h0 like %like dims [1] : tensor<2xf32>, tensor<?x2xf32>
    %hs = blocks.scan sequences(%xs) states(%start) : (tensor<?x?x2xf32>, tensor<?x2xf32>) -> tensor<?x?x2xf32> {
    ^bb0(%t: index, %x: tensor<?x2xf32>, %h: tensor<?x2xf32>):
      %p = blocks.matmul %h, %W : tensor<?x2xf32>, tensor<2x2xf32> to tensor<?x2xf32>
      %s = arith.addf %p, %x : tensor<?x2xf32>
      %n = math.tanh %s : tensor<?x2xf32>
      blocks.yield states(%n : tensor<?x2xf32>)
    }
    %tagged = blocks.tag %hs <"/rnn", "apply", "states", [output], "rnn.apply#0"> : tensor<?x?x2xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %T = tensor.dim %xs, %zero : tensor<?x?x2xf32>
    %B = tensor.dim %tagged, %one : tensor<?x?x2xf32>
    %end = arith.subi %T, %one : index
    %last = tensor.extract_slice %tagged[%end, 0, 0] [1, %B, 2] [1, 1, 1] : tensor<?x?x2xf32> to tensor<?x2xf32>
    %q = arith.mulf %last, %last : tensor<?x2xf32>
    %a = blocks.reduce sum %q dims [0, 1] : tensor<?x2xf32> to tensor<f32>
    %b = blocks.reduce sum %hs dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    %cost = arith.addf %a, %b : tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// Two slices of one state, in reverse. Of what the steps compute nothing is
// needed to go back, so that no sequence tells the backward loop how long it is.
// CHECK: reverse: {{[1-9][0-9]*}} elements agree
module @reverse {
  blocks.brick @rnn {
    blocks.parameter @h0 : tensor<3xf32> roles [initial_state] init #blocks.constant<0.5>
  }
  blocks.graph @cost(%xs: tensor<?x3xf32> {blocks.source = "x", blocks.axes = ["time", ""]}) {
    %h0 = blocks.get @rnn::@h0 : tensor<3xf32>
    %hs = blocks.scan reverse sequences(%xs) states(%h0) : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32> {
    ^bb0(%t: index, %x: tensor<3xf32>, %h: tensor<3xf32>):
      %double = arith.addf %h, %h : tensor<3xf32>
      %n = arith.subf %double, %x : tensor<3xf32>
      blocks.yield states(%n : tensor<3xf32>)
    }
    %last = tensor.extract_slice %hs[0, 0] [1, 3] [1, 1] : tensor<?x3xf32> to tensor<3xf32>
    %again = tensor.extract_slice %hs[0, 0] [1, 3] [1, 1] : tensor<?x3xf32> to tensor<3xf32>
    %q = arith.mulf %last, %again : tensor<3xf32>
    %cost = blocks.reduce sum %q dims [0] : tensor<3xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// A loop in a loop's step, which takes what the inner one ends with.
// CHECK: nested: {{[1-9][0-9]*}} elements agree
module @nested {
  blocks.brick @rnn {
    blocks.parameter @W : tensor<2x2xf32> roles [weight] init #blocks.constant<0.5>
  }
  blocks.graph @cost(%xs: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]},
                     %start: tensor<?x2xf32> {blocks.source = "start", blocks.axes = ["batch", ""]}) {
    %W = blocks.get @rnn::@W : tensor<2x2xf32>
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %hs = blocks.scan sequences(%xs) states(%start) : (tensor<?x?x2xf32>, tensor<?x2xf32>) -> tensor<?x?x2xf32> {
    ^bb0(%t: index, %x: tensor<?x2xf32>, %h: tensor<?x2xf32>):
      %p = blocks.matmul %h, %W : tensor<?x2xf32>, tensor<2x2xf32> to tensor<?x2xf32>
      %gs = blocks.scan states(%p) steps(%two) : (tensor<?x2xf32>, index) -> tensor<2x?x2xf32> {
      ^bb0(%s: index, %g: tensor<?x2xf32>):
        %y = arith.mulf %g, %x : tensor<?x2xf32>
        %n = math.tanh %y : tensor<?x2xf32>
        blocks.yield states(%n : tensor<?x2xf32>)
      }
      %B = tensor.dim %gs, %one : tensor<2x?x2xf32>
      %last = tensor.extract_slice %gs[1, 0, 0] [1, %B, 2] [1, 1, 1] : tensor<2x?x2xf32> to tensor<?x2xf32>
      %n = arith.addf %last, %h : tensor<?x2xf32>
      blocks.yield states(%n : tensor<?x2xf32>)
    }
    %q = arith.mulf %hs, %hs : tensor<?x?x2xf32>
    %cost = blocks.reduce sum %q dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// What the inner loop ends with is needed again to go back.
// CHECK: kept: {{[1-9][0-9]*}} elements agree
module @kept {
  blocks.brick @rnn {
    blocks.parameter @h0 : tensor<2xf32> roles [initial_state] init #blocks.constant<0.5>
  }
  blocks.graph @cost(%xs: tensor<?x2xf32> {blocks.source = "x", blocks.axes = ["time", ""]},
                     %ys: tensor<?x2xf32> {blocks.source = "y", blocks.axes = ["inner", ""]}) {
    %h0 = blocks.get @rnn::@h0 : tensor<2xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %hs = blocks.scan sequences(%xs) states(%h0) : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32> {
    ^bb0(%t: index, %x: tensor<2xf32>, %h: tensor<2xf32>):
      %gs = blocks.scan sequences(%ys) states(%h) : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32> {
      ^bb0(%s: index, %y: tensor<2xf32>, %g: tensor<2xf32>):
        %p = arith.mulf %g, %y : tensor<2xf32>
        %n = math.tanh %p : tensor<2xf32>
        blocks.yield states(%n : tensor<2xf32>)
      }
      %count = tensor.dim %gs, %zero : tensor<?x2xf32>
      %end = arith.subi %count, %one : index
      %last = tensor.extract_slice %gs[%end, 0] [1, 2] [1, 1] : tensor<?x2xf32> to tensor<2xf32>
      %a = math.sin %last : tensor<2xf32>
      %n = arith.addf %a, %x : tensor<2xf32>
      blocks.yield states(%n : tensor<2xf32>)
    }
    %q = arith.mulf %hs, %hs : tensor<?x2xf32>
    %cost = blocks.reduce sum %q dims [0, 1] : tensor<?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}
