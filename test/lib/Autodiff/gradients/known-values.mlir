// Costs and gradients whose numbers were computed elsewhere.
// RUN: blocks-interpret %s --passes 'blocks-inline-applications,blocks-differentiate{cost=cost graph=cost}' | FileCheck %s

// One brick under two parents, W = I/2 and x = [1, 2]: one parameter, and its
// gradient is the sum over both paths.
module {
  blocks.brick @sub {
    blocks.parameter @W : tensor<2x2xf64> roles [weight] init #blocks.identity<mult = 0.5>
    blocks.application @apply(%x: tensor<1x2xf64>) -> tensor<1x2xf64> {
      %W = blocks.get @sub::@W : tensor<2x2xf64>
      %y = blocks.matmul %x, %W : tensor<1x2xf64>, tensor<2x2xf64> to tensor<1x2xf64>
      blocks.return %y : tensor<1x2xf64>
    }
  }
  blocks.graph @cost() {
    %x = arith.constant dense<[[1.0, 2.0]]> : tensor<1x2xf64>
    %p = blocks.apply @sub::@apply(%x) : (tensor<1x2xf64>) -> tensor<1x2xf64>
    %q = blocks.apply @sub::@apply(%x) : (tensor<1x2xf64>) -> tensor<1x2xf64>
    %a = math.tanh %p : tensor<1x2xf64>
    %b = math.tanh %q : tensor<1x2xf64>
    %s = arith.addf %a, %b : tensor<1x2xf64>
    %cost = blocks.reduce sum %s dims [0, 1] : tensor<1x2xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}
// CHECK: @cost cost = f64 2.44742262
// CHECK: @cost gradient of /sub.W = 2x2xf64 {{\[\[}}1.572895{{[0-9]*}}, 0.83994868{{[0-9]*}}], [3.14579093{{[0-9]*}}, 1.67989736

// -----

// Dropout reaches the cost: W = [1, 1], x = [3, 4] with the mask [1, 0] and
// p = 1/2, cost (xW)².
module {
  blocks.brick @b {
    blocks.parameter @W : tensor<2x1xf64> roles [weight] init #blocks.constant<1.0>
  }
  blocks.graph @cost() {
    %W = blocks.get @b::@W : tensor<2x1xf64>
    %x = arith.constant dense<[[3.0, 4.0]]> : tensor<1x2xf64>
    %mask = arith.constant dense<[[2.0, 0.0]]> : tensor<1x2xf64>
    %d = arith.mulf %x, %mask : tensor<1x2xf64>
    %y = blocks.matmul %d, %W : tensor<1x2xf64>, tensor<2x1xf64> to tensor<1x1xf64>
    %square = arith.mulf %y, %y : tensor<1x1xf64>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<1x1xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}
// CHECK: @cost cost = f64 36
// CHECK: @cost gradient of /b.W = 2x1xf64 {{\[\[}}72], [0]]

// -----

// Logits of [1000, 0] with label 1: no overflow.
module {
  blocks.brick @b {
    blocks.parameter @x : tensor<1x2xf64> roles [weight] init #blocks.constant<0.0>
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<1x2xf64>
    %shift = arith.constant dense<[[1000.0, 0.0]]> : tensor<1x2xf64>
    %logits = arith.addf %x, %shift : tensor<1x2xf64>
    %label = arith.constant dense<1> : tensor<1xui8>
    %c, %lp = blocks.softmax_cross_entropy %logits, %label : tensor<1x2xf64>, tensor<1xui8> to tensor<1xf64>, tensor<1x2xf64>
    %cost = blocks.reduce sum %c dims [0] : tensor<1xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}
// CHECK: @cost cost = f64 1000
// CHECK: @cost gradient of /b.x = 1x2xf64 {{\[\[}}1, -1]]
