// An entry gets its C interface: pointers and sizes come from the descriptors.
// RUN: blocks-opt %s -blocks-to-llvm | FileCheck %s

// CHECK-LABEL: llvm.func @blocks_entry_train(%arg0: !llvm.ptr, %arg1: !llvm.ptr)
// CHECK-SAME: no_unwind
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %arg1[1]
// CHECK: %[[X:.*]] = llvm.load %[[SLOT]]
// CHECK-DAG: llvm.getelementptr %[[X]][1]
// CHECK-DAG: llvm.getelementptr %[[X]][3]
// CHECK: llvm.call @blocks_rt_use
// CHECK-NOT: memref
func.func private @blocks_rt_use(!llvm.ptr, index, index)
func.func @train(%ctx: !llvm.ptr, %unused: memref<4xf32> {blocks.state = "/a.W"}, %x: memref<?xf32> {blocks.source = "x"}) attributes {blocks.entry} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %p = memref.extract_aligned_pointer_as_index %x : memref<?xf32> -> index
  call @blocks_rt_use(%ctx, %p, %n) : (!llvm.ptr, index, index) -> ()
  return
}
