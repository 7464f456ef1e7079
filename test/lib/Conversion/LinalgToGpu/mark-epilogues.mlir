// What a product can do before it writes is marked, and nothing else; then both
// are one call.
// RUN: blocks-opt %s -blocks-mark-epilogues | FileCheck %s
// RUN: blocks-opt %s -blocks-mark-epilogues -blocks-form-launches | FileCheck %s --check-prefix=CALL

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>

// A bias, the operands of the sum in either order.
// CHECK-LABEL: func.func @bias
// CHECK: linalg.generic
// CHECK-SAME: blocks.epilogue
// CALL-LABEL: func.func @bias
// CALL: call @blocks_rt_device_gemm_epilogue_f32({{.*}}, %c0{{[_0-9]*}}) :
// CALL-NOT: call @blocks_rt
// CALL: return
func.func @bias(%ctx: !llvm.ptr, %W: memref<7x5xf32>, %b: memref<5xf32>, %x: memref<?x7xf32> {blocks.axes = ["batch", ""]}, %y: memref<?x5xf32> {blocks.result_axes = ["batch", ""]}) {
  linalg.matmul {blocks.dispatch = 0 : i64, blocks.overwrite} ins(%x, %W : memref<?x7xf32>, memref<7x5xf32>) outs(%y : memref<?x5xf32>)
  linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : memref<5xf32>) outs(%y : memref<?x5xf32>) attrs = {blocks.dispatch = 0 : i64} {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  return
}

// A rectifier behind it, as bricks write it.
// CHECK-LABEL: func.func @bias_and_rectifier
// CHECK: linalg.generic
// CHECK-SAME: blocks.epilogue
// CALL-LABEL: func.func @bias_and_rectifier
// CALL: call @blocks_rt_device_gemm_epilogue_f32({{.*}}, %c1{{[_0-9]*}}) :
// CALL-NOT: call @blocks_rt
// CALL: return
func.func @bias_and_rectifier(%ctx: !llvm.ptr, %W: memref<7x5xf32>, %b: memref<5xf32>, %x: memref<?x7xf32> {blocks.axes = ["batch", ""]}, %y: memref<?x5xf32> {blocks.result_axes = ["batch", ""]}) {
  %zero = arith.constant 0.0 : f32
  linalg.matmul {blocks.dispatch = 0 : i64, blocks.overwrite} ins(%x, %W : memref<?x7xf32>, memref<7x5xf32>) outs(%y : memref<?x5xf32>)
  linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : memref<5xf32>) outs(%y : memref<?x5xf32>) attrs = {blocks.dispatch = 0 : i64} {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    %c = arith.cmpf ugt, %s, %zero : f32
    %r = arith.select %c, %s, %zero : f32
    linalg.yield %r : f32
  }
  return
}

// A rectifier alone, as a maximum. The product adds to what is there.
// CHECK-LABEL: func.func @rectifier
// CHECK: linalg.generic
// CHECK-SAME: blocks.epilogue
// CALL-LABEL: func.func @rectifier
// CALL: %[[NOBIAS:.*]] = llvm.mlir.zero : !llvm.ptr
// CALL: call @blocks_rt_device_gemm_epilogue_f32({{.*}}, %[[NOBIAS]], %c1{{[_0-9]*}}) :
// CALL: return
func.func @rectifier(%ctx: !llvm.ptr, %W: memref<7x5xf32>, %x: memref<?x7xf32> {blocks.axes = ["batch", ""]}, %y: memref<?x5xf32> {blocks.result_axes = ["batch", ""]}) {
  %zero = arith.constant 0.0 : f32
  linalg.matmul {blocks.dispatch = 0 : i64} ins(%x, %W : memref<?x7xf32>, memref<7x5xf32>) outs(%y : memref<?x5xf32>)
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%y : memref<?x5xf32>) attrs = {blocks.dispatch = 0 : i64} {
  ^bb0(%o: f32):
    %r = arith.maximumf %o, %zero : f32
    linalg.yield %r : f32
  }
  return
}

// Operands of bf16.
// CHECK-LABEL: func.func @rounded
// CHECK: linalg.generic
// CHECK-SAME: blocks.epilogue
// CALL-LABEL: func.func @rounded
// CALL: call @blocks_rt_device_gemm_epilogue_bf16(
func.func @rounded(%ctx: !llvm.ptr, %W: memref<7x5xbf16>, %b: memref<5xf32>, %x: memref<?x7xbf16> {blocks.axes = ["batch", ""]}, %y: memref<?x5xf32> {blocks.result_axes = ["batch", ""]}) {
  linalg.matmul {blocks.dispatch = 0 : i64, blocks.overwrite} ins(%x, %W : memref<?x7xbf16>, memref<7x5xbf16>) outs(%y : memref<?x5xf32>)
  linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : memref<5xf32>) outs(%y : memref<?x5xf32>) attrs = {blocks.dispatch = 0 : i64} {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  return
}

