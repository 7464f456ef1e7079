// The numbers of a product with operands of bf16, on the processor and on the
// emulated GPU, are those that NumPy computes of rounded operands.
// REQUIRES: ptx-emulator
// RUN: %python %source/test/lib/Conversion/LinalgToGpu/bf16.py %s %t cpu | FileCheck %s
// RUN: env %on-emulator %python %source/test/lib/Conversion/LinalgToGpu/bf16.py %s %t cuda | FileCheck %s
// CHECK: agrees
module @product {
  blocks.graph @multiply(%x: tensor<?x100xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
      %w: tensor<100x70xf32> {blocks.source = "w", blocks.axes = ["", ""]}) {
    %y = blocks.matmul %x, %w : tensor<?x100xf32>, tensor<100x70xf32> to tensor<?x70xf32>
    blocks.output %y "y" : tensor<?x70xf32>
  }
}
