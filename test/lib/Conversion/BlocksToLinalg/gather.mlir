// A gather is one elementwise operation; its gradient a loop over the rows that
// are read, on a buffer of zeros, without a product with one-hot rows.
// RUN: blocks-opt %s --blocks-to-linalg | FileCheck %s
// RUN: blocks-opt %s --blocks-to-linalg --blocks-fuse --blocks-bufferize | FileCheck %s --check-prefix=BUFFER

// CHECK-LABEL: func.func @rows
// CHECK: scf.if
// CHECK: func.call @blocks_rt_report
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: arith.cmpi ult
// CHECK: tensor.extract %{{.*}}[%{{.*}}, %{{.*}}] : tensor<7x5xf32>
// BUFFER-LABEL: func.func @rows
// BUFFER-NOT: memref.copy
// BUFFER: memref.load %arg1[
// BUFFER-NOT: memref.copy
// BUFFER: return
func.func @rows(%w: tensor<7x5xf32> {blocks.state = "/table.W"}, %i: tensor<?xi32> {blocks.source = "i"})
    -> (tensor<?x5xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  %0 = blocks.gather %w, %i {brick = "/table"} : tensor<7x5xf32>, tensor<?xi32> to tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}

// CHECK-LABEL: func.func @sums
// CHECK: %[[SUMS:.*]] = memref.alloc() {{.*}} : memref<7x5xf32>
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[SUMS]] : memref<7x5xf32>)
// CHECK: scf.for
// CHECK: memref.subview %[[SUMS]][%{{.*}}, 0] [1, 5] [1, 1]
// CHECK: bufferization.materialize_in_destination
// CHECK: bufferization.to_tensor %[[SUMS]]
// BUFFER-LABEL: func.func @sums
// BUFFER: %[[SUMS:.*]] = memref.alloc
// BUFFER: scf.for
// BUFFER-NOT: memref.alloc
// BUFFER-NOT: memref.copy
// BUFFER: return
func.func @sums(%w: tensor<7x5xf32> {blocks.state = "/table.W"}, %i: tensor<?xi32> {blocks.source = "i"},
                %r: tensor<?x5xf32> {blocks.source = "r"})
    -> (tensor<7x5xf32> {blocks.state = "/table.W"}) attributes {blocks.entry} {
  %0 = blocks.scatter_add %r, %i like %w : tensor<?x5xf32>, tensor<?xi32>, tensor<7x5xf32>
  %1 = arith.subf %w, %0 : tensor<7x5xf32>
  return %1 : tensor<7x5xf32>
}
