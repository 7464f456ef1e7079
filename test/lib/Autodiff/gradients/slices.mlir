// Parts of axes whose extents the run alone knows: all but the first or the
// last, the first and the last two, halves and thirds, pairs, and windows that
// move with a loop. Gradients against finite differences, compiled code against
// the reference. What the extents must be like is required before the entry runs.
// RUN: blocks-gradcheck %s --shape time=4,batch=2 --seeds 2 | FileCheck %s
// RUN: blocks-gradcheck %s --shape time=2,batch=1 --seeds 1
// RUN: blocks-gradcheck %s --shape time=6,batch=3 --seeds 1
// RUN: test-compiled-graphs %s --shape time=2,batch=3
// RUN: test-compiled-graphs %s --shape time=4,batch=17
// RUN: test-compiled-graphs %s --shape time=8,batch=1

// The step before each step, and the difference of both.
// CHECK: shifted: {{[1-9][0-9]*}} elements agree
module @shifted {
  blocks.brick @p {
    blocks.parameter @w : tensor<3xf32> roles [weight] init #blocks.constant<0.5>
  }
  blocks.graph @cost(%x: tensor<?x?x3xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %w = blocks.get @p::@w : tensor<3xf32>
    %t = tensor.dim %x, %zero : tensor<?x?x3xf32>
    %n = tensor.dim %x, %one : tensor<?x?x3xf32>
    %b = blocks.broadcast %w like %x dims [2] : tensor<3xf32>, tensor<?x?x3xf32>
    %z = arith.mulf %x, %b : tensor<?x?x3xf32>
    %y = math.sin %z : tensor<?x?x3xf32>
    %less = arith.subi %t, %one : index
    %before = tensor.extract_slice %y[0, 0, 0] [%less, %n, 3] [1, 1, 1] : tensor<?x?x3xf32> to tensor<?x?x3xf32>
    %after = tensor.extract_slice %y[1, 0, 0] [%less, %n, 3] [1, 1, 1] : tensor<?x?x3xf32> to tensor<?x?x3xf32>
    %d = arith.subf %after, %before : tensor<?x?x3xf32>
    %square = arith.mulf %d, %d : tensor<?x?x3xf32>
    %ds = blocks.reduce sum %square dims [0, 1, 2] : tensor<?x?x3xf32> to tensor<f32>
    %first = tensor.extract_slice %y[0, 0, 0] [1, %n, 3] [1, 1, 1] : tensor<?x?x3xf32> to tensor<1x?x3xf32>
    %moved = tensor.concat dim(0) %first, %before : (tensor<1x?x3xf32>, tensor<?x?x3xf32>) -> tensor<?x?x3xf32>
    %together = arith.mulf %moved, %y : tensor<?x?x3xf32>
    %ts = blocks.reduce sum %together dims [0, 1, 2] : tensor<?x?x3xf32> to tensor<f32>
    %c = arith.addf %ds, %ts : tensor<f32>
    blocks.output %c "cost" roles [cost] : tensor<f32>
    blocks.output %d "differences" : tensor<?x?x3xf32>
    blocks.output %moved "moved" : tensor<?x?x3xf32>
  }
}

// -----

// CHECK: ends: {{[1-9][0-9]*}} elements agree
module @ends {
  blocks.brick @p {
    blocks.parameter @w : tensor<3xf32> roles [weight] init #blocks.constant<0.5>
  }
  blocks.graph @cost(%x: tensor<?x?x3xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %w = blocks.get @p::@w : tensor<3xf32>
    %t = tensor.dim %x, %zero : tensor<?x?x3xf32>
    %n = tensor.dim %x, %one : tensor<?x?x3xf32>
    %b = blocks.broadcast %w like %x dims [2] : tensor<3xf32>, tensor<?x?x3xf32>
    %z = arith.mulf %x, %b : tensor<?x?x3xf32>
    %y = math.sin %z : tensor<?x?x3xf32>
    %start = arith.subi %t, %two : index
    %first = tensor.extract_slice %y[0, 0, 0] [2, %n, 3] [1, 1, 1] : tensor<?x?x3xf32> to tensor<2x?x3xf32>
    %last = tensor.extract_slice %y[%start, 0, 1] [2, %n, 2] [1, 1, 1] : tensor<?x?x3xf32> to tensor<2x?x2xf32>
    %columns = tensor.extract_slice %first[0, 0, 0] [2, %n, 2] [1, 1, 1] : tensor<2x?x3xf32> to tensor<2x?x2xf32>
    %m = arith.mulf %columns, %last : tensor<2x?x2xf32>
    %c = blocks.reduce sum %m dims [0, 1, 2] : tensor<2x?x2xf32> to tensor<f32>
    blocks.output %c "cost" roles [cost] : tensor<f32>
    blocks.output %first "first" : tensor<2x?x3xf32>
    blocks.output %last "last" : tensor<2x?x2xf32>
  }
}

// -----

