// The number of rows of a merged axis is a product that nothing else computes;
// grouping puts it before what uses it.
// RUN: blocks-opt %s --blocks-compile="graphs=merged stop-after=plan-memory" | FileCheck %s
blocks.graph @merged(%x: tensor<?x?x3xf32> {blocks.source = "x", blocks.axes = ["batch", "time", "feature"]}) {
  %0 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x3xf32> into tensor<?x3xf32>
  blocks.output %0 "rows" : tensor<?x3xf32>
}
// CHECK-LABEL: func.func @merged
// CHECK-DAG: %[[BATCH:.*]] = memref.dim %arg1, %c0
// CHECK-DAG: %[[TIME:.*]] = memref.dim %arg1, %c1
// CHECK: arith.muli %[[BATCH]], %[[TIME]]
// CHECK: linalg.generic
