// Rows by number: indices of any rank and type, rows of any rank.
// RUN: blocks-opt %s | blocks-opt | FileCheck %s

// CHECK-LABEL: blocks.graph @gather
blocks.graph @gather(%w: tensor<10x3xf32> {blocks.source = "w"}, %i: tensor<?x?xui16> {blocks.source = "i"},
                     %one: tensor<i64> {blocks.source = "one"}) {
  // CHECK: blocks.gather %{{.*}}, %{{.*}} {brick = "/lookup"} : tensor<10x3xf32>, tensor<?x?xui16> to tensor<?x?x3xf32>
  %0 = blocks.gather %w, %i {brick = "/lookup"} : tensor<10x3xf32>, tensor<?x?xui16> to tensor<?x?x3xf32>
  // CHECK: blocks.gather %{{.*}}, %{{.*}} : tensor<10x3xf32>, tensor<i64> to tensor<3xf32>
  %1 = blocks.gather %w, %one : tensor<10x3xf32>, tensor<i64> to tensor<3xf32>
  // CHECK: blocks.scatter_add %{{.*}}, %{{.*}} like %{{.*}} : tensor<?x?x3xf32>, tensor<?x?xui16>, tensor<10x3xf32>
  %2 = blocks.scatter_add %0, %i like %w : tensor<?x?x3xf32>, tensor<?x?xui16>, tensor<10x3xf32>
}
