// Gradients of the masked softmax; the second row has no position, and gets
// zeros. A huge energy at a masked position changes nothing.
// RUN: blocks-gradcheck %s

module @masked {
  blocks.brick @b {
    blocks.parameter @x : tensor<3x4xf64> roles [weight] init #blocks.constant<0.0> {check.range = [-3, 3]}
  }
  blocks.graph @cost() {
    %x = blocks.get @b::@x : tensor<3x4xf64>
    %huge = arith.constant dense<[[0.0, 1.0e300, 0.0, 0.0], [1.0e300, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<3x4xf64>
    %m = arith.constant dense<[[true, false, true, true], [false, false, false, false], [false, true, false, false]]> : tensor<3x4xi1>
    %e = arith.addf %x, %huge : tensor<3x4xf64>
    %y = blocks.softmax %e masked %m : tensor<3x4xf64>, tensor<3x4xi1>
    %w = arith.constant dense<[[0.5, 1.0, -1.0, 2.0], [1.0, 2.0, 3.0, 4.0], [0.25, 2.0, -2.0, 1.0]]> : tensor<3x4xf64>
    %p = arith.mulf %y, %w : tensor<3x4xf64>
    %q = arith.mulf %p, %y : tensor<3x4xf64>
    %cost = blocks.reduce sum %q dims [0, 1] : tensor<3x4xf64> to tensor<f64>
    blocks.output %cost "cost" roles [cost] : tensor<f64>
  }
}
