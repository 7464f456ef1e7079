// Dispatches become kernels of the module @device, and entries launch them.
// RUN: blocks-opt %s -blocks-group-dispatches -blocks-plan-memory -blocks-form-launches | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#vector = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

// A product is a call, and what follows it a kernel over elements. All launches
// pass their arguments in the same places.
// CHECK-LABEL: func.func @forward
// CHECK: %[[VALUES:.*]] = llvm.alloca
// CHECK: %[[PLACES:.*]] = llvm.alloca
// CHECK: call @blocks_rt_device_gemm_f32(%arg0,
// CHECK: %[[X:.*]] = arith.constant 256
// CHECK: call @blocks_rt_launch(%arg0, {{.*}}, %[[PLACES]])
// CHECK-NOT: linalg.
// CHECK-NOT: memref.load
// CHECK: return
func.func @forward(%ctx: !llvm.ptr, %W: memref<784x500xf32>, %b: memref<500xf32>,
                   %x: memref<?x784xf32> {blocks.axes = ["batch", "feature"]}, %y: memref<?x500xf32> {blocks.result_axes = ["batch", ""]}) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<?x500xf32>)
  linalg.matmul ins(%x, %W : memref<?x784xf32>, memref<784x500xf32>) outs(%y : memref<?x500xf32>)
  linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : memref<500xf32>) outs(%y : memref<?x500xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  return
}

// Neighbouring rows lie in neighbouring threads: a sum over the batch is cut
// into parts that are added in order.
// CHECK-LABEL: func.func @sum_rows
// CHECK: call @blocks_rt_launch
// CHECK-NOT: call @blocks_rt_launch
// CHECK: return
func.func @sum_rows(%ctx: !llvm.ptr, %x: memref<?x500xf32> {blocks.axes = ["batch", "feature"]}, %y: memref<500xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<500xf32>)
  linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<?x500xf32>) outs(%y : memref<500xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// A warp takes a row; what one thread wrote the others read behind a barrier.
// CHECK-LABEL: func.func @normalize
// CHECK: call @blocks_rt_launch
// CHECK: return
func.func @normalize(%ctx: !llvm.ptr, %x: memref<?x10xf32> {blocks.axes = ["batch", "feature"]}, %y: memref<?x10xf32> {blocks.result_axes = ["batch", ""]},
                     %m: memref<?xf32> {blocks.result_axes = ["batch"]}) {
  %low = arith.constant 0xFF800000 : f32
  linalg.fill ins(%low : f32) outs(%m : memref<?xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x10xf32>) outs(%m : memref<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.maximumf %a, %o : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : memref<?x10xf32>, memref<?xf32>) outs(%y : memref<?x10xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}

// A scalar in memory is loaded by the kernel that needs it.
// CHECK-LABEL: func.func @scale
// CHECK-NOT: memref.load
// CHECK: call @blocks_rt_launch
// CHECK: return
func.func @scale(%ctx: !llvm.ptr, %s: memref<f32>, %x: memref<?xf32> {blocks.axes = ["batch"]}, %y: memref<?xf32> {blocks.result_axes = ["batch"]}) {
  %two = arith.constant 2.0 : f32
  %0 = memref.load %s[] : memref<f32>
  %1 = arith.mulf %0, %two : f32
  linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = arith.mulf %a, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// A scalar that is overwritten before its use is kept in a slot of the arena.
// CHECK-LABEL: func.func @count
// CHECK: call @blocks_rt_arena
// CHECK: call @blocks_rt_launch
// CHECK: call @blocks_rt_launch
// CHECK: call @blocks_rt_launch
// CHECK-NOT: call @blocks_rt_launch
// CHECK: return
func.func @count(%ctx: !llvm.ptr, %n: memref<i64>, %x: memref<?xi64> {blocks.axes = ["batch"]}) {
  %one = arith.constant 1 : i64
  %0 = memref.load %n[] : memref<i64>
  linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%n : memref<i64>) {
  ^bb0(%o: i64):
    %2 = arith.addi %o, %one : i64
    linalg.yield %2 : i64
  }
  linalg.generic {indexing_maps = [#vector], iterator_types = ["parallel"]} outs(%x : memref<?xi64>) {
  ^bb0(%o: i64):
    linalg.yield %0 : i64
  }
  return
}

// A report is a kernel of one thread, which keeps the smallest.
// CHECK-LABEL: func.func @check
// CHECK: %[[RECORD:.*]] = call @blocks_rt_status(%arg0)
// CHECK-NOT: scf.if
// CHECK: call @blocks_rt_launch
// CHECK: return
func.func private @blocks_rt_report(!llvm.ptr, i64, i64, i64, i64)
func.func @check(%ctx: !llvm.ptr, %row: memref<i64>, %y: memref<?xi64> {blocks.axes = ["batch"]}) {
  %c0 = arith.constant 0 : i64
  %c10 = arith.constant 10 : i64
  %0 = memref.load %row[] : memref<i64>
  %1 = arith.cmpi ne, %0, %c0 : i64
  scf.if %1 {
    %2 = arith.index_cast %0 : i64 to index
    %3 = memref.load %y[%2] : memref<?xi64>
    func.call @blocks_rt_report(%ctx, %c0, %0, %3, %c10) : (!llvm.ptr, i64, i64, i64, i64) -> ()
  }
  return
}

// Rows added at places in memory: each thread walks them all.
// CHECK-LABEL: func.func @scatter
// CHECK-NOT: scf.for
// CHECK: call @blocks_rt_launch
// CHECK: return
func.func @scatter(%ctx: !llvm.ptr, %i: memref<?xi64> {blocks.axes = ["batch"]}, %x: memref<?x8xf32> {blocks.axes = ["batch", ""]}, %y: memref<100x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %B = memref.dim %i, %c0 : memref<?xi64>
  scf.for %t = %c0 to %B step %c1 {
    %0 = memref.load %i[%t] : memref<?xi64>
    %1 = arith.index_cast %0 : i64 to index
    %from = memref.subview %x[%t, 0] [1, 8] [1, 1] : memref<?x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    %to = memref.subview %y[%1, 0] [1, 8] [1, 1] : memref<100x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]}
        ins(%from : memref<8xf32, strided<[1], offset: ?>>) outs(%to : memref<8xf32, strided<[1], offset: ?>>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %a, %o : f32
      linalg.yield %s : f32
    }
  }
  return
}

// CHECK: module @device
// CHECK: llvm.mlir.global external @shared() {addr_space = 3 : i32
// The elements behind the product.
// CHECK-LABEL: func.func @kernel_0
// CHECK-SAME: attributes {blocks.kernel}
// CHECK: nvvm.read.ptx.sreg.tid.x
// CHECK: nvvm.read.ptx.sreg.ctaid.x
// CHECK: scf.if
// CHECK-NOT: nvvm.barrier0
// The sum: parts through shared memory.
// CHECK-LABEL: func.func @kernel_1
// CHECK: nvvm.read.ptx.sreg.tid.y
// CHECK: scf.for
// CHECK: llvm.mlir.addressof @shared
// CHECK: nvvm.barrier0
// CHECK: nvvm.barrier0
// The rows: partial results through registers.
// CHECK-LABEL: func.func @kernel_2
// CHECK: nvvm.shfl.sync
// CHECK-NOT: @shared
// CHECK: nvvm.barrier0
// CHECK: arith.subf
