// Kernels and their calls.
// RUN: blocks-opt %s -blocks-group-dispatches -blocks-plan-memory -blocks-form-dispatches | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
#vector = affine_map<(d0) -> (d0)>
#none1 = affine_map<(d0) -> ()>
#at = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]

// Two layers of other widths share the kernel of product, bias and activation.
// CHECK-LABEL: func.func @forward
// They may be cut by columns.
// CHECK: call @blocks_rt_gemm_grid_rows
// CHECK: call @blocks_rt_gemm_grid_columns
// CHECK: constant @kernel_0_blocks
// CHECK: call @blocks_rt_parallel_for
// CHECK: call @blocks_rt_gemm_grid_rows
// CHECK: constant @kernel_0_blocks
// CHECK: call @blocks_rt_parallel_for
// CHECK-NOT: linalg.
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @forward(%ctx: !llvm.ptr, %W: memref<784x500xf32>, %b: memref<500xf32>, %V: memref<500x300xf32>, %c: memref<300xf32>,
                   %x: memref<?x784xf32> {blocks.axes = ["batch", "feature"]}, %y: memref<?x300xf32> {blocks.result_axes = ["batch", ""]}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %B = memref.dim %x, %c0 : memref<?x784xf32>
  %h = memref.alloc(%B) : memref<?x500xf32>
  linalg.fill ins(%zero : f32) outs(%h : memref<?x500xf32>)
  linalg.matmul ins(%x, %W : memref<?x784xf32>, memref<784x500xf32>) outs(%h : memref<?x500xf32>)
  linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : memref<500xf32>) outs(%h : memref<?x500xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    %t = math.tanh %s : f32
    linalg.yield %t : f32
  }
  linalg.fill ins(%zero : f32) outs(%y : memref<?x300xf32>)
  linalg.matmul ins(%h, %V : memref<?x500xf32>, memref<500x300xf32>) outs(%y : memref<?x300xf32>)
  linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<300xf32>) outs(%y : memref<?x300xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    %t = math.tanh %s : f32
    linalg.yield %t : f32
  }
  return
}

// A weight's update stands in the dispatch of its gradient's product.
// CHECK-LABEL: func.func @update
// CHECK: constant @kernel_1_blocks
// CHECK: return
func.func @update(%ctx: !llvm.ptr, %W: memref<784x500xf32>, %x: memref<?x784xf32>, %dz: memref<?x500xf32>) {
  %zero = arith.constant 0.0 : f32
  %dW = memref.alloc() : memref<784x500xf32>
  linalg.fill ins(%zero : f32) outs(%dW : memref<784x500xf32>)
  linalg.matmul indexing_maps = #at ins(%x, %dz : memref<?x784xf32>, memref<?x500xf32>) outs(%dW : memref<784x500xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%dW : memref<784x500xf32>) outs(%W : memref<784x500xf32>) {
  ^bb0(%g: f32, %w: f32):
    %s = arith.subf %w, %g : f32
    linalg.yield %s : f32
  }
  return
}

// The bias's gradient: rows outside, contiguous columns inside.
// CHECK-LABEL: func.func @columns
// CHECK: constant @kernel_2_blocks
func.func @columns(%ctx: !llvm.ptr, %dz: memref<?x500xf32>, %db: memref<500xf32>) {
  linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
      ins(%dz : memref<?x500xf32>) outs(%db : memref<500xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// A maximum over each row wants whole rows.
// CHECK-LABEL: func.func @rows_only
// CHECK-NOT: gemm_grid
// CHECK: call @blocks_rt_gemm_rows
// CHECK-NOT: gemm_grid
// CHECK: return
func.func @rows_only(%ctx: !llvm.ptr, %x: memref<?x30xf32> {blocks.axes = ["batch", "feature"]}, %W: memref<30x500xf32>,
                     %h: memref<?x500xf32> {blocks.result_axes = ["batch", ""]}, %y: memref<?xf32> {blocks.result_axes = ["batch"]}) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%h : memref<?x500xf32>)
  linalg.matmul ins(%x, %W : memref<?x30xf32>, memref<30x500xf32>) outs(%h : memref<?x500xf32>)
  linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%h : memref<?x500xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %o : f32
    linalg.yield %m : f32
  }
  return
}

// A sum of a vector runs in the calling thread, with its sum in a register.
// CHECK-LABEL: func.func @total
// CHECK: call @kernel_4(
// CHECK-NOT: blocks_rt_parallel_for
// CHECK: return
func.func @total(%ctx: !llvm.ptr, %x: memref<?xf32>, %y: memref<f32>) {
  linalg.generic {indexing_maps = [#vector, #none1], iterator_types = ["reduction"]}
      ins(%x : memref<?xf32>) outs(%y : memref<f32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK: func.func private @kernel_0_blocks
// CHECK: call @kernel_0
// CHECK-LABEL: func.func private @kernel_0(
// CHECK-SAME: llvm.noalias
// CHECK-SAME: noinline
// CHECK: scf.for
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: func.call @blocks_rt_gemm_f32({{.*}}%[[ZERO]]
// CHECK: scf.for
// CHECK: scf.for
// CHECK: arith.addf
// CHECK: math.tanh

// CHECK-LABEL: func.func private @kernel_1(
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK: func.call @blocks_rt_gemm_f32(%{{.*}}, %[[C1]], %[[C0]],
// CHECK: scf.for
// CHECK: scf.for
// CHECK: arith.subf

// CHECK-LABEL: func.func private @kernel_2(
// CHECK: scf.for
// CHECK: scf.for %{{.*}} = %{{c0.*}} to
// CHECK: scf.for %[[J:.*]] = %{{.*}} to
// CHECK: llvm.load
// CHECK: arith.addf
// CHECK: llvm.store

// CHECK-LABEL: func.func private @kernel_3(
// CHECK: llvm.load
// CHECK: scf.for {{.*}} iter_args
// CHECK: llvm.store
