// Bodies take the place of calls: of all of them for the processor; on a GPU of
// those without source. Before the differentiation what has a gradient stays.
//
// RUN: blocks-opt %s --blocks-inline-kernels | FileCheck %s --check-prefix=ALL
// RUN: blocks-opt %s --blocks-inline-kernels=keep-sources=true | FileCheck %s --check-prefix=GPU
// RUN: blocks-opt %s --blocks-inline-kernels=keep-gradients=true | FileCheck %s --check-prefix=BEFORE

// ALL-NOT: blocks.kernel
// GPU: blocks.kernel @source
// GPU-NOT: blocks.kernel
// BEFORE: blocks.kernel @source
// BEFORE: blocks.kernel @plain
// BEFORE: blocks.kernel @plain_gradient
blocks.kernel @source(%x: tensor<?xf32> {blocks.axes = ["n"]}) -> (tensor<?xf32> {blocks.axes = ["n"]}) attributes {cuda = ["// source"]} {
  %y = math.exp %x : tensor<?xf32>
  blocks.return %y : tensor<?xf32>
}
blocks.kernel @plain(%x: tensor<?xf32> {blocks.axes = ["n"]}) -> (tensor<?xf32> {blocks.axes = ["n"]}) attributes {gradient = @plain_gradient} {
  %y = math.sin %x : tensor<?xf32>
  blocks.return %y : tensor<?xf32>
}
blocks.kernel @plain_gradient(%x: tensor<?xf32> {blocks.axes = ["n"]}, %y: tensor<?xf32> {blocks.axes = ["n"]}, %dy: tensor<?xf32> {blocks.axes = ["n"]})
    -> (tensor<?xf32> {blocks.axes = ["n"]}) {
  %c = math.cos %x : tensor<?xf32>
  %dx = arith.mulf %c, %dy : tensor<?xf32>
  blocks.return %dx : tensor<?xf32>
}

// A static extent is handed in and out by casts.
// ALL-LABEL: blocks.graph @g
// ALL: %[[IN:.*]] = tensor.cast %{{.*}} : tensor<4xf32> to tensor<?xf32>
// ALL: %[[Y:.*]] = math.exp %[[IN]] : tensor<?xf32>
// ALL: %[[OUT:.*]] = tensor.cast %[[Y]] : tensor<?xf32> to tensor<4xf32>
// ALL: tensor.cast %[[OUT]]
// ALL: math.sin
// GPU-LABEL: blocks.graph @g
// GPU: blocks.call_kernel @source
// GPU: math.sin
// BEFORE-LABEL: blocks.graph @g
// BEFORE: math.exp
// BEFORE: blocks.call_kernel @plain(
blocks.graph @g(%x: tensor<4xf32> {blocks.source = "x"}) {
  %y = blocks.call_kernel @source(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %z = blocks.call_kernel @plain(%y) : (tensor<4xf32>) -> tensor<4xf32>
  blocks.output %z "z" : tensor<4xf32>
}
