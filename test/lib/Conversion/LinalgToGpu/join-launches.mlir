// Neighbouring kernels that do not depend on each other are one launch: its
// blocks are dealt out to them.
// RUN: blocks-opt %s -blocks-group-dispatches=updates-last=true -blocks-plan-memory -blocks-form-launches | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#vector = affine_map<(d0) -> (d0)>
#scalar1 = affine_map<(d0) -> ()>
#scalar2 = affine_map<(d0, d1) -> ()>

// Two weights and a bias: 300 × 100, 100 × 7 and 100 elements in blocks of 256
// threads. The arguments are a table, in which the first four words say where
// the segments start.
// CHECK-LABEL: func.func @updates
// CHECK: %[[VALUES:.*]] = llvm.alloca
// CHECK: call @blocks_rt_device_gemm_f32
// CHECK: call @blocks_rt_device_gemm_f32
// CHECK: %[[ALL:.*]] = arith.constant 122 : index
// CHECK: call @blocks_rt_launch(%arg0, %{{.*}}, %[[ALL]],
// CHECK-NOT: call @blocks_rt_launch
// CHECK: return
func.func @updates(%ctx: !llvm.ptr, %W: memref<300x100xf32>, %V: memref<100x7xf32>, %b: memref<100xf32>, %g: memref<100xf32>, %rate: memref<f32>,
                   %x: memref<?x300xf32> {blocks.axes = ["batch", ""]}, %h: memref<?x100xf32> {blocks.axes = ["batch", ""]},
                   %e: memref<?x7xf32> {blocks.axes = ["batch", ""]}) {
  %zero = arith.constant 0.0 : f32
  %dW = memref.alloc() : memref<300x100xf32>
  linalg.fill ins(%zero : f32) outs(%dW : memref<300x100xf32>)
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %h : memref<?x300xf32>, memref<?x100xf32>) outs(%dW : memref<300x100xf32>)
  linalg.generic {indexing_maps = [#scalar2, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%rate, %dW : memref<f32>, memref<300x100xf32>) outs(%W : memref<300x100xf32>) {
  ^bb0(%r: f32, %d: f32, %o: f32):
    %s = arith.mulf %d, %d : f32
    %t = arith.mulf %s, %r : f32
    %n = arith.subf %o, %t : f32
    linalg.yield %n : f32
  }
  %dV = memref.alloc() : memref<100x7xf32>
  linalg.fill ins(%zero : f32) outs(%dV : memref<100x7xf32>)
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%h, %e : memref<?x100xf32>, memref<?x7xf32>) outs(%dV : memref<100x7xf32>)
  linalg.generic {indexing_maps = [#scalar2, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%rate, %dV : memref<f32>, memref<100x7xf32>) outs(%V : memref<100x7xf32>) {
  ^bb0(%r: f32, %d: f32, %o: f32):
    %s = arith.mulf %d, %d : f32
    %t = arith.mulf %s, %r : f32
    %n = arith.subf %o, %t : f32
    linalg.yield %n : f32
  }
  linalg.generic {indexing_maps = [#scalar1, #vector, #vector], iterator_types = ["parallel"]}
      ins(%rate, %g : memref<f32>, memref<100xf32>) outs(%b : memref<100xf32>) {
  ^bb0(%r: f32, %d: f32, %o: f32):
    %t = arith.mulf %d, %r : f32
    %n = arith.subf %o, %t : f32
    linalg.yield %n : f32
  }
  return
}

// What one writes and the other reads stays in two launches.
// CHECK-LABEL: func.func @dependent
// CHECK: call @blocks_rt_launch
// CHECK: call @blocks_rt_launch
// CHECK: return
func.func @dependent(%ctx: !llvm.ptr, %x: memref<500xf32>, %y: memref<500xf32>, %z: memref<3x500xf32>) {
  linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%x : memref<500xf32>) outs(%y : memref<500xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : memref<500xf32>) outs(%z : memref<3x500xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  return
}

// Both weights have one code, which reads its segment's part of the table.
// CHECK: module @device
// CHECK: func.func @kernel_0(%[[TABLE:.*]]: !llvm.ptr {llvm.byval = !llvm.array<{{[0-9]+}} x i64>}) attributes {blocks.kernel}
// CHECK: nvvm.read.ptx.sreg.ctaid.x
// CHECK: llvm.getelementptr inbounds %[[TABLE]]
// CHECK: scf.if
// CHECK: arith.mulf
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.subf
// CHECK: } else {
// CHECK: arith.mulf
// CHECK-NEXT: arith.subf
// CHECK-NOT: arith.mulf
// CHECK: return
