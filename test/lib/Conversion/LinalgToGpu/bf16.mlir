// The numbers of products and convolutions with operands of bf16, on the
// processor and on the emulated GPU, are those that NumPy computes of rounded
// operands.
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
  // A large one is products of matrices on a GPU, a small one a kernel.
  blocks.graph @large(%x: tensor<?x6x12x11xf32> {blocks.source = "x", blocks.axes = ["batch", "", "", ""]},
      %w: tensor<20x6x3x3xf32> {blocks.source = "w", blocks.axes = ["", "", "", ""]}) {
    %y = blocks.convolution %x, %w strides [1, 1] padding [0, 0, 0, 0] : tensor<?x6x12x11xf32>, tensor<20x6x3x3xf32> to tensor<?x20x10x9xf32>
    blocks.output %y "y" : tensor<?x20x10x9xf32>
  }
  blocks.graph @small(%x: tensor<?x2x5x4xf32> {blocks.source = "x", blocks.axes = ["batch", "", "", ""]},
      %w: tensor<3x2x2x3xf32> {blocks.source = "w", blocks.axes = ["", "", "", ""]}) {
    %y = blocks.convolution %x, %w strides [1, 1] padding [0, 0, 0, 0] : tensor<?x2x5x4xf32>, tensor<3x2x2x3xf32> to tensor<?x3x4x2xf32>
    blocks.output %y "y" : tensor<?x3x4x2xf32>
  }
}
