// One arena; slots are shared where lifetimes, counted in dispatches, allow.
// RUN: blocks-opt %s -blocks-plan-memory | FileCheck %s

#vector = affine_map<(d0) -> (d0)>

// Three buffers of n elements in a chain: the third takes the first's place.
// CHECK-LABEL: func.func @chain
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[BYTES:.*]] = arith.muli %{{.*}}, %[[N:.*]] : index
// CHECK: %[[ARENA:.*]] = call @blocks_rt_arena(%{{.*}}, %{{.*}}) : (!llvm.ptr, index) -> !llvm.ptr
// CHECK: %[[MEMORY:.*]] = builtin.unrealized_conversion_cast %[[ARENA]]
// CHECK: memref.view %[[MEMORY]][%[[FIRST:.*]]][%[[N]]]
// CHECK: memref.view %[[MEMORY]][%[[SECOND:.*]]][%[[N]]]
// CHECK: memref.view %[[MEMORY]][%[[FIRST]]][%[[N]]]
// CHECK-NOT: memref.alloc
func.func @chain(%ctx: !llvm.ptr, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.copy {blocks.dispatch = 0} ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.copy {blocks.dispatch = 1} ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  linalg.copy {blocks.dispatch = 2} ins(%b : memref<?xf32>) outs(%c : memref<?xf32>)
  linalg.copy {blocks.dispatch = 3} ins(%c : memref<?xf32>) outs(%y : memref<?xf32>)
  return
}

// In one dispatch all its buffers are live at once.
// CHECK-LABEL: func.func @together
// CHECK: memref.view %[[MEMORY:.*]][%[[FIRST:.*]]][
// CHECK-NOT: memref.view %[[MEMORY]][%[[FIRST]]]
// CHECK: return
func.func @together(%ctx: !llvm.ptr, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.copy {blocks.dispatch = 0} ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.copy {blocks.dispatch = 0} ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  linalg.copy {blocks.dispatch = 0} ins(%b : memref<?xf32>) outs(%y : memref<?xf32>)
  return
}

// A buffer of a loop's body moves out; one that lives across iterations keeps
// its slot for the whole loop.
// CHECK-LABEL: func.func @loop
// CHECK: call @blocks_rt_arena
// CHECK: memref.view %[[MEMORY:.*]][%[[ACROSS:.*]]][
// CHECK: memref.view %[[MEMORY]][%[[WITHIN:.*]]][
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.view
// CHECK: return
func.func @loop(%ctx: !llvm.ptr, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.copy {blocks.dispatch = 0} ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  scf.for %t = %c0 to %c9 step %c1 {
    %b = memref.alloc(%n) : memref<?xf32>
    linalg.copy {blocks.dispatch = 1} ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
    linalg.copy {blocks.dispatch = 2} ins(%b : memref<?xf32>) outs(%y : memref<?xf32>)
  }
  return
}
