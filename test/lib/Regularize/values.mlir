// What regularized graphs compute, by the reference interpreter.
// RUN: blocks-opt %s -blocks-expand-bricks -blocks-inline-applications -blocks-derive-entries \
// RUN:   -blocks-dropout="p=0.25 where='role:input brick:/ones'" -blocks-dropout="p=0.5 where='role:output brick:/rnn/identity'" \
// RUN:   -blocks-penalty="l1=1.0 l2=0.5" | blocks-interpret | FileCheck %s

// Of 4000 ones about a quarter goes, the others become 4/3: the mean stays
// about 1. Every step of the recurrence, without inputs but ones, has its own
// mask: sums over the batch differ from step to step.
// CHECK: @train cost = f32
// CHECK: @train penalty = f32 3
// CHECK: @train dropped = f32 0.2{{[3-6][0-9]*}}
// CHECK: @train mean = f32 {{0.9[89]|1.0[01]}}
// CHECK: @train largest = f32 1.333333
// CHECK: @train equal_masks = f32 0{{$}}
// The evaluation entry is untouched.
// CHECK: @eval cost = f32 1
// CHECK-NOT: @eval penalty
// CHECK: @eval dropped = f32 0
// CHECK: @eval mean = f32 1
// CHECK: @eval largest = f32 1
// CHECK: @eval equal_masks = f32 1
blocks.brick @ones = "Identity" {}
blocks.brick @rnn = "SimpleRecurrent" {dim = 2, activation = "Identity", weights_init = #blocks.identity}
blocks.graph @model() {
  %ones = arith.constant dense<1.0> : tensor<40x100xf32>
  %0 = blocks.apply @ones::@apply(%ones) : (tensor<40x100xf32>) -> tensor<40x100xf32>
  %sum = blocks.reduce sum %0 dims [0, 1] : tensor<40x100xf32> to tensor<f32>
  %count = blocks.extent %0 dims [0, 1] : tensor<40x100xf32> to tensor<f32>
  %mean = arith.divf %sum, %count : tensor<f32>
  %zero = arith.constant dense<0.0> : tensor<40x100xf32>
  %gone = arith.cmpf oeq, %0, %zero : tensor<40x100xf32>
  %gone01 = blocks.cast %gone : tensor<40x100xi1> to tensor<40x100xf32>
  %gone_sum = blocks.reduce sum %gone01 dims [0, 1] : tensor<40x100xf32> to tensor<f32>
  %dropped = arith.divf %gone_sum, %count : tensor<f32>
  %largest = blocks.reduce max %0 dims [0, 1] : tensor<40x100xf32> to tensor<f32>

  %xs = arith.constant dense<1.0> : tensor<2x64x2xf32>
  %h = blocks.apply @rnn::@apply(%xs) : (tensor<2x64x2xf32>) -> tensor<2x64x2xf32>
  // h0 = m0·1, h1 = m1·(h0 + 1): with equal masks h1 = m0·(m0 + 1), 6 or 0.
  %h0 = tensor.extract_slice %h[0, 0, 0] [1, 64, 2] [1, 1, 1] : tensor<2x64x2xf32> to tensor<64x2xf32>
  %h1 = tensor.extract_slice %h[1, 0, 0] [1, 64, 2] [1, 1, 1] : tensor<2x64x2xf32> to tensor<64x2xf32>
  %z = arith.constant dense<0.0> : tensor<64x2xf32>
  %d0 = arith.cmpf oeq, %h0, %z : tensor<64x2xf32>
  %d1 = arith.cmpf oeq, %h1, %z : tensor<64x2xf32>
  %same = arith.cmpi eq, %d0, %d1 : tensor<64x2xi1>
  %same01 = blocks.cast %same : tensor<64x2xi1> to tensor<64x2xf32>
  %equal = blocks.reduce min %same01 dims [0, 1] : tensor<64x2xf32> to tensor<f32>
  blocks.output %mean "cost" roles [cost] aggregate mean : tensor<f32>
  blocks.output %dropped "dropped" : tensor<f32>
  blocks.output %mean "mean" : tensor<f32>
  blocks.output %largest "largest" : tensor<f32>
  blocks.output %equal "equal_masks" : tensor<f32>
}
