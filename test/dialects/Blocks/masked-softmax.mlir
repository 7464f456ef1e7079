// RUN: blocks-opt %s | blocks-opt | FileCheck %s

// CHECK-LABEL: blocks.graph @masked
blocks.graph @masked(%x: tensor<?x3xf32> {blocks.source = "x"}, %m: tensor<?x3xi1> {blocks.source = "m"}) {
  // CHECK: blocks.softmax %{{.*}} masked %{{.*}} : tensor<?x3xf32>, tensor<?x3xi1>
  %0 = blocks.softmax %x masked %m : tensor<?x3xf32>, tensor<?x3xi1>
}
