// Plain gradient descent: the product of a weight's gradient adds to the weight.
// RUN: blocks-opt %s -blocks-group-dispatches | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>
#at = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]

// The gradient's buffer is gone; the smaller factor is scaled.
// CHECK-LABEL: func.func @sgd
// CHECK-SAME: %[[W:[a-z0-9]+]]: memref<100x300xf32>
// CHECK-NOT: memref.alloc() : memref<100x300xf32>
// CHECK: %[[SCALED:.*]] = memref.alloc(%{{.*}}) {{.*}}: memref<?x300xf32>
// CHECK: linalg.generic
// CHECK-SAME: outs(%[[SCALED]] :
// CHECK: arith.mulf
// CHECK: arith.negf
// CHECK: linalg.matmul
// CHECK-NOT: blocks.overwrite
// CHECK-SAME: %[[SCALED]] : memref<?x100xf32>, memref<?x300xf32>) outs(%[[W]] :
func.func @sgd(%ctx: !llvm.ptr, %W: memref<100x300xf32>, %rate: memref<f32>, %x: memref<?x100xf32>, %dz: memref<?x300xf32>) {
  %zero = arith.constant 0.0 : f32
  %dW = memref.alloc() : memref<100x300xf32>
  linalg.fill ins(%zero : f32) outs(%dW : memref<100x300xf32>)
  linalg.matmul indexing_maps = #at ins(%x, %dz : memref<?x100xf32>, memref<?x300xf32>) outs(%dW : memref<100x300xf32>)
  linalg.generic {indexing_maps = [#none, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%rate, %dW : memref<f32>, memref<100x300xf32>) outs(%W : memref<100x300xf32>) {
  ^bb0(%r: f32, %g: f32, %w: f32):
    %s = arith.mulf %r, %g : f32
    %n = arith.subf %w, %s : f32
    linalg.yield %n : f32
  }
  return
}

// The weight's old value is still read after the product: nothing is folded.
// CHECK-LABEL: func.func @read_between
// CHECK: linalg.matmul
// CHECK-SAME: blocks.overwrite
// CHECK: arith.subf
func.func @read_between(%ctx: !llvm.ptr, %W: memref<100x300xf32>, %rate: memref<f32>, %x: memref<?x100xf32>, %dz: memref<?x300xf32>, %old: memref<100x300xf32>) {
  %zero = arith.constant 0.0 : f32
  %dW = memref.alloc() : memref<100x300xf32>
  linalg.fill ins(%zero : f32) outs(%dW : memref<100x300xf32>)
  linalg.matmul indexing_maps = #at ins(%x, %dz : memref<?x100xf32>, memref<?x300xf32>) outs(%dW : memref<100x300xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%W : memref<100x300xf32>) outs(%old : memref<100x300xf32>) {
  ^bb0(%w: f32, %o: f32):
    linalg.yield %w : f32
  }
  linalg.generic {indexing_maps = [#none, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%rate, %dW : memref<f32>, memref<100x300xf32>) outs(%W : memref<100x300xf32>) {
  ^bb0(%r: f32, %g: f32, %w: f32):
    %s = arith.mulf %r, %g : f32
    %n = arith.subf %w, %s : f32
    linalg.yield %n : f32
  }
  return
}

// The gradient is needed elsewhere, too: it stays.
// CHECK-LABEL: func.func @gradient_used
// CHECK: linalg.matmul
// CHECK-SAME: blocks.overwrite
// CHECK: arith.subf
func.func @gradient_used(%ctx: !llvm.ptr, %W: memref<100x300xf32>, %rate: memref<f32>, %x: memref<?x100xf32>, %dz: memref<?x300xf32>, %copy: memref<100x300xf32>) {
  %zero = arith.constant 0.0 : f32
  %dW = memref.alloc() : memref<100x300xf32>
  linalg.fill ins(%zero : f32) outs(%dW : memref<100x300xf32>)
  linalg.matmul indexing_maps = #at ins(%x, %dz : memref<?x100xf32>, memref<?x300xf32>) outs(%dW : memref<100x300xf32>)
  linalg.generic {indexing_maps = [#none, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%rate, %dW : memref<f32>, memref<100x300xf32>) outs(%W : memref<100x300xf32>) {
  ^bb0(%r: f32, %g: f32, %w: f32):
    %s = arith.mulf %r, %g : f32
    %n = arith.subf %w, %s : f32
    linalg.yield %n : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%dW : memref<100x300xf32>) outs(%copy : memref<100x300xf32>) {
  ^bb0(%g: f32, %o: f32):
    linalg.yield %g : f32
  }
  return
}
