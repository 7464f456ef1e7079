// Which operations run together.
// RUN: blocks-opt %s -blocks-group-dispatches | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#vector = affine_map<(d0) -> (d0)>
#none2 = affine_map<(d0, d1) -> ()>
#none1 = affine_map<(d0) -> ()>
#at = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]

// The fill goes into the product, bias and activation follow it on its rows and
// write over its result.
// CHECK-LABEL: func.func @forward
// CHECK: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK-NOT: linalg.fill
// CHECK: linalg.matmul
// CHECK-SAME: blocks.dispatch = 0
// CHECK-SAME: blocks.overwrite
// CHECK: linalg.generic
// CHECK-SAME: outs(%[[H:.*]] : memref<?x8000xf32>) attrs = {blocks.dispatch = 0 : i64}
// CHECK: linalg.matmul
// CHECK-SAME: blocks.dispatch = 1
func.func @forward(%ctx: !llvm.ptr, %W: memref<4x8000xf32>, %b: memref<8000xf32>, %V: memref<8000x4xf32>, %x: memref<?x4xf32>, %y: memref<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %B = memref.dim %x, %c0 : memref<?x4xf32>
  %z = memref.alloc(%B) : memref<?x8000xf32>
  linalg.fill ins(%zero : f32) outs(%z : memref<?x8000xf32>)
  linalg.matmul ins(%x, %W : memref<?x4xf32>, memref<4x8000xf32>) outs(%z : memref<?x8000xf32>)
  %h = memref.alloc(%B) : memref<?x8000xf32>
  linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%z, %b : memref<?x8000xf32>, memref<8000xf32>) outs(%h : memref<?x8000xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %c : f32
    %t = math.tanh %s : f32
    linalg.yield %t : f32
  }
  linalg.matmul ins(%h, %V : memref<?x8000xf32>, memref<8000x4xf32>) outs(%y : memref<?x4xf32>)
  return
}

// Small products stand anywhere in a dispatch over their rows, and columns of
// its rows may be read through views.
// CHECK-LABEL: func.func @step
// CHECK-COUNT-2: linalg.matmul {blocks.dispatch = 0
// CHECK: linalg.generic
// CHECK-SAME: blocks.dispatch = 0
// CHECK: linalg.matmul {blocks.dispatch = 0
func.func @step(%ctx: !llvm.ptr, %W: memref<4x8xf32>, %U: memref<8x5xf32>, %V: memref<5x2xf32>, %x: memref<?x4xf32>, %y: memref<?x2xf32>) {
  %c0 = arith.constant 0 : index
  %B = memref.dim %x, %c0 : memref<?x4xf32>
  %h = memref.alloc(%B) : memref<?x8xf32>
  linalg.matmul ins(%x, %W : memref<?x4xf32>, memref<4x8xf32>) outs(%h : memref<?x8xf32>)
  %z = memref.alloc(%B) : memref<?x5xf32>
  linalg.matmul ins(%h, %U : memref<?x8xf32>, memref<8x5xf32>) outs(%z : memref<?x5xf32>)
  %slice = memref.subview %z[0, 3] [%B, 1] [1, 1] : memref<?x5xf32> to memref<?x1xf32, strided<[5, 1], offset: 3>>
  %column = memref.collapse_shape %slice [[0, 1]] : memref<?x1xf32, strided<[5, 1], offset: 3>> into memref<?xf32, strided<[5], offset: 3>>
  linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%column : memref<?xf32, strided<[5], offset: 3>>) outs(%h : memref<?x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %o : f32
    linalg.yield %s : f32
  }
  %left = memref.subview %h[0, 3] [%B, 5] [1, 1] : memref<?x8xf32> to memref<?x5xf32, strided<[8, 1], offset: 3>>
  linalg.matmul ins(%left, %V : memref<?x5xf32, strided<[8, 1], offset: 3>>, memref<5x2xf32>) outs(%y : memref<?x2xf32>)
  return
}

// Another row of the same buffer, and what a large product is cut by columns
// for, end a dispatch.
// CHECK-LABEL: func.func @apart
// CHECK: linalg.matmul {blocks.dispatch = 0
// CHECK: linalg.generic
// CHECK-SAME: blocks.dispatch = 1
// CHECK: linalg.generic
// CHECK-SAME: blocks.dispatch = 2
func.func @apart(%ctx: !llvm.ptr, %W: memref<400x200xf32>, %x: memref<64x400xf32>, %y: memref<65x100xf32>) {
  %h = memref.alloc() : memref<64x200xf32>
  linalg.matmul ins(%x, %W : memref<64x400xf32>, memref<400x200xf32>) outs(%h : memref<64x200xf32>)
  %first = memref.subview %y[0, 0] [64, 100] [1, 1] : memref<65x100xf32> to memref<64x100xf32, strided<[100, 1]>>
  %second = memref.subview %y[1, 0] [64, 100] [1, 1] : memref<65x100xf32> to memref<64x100xf32, strided<[100, 1], offset: 100>>
  %gate = memref.subview %h[0, 100] [64, 100] [1, 1] : memref<64x200xf32> to memref<64x100xf32, strided<[200, 1], offset: 100>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%gate : memref<64x100xf32, strided<[200, 1], offset: 100>>) outs(%first : memref<64x100xf32, strided<[100, 1]>>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%first : memref<64x100xf32, strided<[100, 1]>>) outs(%second : memref<64x100xf32, strided<[100, 1], offset: 100>>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  return
}

