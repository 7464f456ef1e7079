// The examples of Blocks' documentation of recurrent bricks, and calls without
// sequences or with the states after the last step.
// RUN: blocks-interpret %s --passes='blocks-expand-bricks,blocks-inline-applications' | FileCheck %s
// RUN: blocks-opt %s -blocks-expand-bricks -blocks-inline-applications | test-compiled-graphs --shape time=3,batch=2 | FileCheck %s --check-prefix=COMPILED
// RUN: blocks-opt %s -blocks-expand-bricks -blocks-inline-applications | test-compiled-graphs --shape time=0,batch=1
// COMPILED: agrees

// An accumulator of ones.
// CHECK: @accumulator states = 3x1x3xf32 {{\[\[}}[1, 1, 1]], {{\[}}[2, 2, 2]], {{\[}}[3, 3, 3]]]
blocks.brick @first = "SimpleRecurrent" {dim = 3, activation = "Identity", weights_init = #blocks.identity}
blocks.brick @second = "SimpleRecurrent" {dim = 3, activation = "Identity", weights_init = #blocks.identity}
blocks.graph @accumulator() {
  %x = arith.constant dense<1.0> : tensor<3x1x3xf32>
  %h = blocks.apply @first::@apply(%x) : (tensor<3x1x3xf32>) -> tensor<3x1x3xf32>
  blocks.output %h "states" : tensor<3x1x3xf32>
}

// Two layers in one loop; what the first one adds up is fed by both.
// CHECK: @feedback first = 3x1x3xf32 {{\[\[}}[1, 1, 1]], {{\[}}[3, 3, 3]], {{\[}}[8, 8, 8]]]
// CHECK: @feedback second = 3x1x3xf32 {{\[\[}}[1, 1, 1]], {{\[}}[4, 4, 4]], {{\[}}[12, 12, 12]]]
blocks.graph @feedback() {
  %x = arith.constant dense<1.0> : tensor<3x1x3xf32>
  %zero = arith.constant dense<0.0> : tensor<1x3xf32>
  %f, %s = blocks.scan sequences(%x) states(%zero, %zero) : (tensor<3x1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>) -> (tensor<3x1x3xf32>, tensor<3x1x3xf32>) {
  ^bb0(%t: index, %i: tensor<1x3xf32>, %f: tensor<1x3xf32>, %s: tensor<1x3xf32>):
    %both = arith.addf %f, %s : tensor<1x3xf32>
    %n = blocks.apply @first::@apply(%i, %both) {iterate = false} : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
    %m = blocks.apply @second::@apply(%n, %s) {iterate = false} : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
    blocks.yield states(%n, %m : tensor<1x3xf32>, tensor<1x3xf32>)
  }
  blocks.output %f "first" : tensor<3x1x3xf32>
  blocks.output %s "second" : tensor<3x1x3xf32>
}

// Without a sequence: a number of steps and of examples, the steps of a tensor,
// the examples of a state. What is not given counts as zero.
// CHECK: @counted states = 3x2x2xf32 {{\[\[}}[2, 2], [2, 2]], {{\[}}[4, 4], [4, 4]], {{\[}}[8, 8], [8, 8]]]
// CHECK: @counted backwards = 3x2x2xf32 {{\[\[}}[8, 8], [8, 8]], {{\[}}[4, 4], [4, 4]], {{\[}}[2, 2], [2, 2]]]
// CHECK: @counted last = 2x2xf32 {{\[}}[8, 8], [8, 8]]
// CHECK: @counted as_long = 2x1x2xf32 {{\[\[}}[6, 6]], {{\[}}[12, 12]]]
blocks.brick @doubling = "SimpleRecurrent" {dim = 2, activation = "Identity", inits = {W = #blocks.identity<mult = 2.0>, initial_state = #blocks.constant<1.0>}}
blocks.graph @counted() {
  %h = blocks.apply @doubling::@apply() {n_steps = 3, batch_size = 2} : () -> tensor<3x2x2xf32>
  %b, %l = blocks.apply @doubling::@apply() {n_steps = 3, batch_size = 2, reverse, return_final_states} : () -> (tensor<3x2x2xf32>, tensor<2x2xf32>)
  %like = arith.constant dense<0.0> : tensor<2x7xf32>
  %start = arith.constant dense<3.0> : tensor<1x2xf32>
  %a = blocks.apply @doubling::@apply(%like, %start) {arguments = ["steps", "states"]} : (tensor<2x7xf32>, tensor<1x2xf32>) -> tensor<2x1x2xf32>
  blocks.output %h "states" : tensor<3x2x2xf32>
  blocks.output %b "backwards" : tensor<3x2x2xf32>
  blocks.output %l "last" : tensor<2x2xf32>
  blocks.output %a "as_long" : tensor<2x1x2xf32>
}

// The states after the last step, which the next part of a sequence starts from;
// those of both directions and of all layers. The same sequence in two parts
// gives what it gives as a whole.
// CHECK: @parts difference = f32 0{{$}}
// CHECK: @parts both = 2x4xf32
// CHECK: @parts upper = 2x2xf32
// CHECK: @parts lower_cells = 2x2xf32
blocks.brick @lstm = "LSTM" {dim = 2}
blocks.brick @directions = "Bidirectional" {prototype = {kind = "SimpleRecurrent", dim = 2, activation = "Tanh"}}
blocks.brick @stack = "RecurrentStack" {transitions = [{kind = "LSTM", dim = 2}, {kind = "SimpleRecurrent", dim = 2, activation = "Tanh"}]}
blocks.graph @parts() {
  %x = arith.constant dense<[[[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8], [0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]],
                             [[0.1, -0.2, 0.3, -0.4, 0.5, -0.6, 0.7, -0.8], [0.8, -0.7, 0.6, -0.5, 0.4, -0.3, 0.2, -0.1]],
                             [[0.1, 0.2, -0.3, -0.4, 0.5, 0.6, -0.7, -0.8], [0.8, 0.7, -0.6, -0.5, 0.4, 0.3, -0.2, -0.1]]]> : tensor<3x2x8xf32>
  %h, %c = blocks.apply @lstm::@apply(%x) : (tensor<3x2x8xf32>) -> (tensor<3x2x2xf32>, tensor<3x2x2xf32>)
  %x0 = tensor.extract_slice %x[0, 0, 0] [2, 2, 8] [1, 1, 1] : tensor<3x2x8xf32> to tensor<2x2x8xf32>
  %x1 = tensor.extract_slice %x[2, 0, 0] [1, 2, 8] [1, 1, 1] : tensor<3x2x8xf32> to tensor<1x2x8xf32>
  %h0, %c0, %hf, %cf = blocks.apply @lstm::@apply(%x0) {return_final_states} : (tensor<2x2x8xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
  %h1, %c1, %hl, %cl = blocks.apply @lstm::@apply(%x1, %hf, %cf) {return_final_states, arguments = ["inputs", "states", "cells"]} : (tensor<1x2x8xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
  %whole = tensor.extract_slice %h[2, 0, 0] [1, 2, 2] [1, 1, 1] : tensor<3x2x2xf32> to tensor<2x2xf32>
  %d = arith.subf %hl, %whole : tensor<2x2xf32>
  %a = math.absf %d : tensor<2x2xf32>
  %difference = blocks.reduce max %a dims [0, 1] : tensor<2x2xf32> to tensor<f32>
  %small = tensor.extract_slice %x[0, 0, 0] [3, 2, 2] [1, 1, 1] : tensor<3x2x8xf32> to tensor<3x2x2xf32>
  %bh, %both = blocks.apply @directions::@apply(%small) {return_final_states} : (tensor<3x2x2xf32>) -> (tensor<3x2x4xf32>, tensor<2x4xf32>)
  %s0, %s1, %s2, %f0, %f1, %f2 = blocks.apply @stack::@apply(%x) {return_final_states} : (tensor<3x2x8xf32>) -> (tensor<3x2x2xf32>, tensor<3x2x2xf32>, tensor<3x2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
  blocks.output %difference "difference" : tensor<f32>
  blocks.output %both "both" : tensor<2x4xf32>
  blocks.output %f2 "upper" : tensor<2x2xf32>
  blocks.output %f1 "lower_cells" : tensor<2x2xf32>
}

// Without any steps the states after the last one are the initial ones.
blocks.graph @none(%x: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]}) {
  %h, %f = blocks.apply @doubling::@apply(%x) {return_final_states} : (tensor<?x?x2xf32>) -> (tensor<?x?x2xf32>, tensor<?x2xf32>)
  blocks.output %f "last" : tensor<?x2xf32>
}
