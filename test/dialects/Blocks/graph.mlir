// Graphs, outputs, tags, assignments and steps print as they are written.
// RUN: blocks-opt %s | blocks-opt | FileCheck %s

blocks.brick @linear {
  blocks.parameter @W : tensor<3x2xf32> roles [weight] init #blocks.constant<0.5>
}

// CHECK: blocks.graph @cost(%{{.*}}: tensor<?x3xf32> {blocks.axes = ["batch", "feature"], blocks.source = "x"})
blocks.graph @cost(%x: tensor<?x3xf32> {blocks.source = "x", blocks.axes = ["batch", "feature"]}) {
  // CHECK-NEXT: blocks.get @linear::@W : tensor<3x2xf32>
  %w = blocks.get @linear::@W : tensor<3x2xf32>
  // CHECK-NEXT: blocks.tag %{{.*}} <"/linear", "", "W", [weight], ""> : tensor<3x2xf32>
  %t = blocks.tag %w <"/linear", "", "W", [weight], ""> : tensor<3x2xf32>
  // Roles are sorted; a role goes when a kind of it is there.
  // CHECK-NEXT: blocks.tag %{{.*}} <"/linear", "apply", "output", [output, cost], "linear.apply#0">
  %u = blocks.tag %t <"/linear", "apply", "output", [cost, output], "linear.apply#0"> : tensor<3x2xf32>
  %p = blocks.matmul %x, %u : tensor<?x3xf32>, tensor<3x2xf32> to tensor<?x2xf32>
  // CHECK: blocks.output %{{.*}} "scores" : tensor<?x2xf32>
  blocks.output %p "scores" : tensor<?x2xf32>
  %c = blocks.reduce sum %p dims [0, 1] : tensor<?x2xf32> to tensor<f32>
  // CHECK: blocks.output %{{.*}} "cost" roles [cost] aggregate mean : tensor<f32>
  blocks.output %c "cost" roles [cost] aggregate mean : tensor<f32>
  // CHECK: blocks.assign @linear::@W, %{{.*}} : tensor<3x2xf32>
  blocks.assign @linear::@W, %t : tensor<3x2xf32>
}