// An update joins the product of its gradient, though another operation stands
// between; the bias's gradient is cut by columns, with the bias's update.
// CHECK-LABEL: func.func @updates
// CHECK: linalg.matmul
// CHECK-SAME: blocks.dispatch = 0
// CHECK: linalg.generic
// CHECK-SAME: outs(%{{.*}} : memref<100x300xf32>) attrs = {blocks.dispatch = 0 : i64}
// CHECK: linalg.fill {blocks.dispatch = 1 : i64}
// CHECK: linalg.generic
// CHECK-SAME: ["reduction", "parallel"]
// CHECK-SAME: blocks.dispatch = 1
// CHECK: linalg.generic
// CHECK-SAME: outs(%{{.*}} : memref<300xf32>) attrs = {blocks.dispatch = 1 : i64}
func.func @updates(%ctx: !llvm.ptr, %W: memref<100x300xf32>, %b: memref<300xf32>, %x: memref<?x100xf32>, %dz: memref<?x300xf32>) {
  %zero = arith.constant 0.0 : f32
  %dW = memref.alloc() : memref<100x300xf32>
  linalg.fill ins(%zero : f32) outs(%dW : memref<100x300xf32>)
  linalg.matmul indexing_maps = #at ins(%x, %dz : memref<?x100xf32>, memref<?x300xf32>) outs(%dW : memref<100x300xf32>)
  %db = memref.alloc() : memref<300xf32>
  linalg.fill ins(%zero : f32) outs(%db : memref<300xf32>)
  linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
      ins(%dz : memref<?x300xf32>) outs(%db : memref<300xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%dW : memref<100x300xf32>) outs(%W : memref<100x300xf32>) {
  ^bb0(%g: f32, %w: f32):
    %s = arith.subf %w, %g : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]}
      ins(%db : memref<300xf32>) outs(%b : memref<300xf32>) {
  ^bb0(%g: f32, %w: f32):
    %s = arith.subf %w, %g : f32
    linalg.yield %s : f32
  }
  return
}

// A norm is summed row by row, with what computes the rows, and then over the
// partial sums.
// CHECK-LABEL: func.func @norm
// CHECK: %[[PARTIAL:.*]] = memref.alloc({{.*}}) {alignment = 64 : i64} : memref<?xf32>
// CHECK: linalg.generic
// CHECK-SAME: ["parallel", "reduction"]
// CHECK-SAME: outs(%[[PARTIAL]]
// CHECK-SAME: blocks.dispatch = 0
// CHECK: linalg.generic
// CHECK-SAME: ["reduction"]
// CHECK-SAME: ins(%[[PARTIAL]]
// CHECK-SAME: blocks.dispatch = 1
func.func @norm(%ctx: !llvm.ptr, %x: memref<?x500xf32>, %y: memref<f32>) {
  linalg.generic {indexing_maps = [#id, #none2], iterator_types = ["reduction", "reduction"]}
      ins(%x : memref<?x500xf32>) outs(%y : memref<f32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %s = arith.addf %q, %o fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// A gradient is squared and summed with the product that computes it, unless it
// is large: then the product is better cut by columns.
// CHECK-LABEL: func.func @small_gradient
// CHECK: linalg.matmul
// CHECK-SAME: blocks.dispatch = 0
// CHECK: linalg.generic
// CHECK-SAME: blocks.dispatch = 0
func.func @small_gradient(%ctx: !llvm.ptr, %x: memref<?x300xf32>, %d: memref<?x500xf32>, %g: memref<300x500xf32>, %y: memref<300xf32>) {
  linalg.matmul indexing_maps = #at ins(%x, %d : memref<?x300xf32>, memref<?x500xf32>) outs(%g : memref<300x500xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%g : memref<300x500xf32>) outs(%y : memref<300xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %s = arith.addf %q, %o fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK-LABEL: func.func @large_gradient
// CHECK: linalg.matmul
// CHECK-SAME: blocks.dispatch = 0
// CHECK: linalg.generic
// CHECK-SAME: blocks.dispatch = 1
func.func @large_gradient(%ctx: !llvm.ptr, %x: memref<?x300xf32>, %d: memref<?x2000xf32>, %g: memref<300x2000xf32>, %y: memref<300xf32>) {
  linalg.matmul indexing_maps = #at ins(%x, %d : memref<?x300xf32>, memref<?x2000xf32>) outs(%g : memref<300x2000xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%g : memref<300x2000xf32>) outs(%y : memref<300xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %s = arith.addf %q, %o fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// Rows that another operation needs whole end a dispatch.
// CHECK-LABEL: func.func @gather
// CHECK: linalg.generic
// CHECK-SAME: blocks.dispatch = 0
// CHECK: linalg.generic
// CHECK-SAME: blocks.dispatch = 1
func.func @gather(%ctx: !llvm.ptr, %x: memref<?xf32>, %i: memref<?xi32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %B = memref.dim %x, %c0 : memref<?xf32>
  %t = memref.alloc(%B) : memref<?xf32>
  linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]}
      ins(%x : memref<?xf32>) outs(%t : memref<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]}
      ins(%i : memref<?xi32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: i32, %o: f32):
    %k = arith.index_cast %a : i32 to index
    %v = memref.load %t[%k] : memref<?xf32>
    linalg.yield %v : f32
  }
  return
}
