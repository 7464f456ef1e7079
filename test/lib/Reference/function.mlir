// A function that materialize-state made runs like the graph it came from:
// state and sources by name, updates among the results.
// RUN: blocks-interpret %s | FileCheck %s

blocks.brick @b {
  blocks.parameter @W : tensor<2xf32> roles [weight] init #blocks.constant<3.0>
}
func.func @train(%W: tensor<2xf32> {blocks.state = "/b.W"}, %x: tensor<?x2xf32> {blocks.source = "x", blocks.axes = ["batch", ""]})
    -> (tensor<2xf32> {blocks.state = "/b.W"}, tensor<?xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  %half = arith.constant dense<0.5> : tensor<2xf32>
  %n = arith.mulf %W, %half : tensor<2xf32>
  %z = arith.constant dense<0.0> : tensor<2xf32>
  %i = arith.constant 0 : index
  %d = tensor.dim %x, %i : tensor<?x2xf32>
  %f = arith.constant 1.0 : f32
  %y = tensor.splat %f[%d] : tensor<?xf32>
  return %n, %y : tensor<2xf32>, tensor<?xf32>
}
// CHECK: @train y = 3xf32 [1, 1, 1]
// CHECK: @train new /b.W = 2xf32 [1.5, 1.5]

// In a graph `get` yields the old value, also after an assignment.
blocks.graph @graph() {
  %W = blocks.get @b::@W : tensor<2xf32>
  %n = arith.addf %W, %W : tensor<2xf32>
  blocks.assign @b::@W, %n : tensor<2xf32>
  %V = blocks.get @b::@W : tensor<2xf32>
  blocks.output %V "old" : tensor<2xf32>
}
// CHECK: @graph old = 2xf32 [3, 3]
// CHECK: @graph new /b.W = 2xf32 [6, 6]
