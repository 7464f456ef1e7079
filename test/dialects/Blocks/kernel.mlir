// Kernels of the user's and their calls, as they are written and printed.
//
// RUN: blocks-opt %s | blocks-opt | FileCheck %s

// CHECK-LABEL: blocks.kernel @scale(
// CHECK-SAME: %{{.*}}: tensor<?x?xf32> {blocks.axes = ["n", "m"]}, %{{.*}}: tensor<?xf32> {blocks.axes = ["m"]}
// CHECK-SAME: -> (tensor<?x?xf32> {blocks.axes = ["n", "m"]})
// CHECK-SAME: block = 64
// CHECK-SAME: entry = "scale_columns"
// CHECK-SAME: grid = ["n"]
blocks.kernel @scale(%x: tensor<?x?xf32> {blocks.axes = ["n", "m"]}, %w: tensor<?xf32> {blocks.axes = ["m"]})
    -> (tensor<?x?xf32> {blocks.axes = ["n", "m"]})
    attributes {cuda = ["// scale_columns"], entry = "scale_columns", block = 64 : i64, grid = ["n"], gradient = @scale_gradient} {
  %s = blocks.broadcast %w like %x dims [1] : tensor<?xf32>, tensor<?x?xf32>
  %y = arith.mulf %x, %s : tensor<?x?xf32>
  // CHECK: blocks.return
  blocks.return %y : tensor<?x?xf32>
}

// A gradient without source is its body everywhere.
// CHECK-LABEL: blocks.kernel @scale_gradient(
blocks.kernel @scale_gradient(
    %x: tensor<?x?xf32> {blocks.axes = ["n", "m"]}, %w: tensor<?xf32> {blocks.axes = ["m"]},
    %y: tensor<?x?xf32> {blocks.axes = ["n", "m"]}, %dy: tensor<?x?xf32> {blocks.axes = ["n", "m"]})
    -> (tensor<?x?xf32> {blocks.axes = ["n", "m"]}, tensor<?xf32> {blocks.axes = ["m"]}) {
  %s = blocks.broadcast %w like %x dims [1] : tensor<?xf32>, tensor<?x?xf32>
  %dx = arith.mulf %dy, %s : tensor<?x?xf32>
  %p = arith.mulf %dy, %x : tensor<?x?xf32>
  %dw = blocks.reduce sum %p dims [0] : tensor<?x?xf32> to tensor<?xf32>
  blocks.return %dx, %dw : tensor<?x?xf32>, tensor<?xf32>
}

// Dynamic axes take static extents, and each call its own.
// CHECK-LABEL: blocks.graph @calls
blocks.graph @calls(%x: tensor<?x4xf32> {blocks.source = "x"}, %w: tensor<4xf32> {blocks.source = "w"},
                    %z: tensor<2x3xf32> {blocks.source = "z"}, %v: tensor<3xf32> {blocks.source = "v"}) {
  // CHECK: blocks.call_kernel @scale(%{{.*}}, %{{.*}}) : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  %a = blocks.call_kernel @scale(%x, %w) : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  // CHECK: blocks.call_kernel @scale(%{{.*}}, %{{.*}}) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %b = blocks.call_kernel @scale(%z, %v) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  blocks.output %a "a" : tensor<?x4xf32>
  blocks.output %b "b" : tensor<2x3xf32>
}
