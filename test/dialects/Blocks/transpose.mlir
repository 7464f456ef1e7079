// The order of axes: of any rank and element type, with dynamic extents.
// RUN: blocks-opt %s | blocks-opt | FileCheck %s
// RUN: blocks-opt %s --mlir-print-op-generic | blocks-opt | FileCheck %s

// CHECK-LABEL: blocks.graph @orders
blocks.graph @orders(%x: tensor<?x?x8xf32> {blocks.source = "x"}, %y: tensor<4x5xui8> {blocks.source = "y"}, %z: tensor<f64> {blocks.source = "z"}) {
  // CHECK: blocks.transpose %{{.*}} permutation [1, 0, 2] : tensor<?x?x8xf32> to tensor<?x?x8xf32>
  %0 = blocks.transpose %x permutation [1, 0, 2] : tensor<?x?x8xf32> to tensor<?x?x8xf32>
  // CHECK: blocks.transpose %{{.*}} permutation [1, 0] : tensor<4x5xui8> to tensor<5x4xui8>
  %1 = blocks.transpose %y permutation [1, 0] : tensor<4x5xui8> to tensor<5x4xui8>
  // CHECK: blocks.transpose %{{.*}} permutation [] : tensor<f64> to tensor<f64>
  %2 = blocks.transpose %z permutation [] : tensor<f64> to tensor<f64>
  blocks.output %0 "x" : tensor<?x?x8xf32>
  blocks.output %1 "y" : tensor<5x4xui8>
  blocks.output %2 "z" : tensor<f64>
}
