// RUN: blocks-opt %s --verify-annotations --blocks-materialize-state | FileCheck %s

// CHECK: blocks.brick @a
blocks.brick @a {
  blocks.parameter @w : tensor<2xf32> roles [weight] init #blocks.constant<1.0>
  blocks.parameter @unused : tensor<2xf32> roles [weight] init #blocks.constant<1.0>
  blocks.brick @c {
    blocks.parameter @v : tensor<2xf32> roles [weight] init #blocks.constant<1.0>
  }
}

// State in the order of definition, whatever the order of use; written state
// comes back first, then the outputs.
// CHECK: func.func @train(%[[W:.*]]: tensor<2xf32> {blocks.state = "/a.w"}, %[[V:.*]]: tensor<2xf32> {blocks.state = "/a/c.v"}, %[[X:.*]]: tensor<?x2xf32> {blocks.axes = ["batch", "feature"], blocks.source = "features"})
// CHECK-SAME: -> (tensor<2xf32> {blocks.state = "/a.w"}, tensor<f32> {blocks.aggregate = "mean", blocks.output = "cost", blocks.roles = #blocks.roles<[cost]>}
// CHECK-SAME: attributes {blocks.entry
// CHECK: %[[SUM:.*]] = arith.addf %[[V]], %[[W]]
// CHECK: %[[C:.*]] = blocks.reduce sum %[[X]]
// CHECK: return %[[SUM]], %[[C]]
blocks.graph @train(%x: tensor<?x2xf32> {blocks.source = "features", blocks.axes = ["batch", "feature"]}) attributes {variant = "train"} {
  %v = blocks.get @a::@c::@v : tensor<2xf32>
  %w = blocks.get @a::@w : tensor<2xf32>
  %s = arith.addf %v, %w : tensor<2xf32>
  blocks.assign @a::@w, %s : tensor<2xf32>
  %c = blocks.reduce sum %x dims [0, 1] : tensor<?x2xf32> to tensor<f32>
  blocks.output %c "cost" roles [cost] aggregate mean : tensor<f32>
}

// A random operation reads seed and step, which are made if need be.
// CHECK: func.func @noise(%{{.*}}: tensor<i64> {blocks.state = "/algorithm.seed"}, %{{.*}}: tensor<i64> {blocks.state = "/algorithm.step"}, %{{.*}}: tensor<?x2xf32> {blocks.source = "x"}) -> (tensor<?x2xf32> {blocks.aggregate = "last", blocks.output = "y"
blocks.graph @noise(%x: tensor<?x2xf32> {blocks.source = "x"}) {
  %r = blocks.random uniform like %x site 3 : tensor<?x2xf32> to tensor<?x2xf32>
  blocks.output %r "y" : tensor<?x2xf32>
}

// CHECK-NOT: @nothing
blocks.graph @nothing(%x: tensor<?x2xf32> {blocks.source = "x"}) {
}
// CHECK: blocks.brick @algorithm
// CHECK-NEXT: blocks.parameter @seed
// CHECK-NEXT: blocks.parameter @step
