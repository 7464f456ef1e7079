// Operands of products are rounded to bf16 where blocks-bf16 says so: once for
// all products that share one, and stored in 16 bits for a GPU.
// RUN: blocks-opt %s -blocks-bf16 -blocks-to-linalg | FileCheck %s --check-prefix=KEPT
// RUN: blocks-opt %s -blocks-bf16 -blocks-to-linalg=store-bf16=true | FileCheck %s --check-prefix=STORED
// RUN: blocks-opt %s -blocks-to-linalg | FileCheck %s --check-prefix=PLAIN

// PLAIN-NOT: arith.bitcast
// KEPT-LABEL: func.func @products
// KEPT: %[[W:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<8x4xf32>)
// KEPT: arith.bitcast %{{.*}} : f32 to i32
// KEPT: arith.cmpf uno
// KEPT: arith.bitcast %{{.*}} : i32 to f32
// KEPT: %[[X:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<?x8xf32>)
// KEPT: linalg.matmul ins(%[[X]], %[[W]] : tensor<?x8xf32>, tensor<8x4xf32>)
// KEPT: %[[Y:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<?x4xf32>)
// KEPT: linalg.matmul {{.*}}ins(%[[Y]], %[[W]] : tensor<?x4xf32>, tensor<8x4xf32>)

// STORED-LABEL: func.func @products
// STORED: %[[W:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<8x4xbf16>)
// STORED: arith.bitcast %{{.*}} : i16 to bf16
// STORED: %[[X:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<?x8xbf16>)
// STORED: linalg.matmul ins(%[[X]], %[[W]] : tensor<?x8xbf16>, tensor<8x4xbf16>) outs(%{{.*}} : tensor<?x4xf32>)
func.func @products(%W: tensor<8x4xf32> {blocks.state = "/W"}, %x: tensor<?x8xf32> {blocks.source = "x", blocks.axes = ["batch", ""]})
    -> (tensor<?x8xf32> {blocks.output = "y", blocks.roles = #blocks.roles<[output]>}) attributes {blocks.entry} {
  %y = blocks.matmul %x, %W : tensor<?x8xf32>, tensor<8x4xf32> to tensor<?x4xf32>
  %z = blocks.matmul %y, %W transposed : tensor<?x4xf32>, tensor<8x4xf32> to tensor<?x8xf32>
  return %z : tensor<?x8xf32>
}
