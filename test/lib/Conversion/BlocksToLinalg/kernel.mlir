// A call of a user's kernel for a GPU: a launch with the extents of its axes and
// the size of the grid; the module keeps the source. Then the launch of a
// function whose number comes before those of the compiler's own kernels.
//
// RUN: blocks-opt %s --blocks-compile="device=cuda graphs=g stop-after=to-linalg" | FileCheck %s
// RUN: blocks-opt %s --blocks-compile="device=cuda graphs=g stop-after=dispatch" | FileCheck %s --check-prefix=LAUNCH

// CHECK: module attributes {blocks.cuda_kernels = [{entry = "scale", file = "@scale", name = "scale",
// CHECK-SAME: text = "#line 1 \22@scale\22\0A// scale\0A// its second line\0A"}]
// CHECK-NOT: blocks.kernel @
// LAUNCH: call @blocks_rt_launch(%arg0, %c0
// LAUNCH: module @device
// LAUNCH: func.func @kernel_0
blocks.kernel @scale(%x: tensor<?x?xf32> {blocks.axes = ["n", "m"]}, %w: tensor<?xf32> {blocks.axes = ["m"]})
    -> (tensor<?x?xf32> {blocks.axes = ["n", "m"]}, tensor<?xf32> {blocks.axes = ["m"]})
    attributes {cuda = ["// scale", "// its second line"], block = 32 : i64, grid = ["n"]} {
  %s = blocks.broadcast %w like %x dims [1] : tensor<?xf32>, tensor<?x?xf32>
  %y = arith.mulf %x, %s : tensor<?x?xf32>
  %t = blocks.reduce sum %y dims [0] : tensor<?x?xf32> to tensor<?xf32>
  blocks.return %y, %t : tensor<?x?xf32>, tensor<?xf32>
}

// The second result lacks the axis of the grid, so it starts with zeros.
// CHECK-LABEL: func.func @g
// CHECK-DAG: %[[BATCH:.*]] = memref.dim
// CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: %[[Y:.*]] = tensor.empty(%[[BATCH]]) : tensor<?x4xf32>
// CHECK: %[[T:.*]] = linalg.fill
// CHECK: blocks.kernel_launch 0 blocks %[[BATCH]] threads 32
// CHECK-SAME: outs(%[[Y]], %[[T]] : tensor<?x4xf32>, tensor<4xf32>) extents(%[[BATCH]], %[[FOUR]]) -> tensor<?x4xf32>, tensor<4xf32>
blocks.graph @g(%x: tensor<?x4xf32> {blocks.source = "x"}, %w: tensor<4xf32> {blocks.source = "w"}) {
  %y, %t = blocks.call_kernel @scale(%x, %w) : (tensor<?x4xf32>, tensor<4xf32>) -> (tensor<?x4xf32>, tensor<4xf32>)
  blocks.output %y "y" : tensor<?x4xf32>
  blocks.output %t "t" : tensor<4xf32>
}
