// Every tensor operation prints as it is written.
// RUN: blocks-opt %s | blocks-opt | FileCheck %s

blocks.graph @g(%x: tensor<?x3xf32> {blocks.source = "x"}, %y: tensor<?xui8> {blocks.source = "y"},
                %b: tensor<3xf32> {blocks.source = "b"}, %w: tensor<3x2xf32> {blocks.source = "w"}) {
  // CHECK: blocks.broadcast %{{.*}} like %{{.*}} dims [1] : tensor<3xf32>, tensor<?x3xf32>
  %0 = blocks.broadcast %b like %x dims [1] : tensor<3xf32>, tensor<?x3xf32>
  // CHECK-NEXT: blocks.reduce max %{{.*}} dims [1] : tensor<?x3xf32> to tensor<?xf32>
  %1 = blocks.reduce max %0 dims [1] : tensor<?x3xf32> to tensor<?xf32>
  // CHECK-NEXT: blocks.extent %{{.*}} dims [0, 1] : tensor<?x3xf32> to tensor<f32>
  %2 = blocks.extent %x dims [0, 1] : tensor<?x3xf32> to tensor<f32>
  // CHECK-NEXT: blocks.matmul %{{.*}}, %{{.*}} : tensor<?x3xf32>, tensor<3x2xf32> to tensor<?x2xf32>
  %3 = blocks.matmul %x, %w : tensor<?x3xf32>, tensor<3x2xf32> to tensor<?x2xf32>
  // CHECK-NEXT: blocks.matmul %{{.*}} transposed, %{{.*}} : tensor<?x3xf32>, tensor<?x2xf32> to tensor<3x2xf32>
  %4 = blocks.matmul %x transposed, %3 : tensor<?x3xf32>, tensor<?x2xf32> to tensor<3x2xf32>
  // CHECK-NEXT: blocks.matmul %{{.*}}, %{{.*}} transposed : tensor<?x2xf32>, tensor<3x2xf32> to tensor<?x3xf32>
  %5 = blocks.matmul %3, %w transposed : tensor<?x2xf32>, tensor<3x2xf32> to tensor<?x3xf32>
  // CHECK-NEXT: blocks.cast %{{.*}} : tensor<?xui8> to tensor<?xf32>
  %6 = blocks.cast %y : tensor<?xui8> to tensor<?xf32>
  // CHECK-NEXT: blocks.rectifier %{{.*}} : tensor<?x3xf32>
  %7 = blocks.rectifier %x : tensor<?x3xf32>
  // CHECK-NEXT: blocks.rectifier %{{.*}} leak 1.000000e-02 : tensor<?x3xf32>
  %8 = blocks.rectifier %x leak 0.01 : tensor<?x3xf32>
  // CHECK-NEXT: blocks.logistic %{{.*}} : tensor<?x3xf32>
  %9 = blocks.logistic %x : tensor<?x3xf32>
  // CHECK-NEXT: blocks.softmax %{{.*}} : tensor<?x3xf32>
  %10 = blocks.softmax %x : tensor<?x3xf32>
  // CHECK-NEXT: blocks.log_softmax %{{.*}} : tensor<?x3xf32>
  %11 = blocks.log_softmax %x : tensor<?x3xf32>
  // CHECK-NEXT: blocks.softmax_cross_entropy %{{.*}}, %{{.*}} {brick = "/softmax"} : tensor<?x3xf32>, tensor<?xui8> to tensor<?xf32>, tensor<?x3xf32>
  %12:2 = blocks.softmax_cross_entropy %x, %y {brick = "/softmax"} : tensor<?x3xf32>, tensor<?xui8> to tensor<?xf32>, tensor<?x3xf32>
  // CHECK-NEXT: blocks.softmax_cross_entropy_grad %{{.*}}, %{{.*}}, %{{.*}} : tensor<?x3xf32>, tensor<?xui8>, tensor<?xf32>
  %13 = blocks.softmax_cross_entropy_grad %12#1, %y, %12#0 : tensor<?x3xf32>, tensor<?xui8>, tensor<?xf32>
  // CHECK-NEXT: blocks.pick %{{.*}}, %{{.*}} : tensor<?x3xf32>, tensor<?xui8> to tensor<?xf32>
  %14 = blocks.pick %x, %y : tensor<?x3xf32>, tensor<?xui8> to tensor<?xf32>
  // CHECK-NEXT: blocks.unpick %{{.*}}, %{{.*}} like %{{.*}} : tensor<?xf32>, tensor<?xui8>, tensor<?x3xf32> to tensor<?x3xf32>
  %15 = blocks.unpick %14, %y like %x : tensor<?xf32>, tensor<?xui8>, tensor<?x3xf32> to tensor<?x3xf32>
  // CHECK-NEXT: blocks.argmax %{{.*}} : tensor<?x3xf32> to tensor<?xi64>
  %16 = blocks.argmax %x : tensor<?x3xf32> to tensor<?xi64>
  // CHECK-NEXT: blocks.random uniform like %{{.*}} site 7 : tensor<?x3xf32> to tensor<?x3xf32>
  %17 = blocks.random uniform like %x site 7 : tensor<?x3xf32> to tensor<?x3xf32>
}
