// What reads an array across its rows goes through a tile of shared memory:
// 32 × 32 elements, with rows of 33, by 32 × 8 threads.
// RUN: blocks-opt %s -blocks-group-dispatches -blocks-plan-memory -blocks-form-launches | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>

// CHECK-LABEL: func.func @transpose
// CHECK-DAG: %[[Y:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[BYTES:.*]] = arith.constant 8448 : index
// CHECK: call @blocks_rt_launch(%arg0, %{{.*}}, %{{.*}}, %{{.*}}, %{{c32.*}}, %[[Y]], %[[BYTES]],
func.func @transpose(%ctx: !llvm.ptr, %x: memref<?x100xf32> {blocks.axes = ["batch", ""]}, %y: memref<100x?xf32> {blocks.result_axes = ["", "batch"]}) {
  linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<?x100xf32>) outs(%y : memref<100x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  return
}

// Too narrow for tiles: a thread for each element.
// CHECK-LABEL: func.func @narrow
// CHECK: arith.constant 256 : index
// CHECK: call @blocks_rt_launch
func.func @narrow(%ctx: !llvm.ptr, %x: memref<?x4xf32> {blocks.axes = ["batch", ""]}, %y: memref<4x?xf32> {blocks.result_axes = ["", "batch"]}) {
  linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<?x4xf32>) outs(%y : memref<4x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  return
}

// CHECK: func.func @kernel_0
// CHECK-DAG: %[[ROW:.*]] = arith.constant 33 : index
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: llvm.mlir.addressof @shared
// CHECK: arith.muli %{{.*}}, %[[ROW]]
// CHECK: llvm.store %{{.*}} : f32, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK: llvm.store %{{.*}} : f32, !llvm.ptr
// CHECK-NOT: nvvm.barrier0
// CHECK: return
