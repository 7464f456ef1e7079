// Checkpoints in loops whose number of steps the run alone knows: no steps, one,
// primes, squares. The gradient against finite differences in f64, and the
// compiled code against the reference, which has the same IR and, in @saved,
// the loop that saves its values.
// RUN: blocks-opt %s -split-input-file -blocks-derive-entries='cost=cost' -blocks-differentiate='cost=cost' | FileCheck %s
// RUN: blocks-gradcheck %s --shape time=0,batch=2 --seeds 1
// RUN: blocks-gradcheck %s --shape time=1,batch=2 --seeds 1
// RUN: blocks-gradcheck %s --shape time=2,batch=2 --seeds 1
// RUN: blocks-gradcheck %s --shape time=3,batch=2 --seeds 1
// RUN: blocks-gradcheck %s --shape time=4,batch=2 --seeds 1
// RUN: blocks-gradcheck %s --shape time=7,batch=2 --seeds 1
// RUN: blocks-gradcheck %s --shape time=16,batch=1 --seeds 1
// RUN: blocks-gradcheck %s --shape time=17,batch=1 --seeds 1
// RUN: test-compiled-graphs %s --shape time=0,batch=3
// RUN: test-compiled-graphs %s --shape time=1,batch=3
// RUN: test-compiled-graphs %s --shape time=2,batch=3
// RUN: test-compiled-graphs %s --shape time=3,batch=3
// RUN: test-compiled-graphs %s --shape time=4,batch=3
// RUN: test-compiled-graphs %s --shape time=7,batch=3
// RUN: test-compiled-graphs %s --shape time=16,batch=3
// RUN: test-compiled-graphs %s --shape time=17,batch=17

