// A chain in which every operation also needs the first one's value: the fused
// operation gets that value from its own body, never from its own result.
// RUN: blocks-opt %s --blocks-compile="graphs=g stop-after=fuse" | FileCheck %s

// CHECK-LABEL: func.func @g
// CHECK: linalg.generic {{.*}} ins(%{{[0-9]+}} : tensor<?x4xf32>) outs(
// CHECK: %[[A:.*]] = math.exp
// CHECK-NEXT: %[[B:.*]] = arith.addf %[[A]], %[[A]]
// CHECK-NEXT: %[[C:.*]] = arith.mulf %[[B]], %[[A]]
// CHECK-NEXT: %[[D:.*]] = arith.divf %[[C]], %[[A]]
// CHECK-NEXT: linalg.yield %[[D]]
// CHECK-NOT: linalg.generic
blocks.graph @g(%x: tensor<?x4xf32> {blocks.source = "x"}) {
  %a = math.exp %x : tensor<?x4xf32>
  %b = arith.addf %a, %a : tensor<?x4xf32>
  %c = arith.mulf %b, %a : tensor<?x4xf32>
  %d = arith.divf %c, %a : tensor<?x4xf32>
  blocks.output %d "y" : tensor<?x4xf32>
}
