// Stacks of products; several leading axes, dynamic ones.
// RUN: blocks-opt %s | blocks-opt | FileCheck %s

// CHECK-LABEL: blocks.graph @products
blocks.graph @products(%a: tensor<?x4x3xf32> {blocks.source = "a"}, %b: tensor<?x3x?xf32> {blocks.source = "b"},
                       %c: tensor<2x?x3x4xf32> {blocks.source = "c"}) {
  // CHECK: blocks.batch_matmul %{{.*}}, %{{.*}} : tensor<?x4x3xf32>, tensor<?x3x?xf32> to tensor<?x4x?xf32>
  %0 = blocks.batch_matmul %a, %b : tensor<?x4x3xf32>, tensor<?x3x?xf32> to tensor<?x4x?xf32>
  // CHECK: blocks.batch_matmul %{{.*}} transposed, %{{.*}} : tensor<2x?x3x4xf32>, tensor<2x?x3x4xf32> to tensor<2x?x4x4xf32>
  %1 = blocks.batch_matmul %c transposed, %c : tensor<2x?x3x4xf32>, tensor<2x?x3x4xf32> to tensor<2x?x4x4xf32>
  // CHECK: blocks.batch_matmul %{{.*}}, %{{.*}} transposed
  %2 = blocks.batch_matmul %a, %a transposed : tensor<?x4x3xf32>, tensor<?x4x3xf32> to tensor<?x4x4xf32>
}
