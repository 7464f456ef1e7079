// What has no form on a GPU is an error that says so.
// RUN: blocks-opt %s -split-input-file -verify-diagnostics -blocks-form-launches

func.func private @elsewhere()
func.func @branch(%ctx: !llvm.ptr, %s: memref<i1>) {
  %0 = memref.load %s[] : memref<i1>
  // expected-error @unknown {{internal error: 'scf.if' in brick /softmax.apply: a branch that does more than report has no form on a GPU; run with --device cpu, and report this with the model}}
  scf.if %0 {
    func.call @elsewhere() : () -> ()
  } loc("/softmax.apply")
  return
}

// -----

func.func @sort(%ctx: !llvm.ptr, %s: memref<4xf32>) {
  // expected-error @below {{internal error: 'memref.cast': no kernel can be made of this operation on buffers; write this part of the model by other operations}}
  %cast = memref.cast %s : memref<4xf32> to memref<*xf32>
  call @sorted(%cast) : (memref<*xf32>) -> ()
  return
}
func.func private @sorted(memref<*xf32>)

// -----

func.func @loop(%ctx: !llvm.ptr, %i: memref<?xi64> {blocks.axes = ["batch"]}, %y: memref<100xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %B = memref.dim %i, %c0 : memref<?xi64>
  // expected-error @below {{internal error: 'scf.for': a loop over places in memory that does something else than add rows to one array has no form on a GPU; run with --device cpu}}
  scf.for %t = %c0 to %B step %c1 {
    %0 = memref.load %i[%t] : memref<?xi64>
    %1 = arith.index_cast %0 : i64 to index
    %to = memref.subview %y[%1] [1] [1] : memref<100xf32> to memref<f32, strided<[], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%to : memref<f32, strided<[], offset: ?>>)
    linalg.fill ins(%zero : f32) outs(%to : memref<f32, strided<[], offset: ?>>)
  }
  return
}
