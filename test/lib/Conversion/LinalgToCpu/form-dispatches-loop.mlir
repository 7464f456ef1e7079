// A recurrent network's loop over time stays in the entry. Its state is read
// from one slice of a stacked buffer and written to the next: no allocation and
// no copy in the loop.
// RUN: blocks-opt %s -blocks-group-dispatches -blocks-plan-memory -blocks-form-dispatches | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @recurrent
// CHECK: call @blocks_rt_arena
// CHECK: scf.for %[[T:.*]] =
// CHECK-NOT: memref
// CHECK: llvm.getelementptr
// CHECK: call @blocks_rt_parallel_for
// CHECK-NOT: blocks_rt_parallel_for
// CHECK: }
// CHECK: return
// CHECK-LABEL: func.func private @kernel_0(
// CHECK: call @blocks_rt_gemm_f32
// CHECK: math.tanh
func.func @recurrent(%ctx: !llvm.ptr, %W: memref<30x30xf32> {blocks.state = "/rnn.W"}, %x: memref<?x?x30xf32> {blocks.axes = ["time", "batch", "feature"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %T = memref.dim %x, %c0 : memref<?x?x30xf32>
  %B = memref.dim %x, %c1 : memref<?x?x30xf32>
  %T1 = arith.addi %T, %c1 : index
  %h = memref.alloc(%T1, %B) : memref<?x?x30xf32>
  scf.for %t = %c0 to %T step %c1 {
    %next = arith.addi %t, %c1 : index
    %old = memref.subview %h[%t, 0, 0] [1, %B, 30] [1, 1, 1] : memref<?x?x30xf32> to memref<?x30xf32, strided<[30, 1], offset: ?>>
    %new = memref.subview %h[%next, 0, 0] [1, %B, 30] [1, 1, 1] : memref<?x?x30xf32> to memref<?x30xf32, strided<[30, 1], offset: ?>>
    %in = memref.subview %x[%t, 0, 0] [1, %B, 30] [1, 1, 1] : memref<?x?x30xf32> to memref<?x30xf32, strided<[30, 1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%new : memref<?x30xf32, strided<[30, 1], offset: ?>>)
    linalg.matmul ins(%old, %W : memref<?x30xf32, strided<[30, 1], offset: ?>>, memref<30x30xf32>) outs(%new : memref<?x30xf32, strided<[30, 1], offset: ?>>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%in : memref<?x30xf32, strided<[30, 1], offset: ?>>) outs(%new : memref<?x30xf32, strided<[30, 1], offset: ?>>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %a, %o : f32
      %u = math.tanh %s : f32
      linalg.yield %u : f32
    }
  }
  return
}