// Forward, with a mask, random numbers, an output beside the state, all states
// and the last one used.
module @forward {
  blocks.brick @rnn {
    blocks.parameter @W : tensor<2x2xf32> roles [weight] init #blocks.isotropic_gaussian<std = 0.5>
  }
  // Segments of the root's length around their steps, then the rest.
  // CHECK-LABEL: module @forward
  // CHECK: %[[ROOT:.*]] = math.sqrt
  // CHECK: %[[LENGTH:.*]] = arith.maxui
  // CHECK: %[[REST:.*]] = arith.remui %[[T:.*]], %[[LENGTH]]
  // CHECK: %[[WHOLE:.*]] = arith.subi %[[T]], %[[REST]]
  // CHECK: arith.divui %[[WHOLE]], %[[LENGTH]]
  // CHECK: blocks.scan sequences({{.*}} {blocks.recompute} : (tensor<?x?x?x2xf32>
  // CHECK: blocks.scan sequences({{.*}} : (tensor<?x?x2xf32>
  // CHECK: blocks.scan sequences({{.*}} : (tensor<?x?x2xf32>
  blocks.graph @cost(%xs: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]},
                     %ms: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]},
                     %h0: tensor<?x2xf32> {blocks.source = "h0", blocks.axes = ["batch", ""]}) {
    %W = blocks.get @rnn::@W : tensor<2x2xf32>
    %hs, %os = blocks.scan sequences(%xs, %ms) states(%h0) {blocks.checkpoint} : (tensor<?x?x2xf32>, tensor<?x?xf32>, tensor<?x2xf32>) -> (tensor<?x?x2xf32>, tensor<?x?x2xf32>) {
    ^bb0(%t: index, %x: tensor<?x2xf32>, %m: tensor<?xf32>, %h: tensor<?x2xf32>):
      %p = blocks.matmul %h, %W : tensor<?x2xf32>, tensor<2x2xf32> to tensor<?x2xf32>
      %r = blocks.random uniform like %x site 7 index %t : tensor<?x2xf32> to tensor<?x2xf32>
      %n = math.tanh %p : tensor<?x2xf32>
      %d = arith.mulf %n, %r : tensor<?x2xf32>
      %s = arith.addf %d, %x : tensor<?x2xf32>
      %b = blocks.broadcast %m like %h dims [0] : tensor<?xf32>, tensor<?x2xf32>
      %c = arith.subf %s, %h : tensor<?x2xf32>
      %e = arith.mulf %b, %c : tensor<?x2xf32>
      %q = arith.addf %h, %e : tensor<?x2xf32>
      %o = arith.mulf %q, %n : tensor<?x2xf32>
      blocks.yield states(%q : tensor<?x2xf32>) outputs(%o : tensor<?x2xf32>)
    }
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %T = tensor.dim %hs, %zero : tensor<?x?x2xf32>
    %B = tensor.dim %hs, %one : tensor<?x?x2xf32>
    %at = arith.subi %T, %one : index
    %last = tensor.extract_slice %hs[%at, 0, 0] [1, %B, 2] [1, 1, 1] : tensor<?x?x2xf32> to tensor<?x2xf32>
    %l = arith.mulf %last, %last : tensor<?x2xf32>
    %c0 = blocks.reduce sum %l dims [0, 1] : tensor<?x2xf32> to tensor<f32>
    %q = arith.mulf %hs, %os : tensor<?x?x2xf32>
    %c1 = blocks.reduce sum %q dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    %cost = arith.addf %c0, %c1 : tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// In reverse, the rest comes first; the sequences are made by parameters.
module @reverse {
  blocks.brick @rnn {
    blocks.parameter @V : tensor<2x2xf32> roles [weight] init #blocks.isotropic_gaussian<std = 0.5>
    blocks.parameter @W : tensor<2x2xf32> roles [weight] init #blocks.isotropic_gaussian<std = 0.5>
    blocks.parameter @b : tensor<2xf32> roles [bias] init #blocks.constant<0.1>
  }
  // CHECK-LABEL: module @reverse
  // CHECK: blocks.scan reverse sequences({{.*}} : (tensor<?x?x2xf32>
  // CHECK: blocks.scan reverse sequences({{.*}} {blocks.recompute} : (tensor<?x?x?x2xf32>
  blocks.graph @cost(%xs: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]},
                     %h0: tensor<?x2xf32> {blocks.source = "h0", blocks.axes = ["batch", ""]}) {
    %V = blocks.get @rnn::@V : tensor<2x2xf32>
    %W = blocks.get @rnn::@W : tensor<2x2xf32>
    %bias = blocks.get @rnn::@b : tensor<2xf32>
    %flat = tensor.collapse_shape %xs [[0, 1], [2]] : tensor<?x?x2xf32> into tensor<?x2xf32>
    %made = blocks.matmul %flat, %V : tensor<?x2xf32>, tensor<2x2xf32> to tensor<?x2xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %T = tensor.dim %xs, %zero : tensor<?x?x2xf32>
    %B = tensor.dim %xs, %one : tensor<?x?x2xf32>
    %ys = tensor.expand_shape %made [[0, 1], [2]] output_shape [%T, %B, 2] : tensor<?x2xf32> into tensor<?x?x2xf32>
    %hs = blocks.scan reverse sequences(%ys) states(%h0) {blocks.checkpoint} : (tensor<?x?x2xf32>, tensor<?x2xf32>) -> tensor<?x?x2xf32> {
    ^bb0(%t: index, %x: tensor<?x2xf32>, %h: tensor<?x2xf32>):
      %p = blocks.matmul %h, %W : tensor<?x2xf32>, tensor<2x2xf32> to tensor<?x2xf32>
      %bb = blocks.broadcast %bias like %p dims [1] : tensor<2xf32>, tensor<?x2xf32>
      %s = arith.addf %p, %x : tensor<?x2xf32>
      %u = arith.addf %s, %bb : tensor<?x2xf32>
      %n = math.tanh %u : tensor<?x2xf32>
      blocks.yield states(%n : tensor<?x2xf32>)
    }
    %last = tensor.extract_slice %hs[0, 0, 0] [1, %B, 2] [1, 1, 1] : tensor<?x?x2xf32> to tensor<?x2xf32>
    %l = arith.mulf %last, %last : tensor<?x2xf32>
    %c0 = blocks.reduce sum %l dims [0, 1] : tensor<?x2xf32> to tensor<f32>
    %q = arith.mulf %hs, %hs : tensor<?x?x2xf32>
    %c1 = blocks.reduce sum %q dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    %cost = arith.addf %c0, %c1 : tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// No sequences: as many steps as another axis has.
module @counted {
  blocks.brick @rnn {
    blocks.parameter @W : tensor<2x2xf32> roles [weight] init #blocks.isotropic_gaussian<std = 0.5>
  }
  // CHECK-LABEL: module @counted
  // CHECK: blocks.scan states({{.*}}) steps({{.*}}) {blocks.recompute}
  blocks.graph @cost(%xs: tensor<?x2xf32> {blocks.source = "x", blocks.axes = ["time", ""]},
                     %h0: tensor<?x2xf32> {blocks.source = "h0", blocks.axes = ["batch", ""]}) {
    %W = blocks.get @rnn::@W : tensor<2x2xf32>
    %zero = arith.constant 0 : index
    %T = tensor.dim %xs, %zero : tensor<?x2xf32>
    %hs = blocks.scan states(%h0) steps(%T) {blocks.checkpoint} : (tensor<?x2xf32>, index) -> tensor<?x?x2xf32> {
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

// -----

// A loop in the steps of another, both cut.
module @nested {
  blocks.brick @rnn {
    blocks.parameter @W : tensor<2x2xf32> roles [weight] init #blocks.isotropic_gaussian<std = 0.5>
  }
  // CHECK-LABEL: module @nested
  blocks.graph @cost(%xs: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]},
                     %h0: tensor<?x2xf32> {blocks.source = "h0", blocks.axes = ["batch", ""]}) {
    %W = blocks.get @rnn::@W : tensor<2x2xf32>
    %hs = blocks.scan sequences(%xs) states(%h0) {blocks.checkpoint} : (tensor<?x?x2xf32>, tensor<?x2xf32>) -> tensor<?x?x2xf32> {
    ^bb0(%t: index, %x: tensor<?x2xf32>, %h: tensor<?x2xf32>):
      %gs = blocks.scan sequences(%xs) states(%h) {blocks.checkpoint} : (tensor<?x?x2xf32>, tensor<?x2xf32>) -> tensor<?x?x2xf32> {
      ^bb1(%u: index, %y: tensor<?x2xf32>, %g: tensor<?x2xf32>):
        %p = blocks.matmul %g, %W : tensor<?x2xf32>, tensor<2x2xf32> to tensor<?x2xf32>
        %s = arith.addf %p, %y : tensor<?x2xf32>
        %n = math.tanh %s : tensor<?x2xf32>
        blocks.yield states(%n : tensor<?x2xf32>)
      }
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %T = tensor.dim %gs, %zero : tensor<?x?x2xf32>
      %B = tensor.dim %gs, %one : tensor<?x?x2xf32>
      %at = arith.subi %T, %one : index
      %last = tensor.extract_slice %gs[%at, 0, 0] [1, %B, 2] [1, 1, 1] : tensor<?x?x2xf32> to tensor<?x2xf32>
      %m = arith.mulf %last, %x : tensor<?x2xf32>
      blocks.yield states(%m : tensor<?x2xf32>)
    }
    %q = arith.mulf %hs, %hs : tensor<?x?x2xf32>
    %cost = blocks.reduce sum %q dims [0, 1, 2] : tensor<?x?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}
