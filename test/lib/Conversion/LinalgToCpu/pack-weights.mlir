// A weight that a loop's product reads in every step is packed once before the
// loop, in blocks of its rows, straight or transposed; what the loop writes, or
// fits the second cache and is not transposed, or of a size known later only,
// stays as it is.
// RUN: blocks-opt %s -blocks-group-dispatches -blocks-plan-memory -blocks-form-dispatches | FileCheck %s

#transposed = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
!step = memref<?x100xf32, strided<[100, 1], offset: ?>>
!wide = memref<?x1000xf32, strided<[1000, 1], offset: ?>>

// CHECK-LABEL: func.func @straight
// CHECK: arith.constant 1024 : index
// CHECK: call @blocks_rt_parallel_for
// CHECK: scf.for
// CHECK: call @blocks_rt_parallel_for
// CHECK-NOT: blocks_rt_parallel_for
// CHECK: return
func.func @straight(%ctx: !llvm.ptr, %W: memref<1000x1000xf32>, %h: memref<?x?x1000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %T0 = memref.dim %h, %c0 : memref<?x?x1000xf32>
  %T = arith.subi %T0, %c1 : index
  %B = memref.dim %h, %c1 : memref<?x?x1000xf32>
  scf.for %t = %c0 to %T step %c1 {
    %next = arith.addi %t, %c1 : index
    %old = memref.subview %h[%t, 0, 0] [1, %B, 1000] [1, 1, 1] : memref<?x?x1000xf32> to !wide
    %new = memref.subview %h[%next, 0, 0] [1, %B, 1000] [1, 1, 1] : memref<?x?x1000xf32> to !wide
    linalg.matmul ins(%old, %W : !wide, memref<1000x1000xf32>) outs(%new : !wide)
  }
  return
}

// CHECK-LABEL: func.func @transposed
// CHECK: call @blocks_rt_parallel_for
// CHECK: scf.for
// CHECK: call @blocks_rt_parallel_for
// CHECK: return
func.func @transposed(%ctx: !llvm.ptr, %W: memref<100x100xf32>, %h: memref<?x?x100xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %T0 = memref.dim %h, %c0 : memref<?x?x100xf32>
  %T = arith.subi %T0, %c1 : index
  %B = memref.dim %h, %c1 : memref<?x?x100xf32>
  scf.for %t = %c0 to %T step %c1 {
    %next = arith.addi %t, %c1 : index
    %old = memref.subview %h[%t, 0, 0] [1, %B, 100] [1, 1, 1] : memref<?x?x100xf32> to !step
    %new = memref.subview %h[%next, 0, 0] [1, %B, 100] [1, 1, 1] : memref<?x?x100xf32> to !step
    linalg.matmul indexing_maps = #transposed ins(%old, %W : !step, memref<100x100xf32>) outs(%new : !step)
  }
  return
}

// The loop changes the weight.
// CHECK-LABEL: func.func @written
// CHECK-NOT: blocks_rt_parallel_for
// CHECK: scf.for
// CHECK: return
func.func @written(%ctx: !llvm.ptr, %W: memref<100x100xf32>, %h: memref<?x?x100xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %T0 = memref.dim %h, %c0 : memref<?x?x100xf32>
  %T = arith.subi %T0, %c1 : index
  %B = memref.dim %h, %c1 : memref<?x?x100xf32>
  scf.for %t = %c0 to %T step %c1 {
    %next = arith.addi %t, %c1 : index
    %old = memref.subview %h[%t, 0, 0] [1, %B, 100] [1, 1, 1] : memref<?x?x100xf32> to !step
    %new = memref.subview %h[%next, 0, 0] [1, %B, 100] [1, 1, 1] : memref<?x?x100xf32> to !step
    linalg.matmul ins(%old, %W : !step, memref<100x100xf32>) outs(%new : !step)
    linalg.fill ins(%zero : f32) outs(%W : memref<100x100xf32>)
  }
  return
}

// The copy's rows are 128 elements apart, whole panels of 32, and so say both
// calls.
// CHECK-LABEL: func.func private @kernel_0(
// CHECK: call @blocks_rt_gemm_pack_f32(%arg0, %c0,
// CHECK-LABEL: func.func private @kernel_1(
// CHECK: call @blocks_rt_gemm_packed_f32(
// CHECK-LABEL: func.func private @kernel_2(
// CHECK: call @blocks_rt_gemm_pack_f32(%arg0, %c1,
// CHECK-LABEL: func.func private @kernel_3(
// CHECK: call @blocks_rt_gemm_f32(
