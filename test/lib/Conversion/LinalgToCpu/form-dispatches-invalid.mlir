// RUN: blocks-opt %s -blocks-form-dispatches -allow-unregistered-dialect -verify-diagnostics

func.func @unknown(%ctx: !llvm.ptr, %x: memref<4xf32>) {
  // expected-error @+1 {{no kernel can be made of this operation on buffers}}
  "test.use"(%x) : (memref<4xf32>) -> ()
  return
}