// Not: one number for each row; another function; f64; a sum that is written
// elsewhere; in another dispatch; with something in between; numbers that do
// not lie side by side; a rectifier that turns NaN to 0; more work behind it.
// CHECK-LABEL: func.func @others
// CHECK-NOT: blocks.epilogue
// CALL-LABEL: func.func @others
// CALL-NOT: gemm_epilogue
// CALL: return
func.func @others(%ctx: !llvm.ptr, %W: memref<7x5xf32>, %b: memref<5xf32>, %wide: memref<5x2xf32>, %x: memref<9x7xf32>, %y: memref<9x5xf32>, %z: memref<9x5xf32>, %rows: memref<9xf32>,
                  %W64: memref<7x5xf64>, %b64: memref<5xf64>, %x64: memref<9x7xf64>, %y64: memref<9x5xf64>) {
  %zero = arith.constant 0.0 : f32
  linalg.matmul {blocks.dispatch = 0 : i64, blocks.overwrite} ins(%x, %W : memref<9x7xf32>, memref<7x5xf32>) outs(%y : memref<9x5xf32>)
  linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%rows : memref<9xf32>) outs(%y : memref<9x5xf32>) attrs = {blocks.dispatch = 0 : i64} {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  linalg.matmul {blocks.dispatch = 1 : i64, blocks.overwrite} ins(%x, %W : memref<9x7xf32>, memref<7x5xf32>) outs(%y : memref<9x5xf32>)
  linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : memref<5xf32>) outs(%y : memref<9x5xf32>) attrs = {blocks.dispatch = 1 : i64} {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    %t = math.tanh %s : f32
    linalg.yield %t : f32
  }
  linalg.matmul {blocks.dispatch = 2 : i64, blocks.overwrite} ins(%x64, %W64 : memref<9x7xf64>, memref<7x5xf64>) outs(%y64 : memref<9x5xf64>)
  linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b64 : memref<5xf64>) outs(%y64 : memref<9x5xf64>) attrs = {blocks.dispatch = 2 : i64} {
  ^bb0(%a: f64, %o: f64):
    %s = arith.addf %a, %o : f64
    linalg.yield %s : f64
  }
  linalg.matmul {blocks.dispatch = 3 : i64, blocks.overwrite} ins(%x, %W : memref<9x7xf32>, memref<7x5xf32>) outs(%y : memref<9x5xf32>)
  linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %b : memref<9x5xf32>, memref<5xf32>) outs(%z : memref<9x5xf32>) attrs = {blocks.dispatch = 3 : i64} {
  ^bb0(%p: f32, %a: f32, %o: f32):
    %s = arith.addf %p, %a : f32
    linalg.yield %s : f32
  }
  linalg.matmul {blocks.dispatch = 4 : i64, blocks.overwrite} ins(%x, %W : memref<9x7xf32>, memref<7x5xf32>) outs(%y : memref<9x5xf32>)
  linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : memref<5xf32>) outs(%y : memref<9x5xf32>) attrs = {blocks.dispatch = 5 : i64} {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  linalg.matmul {blocks.dispatch = 6 : i64, blocks.overwrite} ins(%x, %W : memref<9x7xf32>, memref<7x5xf32>) outs(%y : memref<9x5xf32>)
  linalg.fill {blocks.dispatch = 6 : i64} ins(%zero : f32) outs(%z : memref<9x5xf32>)
  linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : memref<5xf32>) outs(%y : memref<9x5xf32>) attrs = {blocks.dispatch = 6 : i64} {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  linalg.matmul {blocks.dispatch = 7 : i64, blocks.overwrite} ins(%x, %W : memref<9x7xf32>, memref<7x5xf32>) outs(%y : memref<9x5xf32>)
  %every = memref.subview %wide[0, 1] [5, 1] [1, 1] : memref<5x2xf32> to memref<5xf32, strided<[2], offset: 1>>
  linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%every : memref<5xf32, strided<[2], offset: 1>>) outs(%y : memref<9x5xf32>) attrs = {blocks.dispatch = 7 : i64} {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  linalg.matmul {blocks.dispatch = 8 : i64, blocks.overwrite} ins(%x, %W : memref<9x7xf32>, memref<7x5xf32>) outs(%y : memref<9x5xf32>)
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%y : memref<9x5xf32>) attrs = {blocks.dispatch = 8 : i64} {
  ^bb0(%o: f32):
    %c = arith.cmpf ogt, %o, %zero : f32
    %r = arith.select %c, %o, %zero : f32
    linalg.yield %r : f32
  }
  linalg.matmul {blocks.dispatch = 9 : i64, blocks.overwrite} ins(%x, %W : memref<9x7xf32>, memref<7x5xf32>) outs(%y : memref<9x5xf32>)
  linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : memref<5xf32>) outs(%y : memref<9x5xf32>) attrs = {blocks.dispatch = 9 : i64} {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    %t = arith.mulf %s, %a : f32
    linalg.yield %t : f32
  }
  return
}