// Division rounds down; what a tensor is divided into must be all of it.
// CHECK: divided: {{[1-9][0-9]*}} elements agree
module @divided {
  blocks.brick @p {
    blocks.parameter @w : tensor<3xf32> roles [weight] init #blocks.constant<0.5>
  }
  blocks.graph @cost(%x: tensor<?x?x3xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %three = arith.constant 3 : index
    %w = blocks.get @p::@w : tensor<3xf32>
    %t = tensor.dim %x, %zero : tensor<?x?x3xf32>
    %n = tensor.dim %x, %one : tensor<?x?x3xf32>
    %b = blocks.broadcast %w like %x dims [2] : tensor<3xf32>, tensor<?x?x3xf32>
    %z = arith.mulf %x, %b : tensor<?x?x3xf32>
    %y = math.sin %z : tensor<?x?x3xf32>
    // The middle third, without what the thirds leave.
    %third = arith.divui %t, %three : index
    %middle = tensor.extract_slice %y[%third, 0, 0] [%third, %n, 3] [1, 1, 1] : tensor<?x?x3xf32> to tensor<?x?x3xf32>
    %ms = blocks.reduce sum %middle dims [0, 1, 2] : tensor<?x?x3xf32> to tensor<f32>
    %half = arith.divui %t, %two : index
    %pairs = tensor.expand_shape %y [[0, 1], [2], [3]] output_shape [%half, 2, %n, 3] : tensor<?x?x3xf32> into tensor<?x2x?x3xf32>
    %sums = blocks.reduce sum %pairs dims [1] : tensor<?x2x?x3xf32> to tensor<?x?x3xf32>
    %squares = arith.mulf %sums, %sums : tensor<?x?x3xf32>
    %ss = blocks.reduce sum %squares dims [0, 1, 2] : tensor<?x?x3xf32> to tensor<f32>
    %again = tensor.collapse_shape %pairs [[0, 1], [2], [3]] : tensor<?x2x?x3xf32> into tensor<?x?x3xf32>
    %product = arith.mulf %again, %x : tensor<?x?x3xf32>
    %ps = blocks.reduce sum %product dims [0, 1, 2] : tensor<?x?x3xf32> to tensor<f32>
    %a = arith.addf %ms, %ss : tensor<f32>
    %c = arith.addf %a, %ps : tensor<f32>
    blocks.output %c "cost" roles [cost] : tensor<f32>
    blocks.output %middle "middle" : tensor<?x?x3xf32>
    blocks.output %sums "sums" : tensor<?x?x3xf32>
  }
}

// -----

// A window of two rows at each step, from one row below; what it gives is added
// to the same rows of the state.
// CHECK: moving: {{[1-9][0-9]*}} elements agree
module @moving {
  blocks.brick @p {
    blocks.parameter @w : tensor<3xf32> roles [weight] init #blocks.constant<0.5>
  }
  blocks.graph @cost(%x: tensor<?x?x3xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %w = blocks.get @p::@w : tensor<3xf32>
    %n = tensor.dim %x, %one : tensor<?x?x3xf32>
    %b = blocks.broadcast %w like %x dims [2] : tensor<3xf32>, tensor<?x?x3xf32>
    %z = arith.mulf %x, %b : tensor<?x?x3xf32>
    %y = math.sin %z : tensor<?x?x3xf32>
    %row = tensor.extract_slice %y[0, 0, 0] [1, %n, 3] [1, 1, 1] : tensor<?x?x3xf32> to tensor<1x?x3xf32>
    %padded = tensor.concat dim(0) %row, %y : (tensor<1x?x3xf32>, tensor<?x?x3xf32>) -> tensor<?x?x3xf32>
    %states, %windows = blocks.scan sequences(%y) states(%padded) : (tensor<?x?x3xf32>, tensor<?x?x3xf32>) -> (tensor<?x?x?x3xf32>, tensor<?x2x?x2xf32>) {
    ^bb0(%t: index, %s: tensor<?x3xf32>, %h: tensor<?x?x3xf32>):
      %window = tensor.extract_slice %padded[%t, 0, 1] [2, %n, 2] [1, 1, 1] : tensor<?x?x3xf32> to tensor<2x?x2xf32>
      %held = tensor.extract_slice %h[%t, 0, 1] [2, %n, 2] [1, 1, 1] : tensor<?x?x3xf32> to tensor<2x?x2xf32>
      %product = arith.mulf %window, %held : tensor<2x?x2xf32>
      %next = tensor.insert_slice %product into %h[%t, 0, 1] [2, %n, 2] [1, 1, 1] : tensor<2x?x2xf32> into tensor<?x?x3xf32>
      blocks.yield states(%next : tensor<?x?x3xf32>) outputs(%window : tensor<2x?x2xf32>)
    }
    %a = blocks.reduce sum %states dims [0, 1, 2, 3] : tensor<?x?x?x3xf32> to tensor<f32>
    %squares = arith.mulf %windows, %windows : tensor<?x2x?x2xf32>
    %s = blocks.reduce sum %squares dims [0, 1, 2, 3] : tensor<?x2x?x2xf32> to tensor<f32>
    %c = arith.addf %a, %s : tensor<f32>
    blocks.output %c "cost" roles [cost] : tensor<f32>
    blocks.output %windows "windows" : tensor<?x2x?x2xf32>
  }
}
