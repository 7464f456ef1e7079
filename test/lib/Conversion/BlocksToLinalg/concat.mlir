// Parts are written into their places; the extent along a dynamic axis is a sum.
// RUN: blocks-opt %s --blocks-to-linalg | FileCheck %s

// CHECK-LABEL: func.func @in_front
// CHECK-SAME: blocks.result_axes = ["(time+1)", ""]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0] [1, 3] [1, 1]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[1, 0] [%{{.*}}, 3] [1, 1]
func.func @in_front(%x: tensor<?x3xf32> {blocks.source = "x", blocks.axes = ["time", "feature"]},
                    %s: tensor<1x3xf32> {blocks.source = "s"})
    -> (tensor<?x3xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  %0 = tensor.concat dim(0) %s, %x : (tensor<1x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// Equal parts are a multiple, and sums do not depend on the order.
// CHECK-LABEL: func.func @sums
// CHECK-SAME: blocks.result_axes = ["2*time", ""]
// CHECK-SAME: blocks.result_axes = ["(time+1)", ""]
func.func @sums(%x: tensor<?x3xf32> {blocks.source = "x", blocks.axes = ["time", "feature"]},
                %s: tensor<1x3xf32> {blocks.source = "s"})
    -> (tensor<?x3xf32> {blocks.output = "y"}, tensor<?x3xf32> {blocks.output = "z"}) attributes {blocks.entry} {
  %0 = tensor.concat dim(0) %x, %x : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %1 = tensor.concat dim(0) %s, %x : (tensor<1x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %2 = tensor.concat dim(0) %x, %s : (tensor<?x3xf32>, tensor<1x3xf32>) -> tensor<?x3xf32>
  %3 = arith.addf %1, %2 : tensor<?x3xf32>
  return %0, %3 : tensor<?x3xf32>, tensor<?x3xf32>
}
