// RUN: blocks-opt %s -blocks-plan-memory -verify-diagnostics

// A size that is read from memory is not known at the entry's start.
func.func @size_from_memory(%ctx: !llvm.ptr, %lengths: memref<i64>, %y: memref<f32>) {
  %length = memref.load %lengths[] : memref<i64>
  %n = arith.index_cast %length : i64 to index
  // expected-error @+1 {{internal error: the size of this buffer is not known at the start of the entry}}
  %a = memref.alloc(%n) : memref<?xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%a : memref<?xf32>)
  return
}
