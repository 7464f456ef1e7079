// The loop over time: states after each step, outputs, both directions.
// RUN: blocks-interpret %s | FileCheck %s

// Blocks' case of outputs that are not states: state and output both count up,
// without sequences of interest; 3 steps, batch 5, dimension 4.
blocks.graph @counts() {
  %xs = arith.constant dense<0.0> : tensor<3x5x4xf32>
  %s0 = arith.constant dense<0.0> : tensor<5x4xf32>
  %s, %o = blocks.scan sequences(%xs) states(%s0) : (tensor<3x5x4xf32>, tensor<5x4xf32>) -> (tensor<3x5x4xf32>, tensor<3x5x4xf32>) {
  ^bb0(%t: index, %x: tensor<5x4xf32>, %s: tensor<5x4xf32>):
    %one = arith.constant dense<1.0> : tensor<5x4xf32>
    %n = arith.addf %s, %one : tensor<5x4xf32>
    blocks.yield states(%n : tensor<5x4xf32>) outputs(%n : tensor<5x4xf32>)
  }
  %all = blocks.reduce max %s dims [1, 2] : tensor<3x5x4xf32> to tensor<3xf32>
  %first = blocks.reduce min %o dims [1, 2] : tensor<3x5x4xf32> to tensor<3xf32>
  blocks.output %all "states" : tensor<3xf32>
  blocks.output %first "outputs" : tensor<3xf32>
}
// CHECK: @counts states = 3xf32 [1, 2, 3]
// CHECK: @counts outputs = 3xf32 [1, 2, 3]

// Running sums; backwards the results stay at their positions.
blocks.graph @sums() {
  %xs = arith.constant dense<[1.0, 10.0, 100.0]> : tensor<3xf32>
  %s0 = arith.constant dense<0.5> : tensor<f32>
  %f = blocks.scan sequences(%xs) states(%s0) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32> {
  ^bb0(%t: index, %x: tensor<f32>, %s: tensor<f32>):
    %n = arith.addf %s, %x : tensor<f32>
    blocks.yield states(%n : tensor<f32>)
  }
  %r, %i = blocks.scan reverse sequences(%xs) states(%s0) : (tensor<3xf32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xi64>) {
  ^bb0(%t: index, %x: tensor<f32>, %s: tensor<f32>):
    %n = arith.addf %s, %x : tensor<f32>
    %p = arith.index_cast %t : index to i64
    %q = tensor.from_elements %p : tensor<i64>
    blocks.yield states(%n : tensor<f32>) outputs(%q : tensor<i64>)
  }
  blocks.output %f "forward" : tensor<3xf32>
  blocks.output %r "backward" : tensor<3xf32>
  blocks.output %i "positions" : tensor<3xi64>
}
// CHECK: @sums forward = 3xf32 [1.5, 11.5, 111.5]
// CHECK: @sums backward = 3xf32 [111.5, 110.5, 100.5]
// CHECK: @sums positions = 3xi64 [0, 1, 2]

// A masked step keeps the state; a value from outside is a context.
blocks.graph @masked() {
  %xs = arith.constant dense<[[1.0, 1.0], [2.0, 2.0], [4.0, 4.0]]> : tensor<3x2xf32>
  %mask = arith.constant dense<[[true, true], [true, false], [false, true]]> : tensor<3x2xi1>
  %context = arith.constant dense<0.25> : tensor<2xf32>
  %s0 = arith.constant dense<0.0> : tensor<2xf32>
  %f = blocks.scan sequences(%xs, %mask) states(%s0) : (tensor<3x2xf32>, tensor<3x2xi1>, tensor<2xf32>) -> tensor<3x2xf32> {
  ^bb0(%t: index, %x: tensor<2xf32>, %m: tensor<2xi1>, %s: tensor<2xf32>):
    %a = arith.addf %s, %x : tensor<2xf32>
    %b = arith.addf %a, %context : tensor<2xf32>
    %n = arith.select %m, %b, %s : tensor<2xi1>, tensor<2xf32>
    blocks.yield states(%n : tensor<2xf32>)
  }
  blocks.output %f "states" : tensor<3x2xf32>
}
// CHECK: @masked states = 3x2xf32 {{\[\[}}1.25, 1.25], [3.5, 1.25], [3.5, 5.5]]

// No steps at all.
blocks.graph @no_steps() {
  %xs = arith.constant dense<> : tensor<0x2xf32>
  %s0 = arith.constant dense<0.0> : tensor<2xf32>
  %f = blocks.scan sequences(%xs) states(%s0) : (tensor<0x2xf32>, tensor<2xf32>) -> tensor<0x2xf32> {
  ^bb0(%t: index, %x: tensor<2xf32>, %s: tensor<2xf32>):
    %n = arith.addf %s, %x : tensor<2xf32>
    blocks.yield states(%n : tensor<2xf32>)
  }
  blocks.output %f "states" : tensor<0x2xf32>
}
// CHECK: @no_steps states = 0x2xf32 []

// Blocks' case of initial states beside outputs that are not states: no
// sequences, 3 steps; 4 states with the initial one, 3 outputs.
blocks.graph @initial_states() {
  %count = arith.constant 3 : index
  %s0 = arith.constant dense<0.0> : tensor<5x4xf32>
  %s, %o = blocks.scan states(%s0) steps(%count) : (tensor<5x4xf32>, index) -> (tensor<3x5x4xf32>, tensor<3x5x4xf32>) {
  ^bb0(%t: index, %s: tensor<5x4xf32>):
    %one = arith.constant dense<1.0> : tensor<5x4xf32>
    %n = arith.addf %s, %one : tensor<5x4xf32>
    blocks.yield states(%n : tensor<5x4xf32>) outputs(%n : tensor<5x4xf32>)
  }
  %first = tensor.expand_shape %s0 [[0, 1], [2]] output_shape [1, 5, 4] : tensor<5x4xf32> into tensor<1x5x4xf32>
  %all = tensor.concat dim(0) %first, %s : (tensor<1x5x4xf32>, tensor<3x5x4xf32>) -> tensor<4x5x4xf32>
  %states = blocks.reduce max %all dims [1, 2] : tensor<4x5x4xf32> to tensor<4xf32>
  %outputs = blocks.reduce min %o dims [1, 2] : tensor<3x5x4xf32> to tensor<3xf32>
  blocks.output %states "states" : tensor<4xf32>
  blocks.output %outputs "outputs" : tensor<3xf32>
}
// CHECK: @initial_states states = 4xf32 [0, 1, 2, 3]
// CHECK: @initial_states outputs = 3xf32 [1, 2, 3]
