// What is overwritten while it is still needed is copied first.
// RUN: blocks-opt %s -blocks-bufferize | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>

// Both the value and the insertion into it are outputs.
// CHECK-LABEL: func.func @both
// CHECK-SAME: (%[[A:[a-z0-9]+]]: memref<4x4xf32>, %[[B:[a-z0-9]+]]: memref<4x3xf32>, %[[NEW:[a-z0-9]+]]: memref<4x4xf32> {{.*}}, %[[OLD:[a-z0-9]+]]: memref<4x4xf32>
// CHECK-NOT: memref.alloc
// CHECK: linalg.generic {{.*}} ins(%[[A]] : {{.*}}) outs(%[[OLD]]
// CHECK: linalg.generic {{.*}} ins(%[[OLD]] : {{.*}}) outs(%[[NEW]]
// CHECK: %[[PART:.*]] = memref.subview %[[NEW]]
// CHECK: memref.copy %[[B]], %[[PART]]
// CHECK-NOT: memref.copy
func.func @both(%a: memref<4x4xf32>, %b: memref<4x3xf32>, %new: memref<4x4xf32> {blocks.output = "new"},
                %old: memref<4x4xf32> {blocks.output = "old"}) attributes {blocks.entry} {
  %ta = bufferization.to_tensor %a restrict : memref<4x4xf32> to tensor<4x4xf32>
  %tb = bufferization.to_tensor %b restrict : memref<4x3xf32> to tensor<4x3xf32>
  %init = tensor.empty() : tensor<4x4xf32>
  %sum = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%ta : tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) {
  ^bb0(%x: f32, %out: f32):
    %d = arith.addf %x, %x : f32
    linalg.yield %d : f32
  } -> tensor<4x4xf32>
  %inserted = tensor.insert_slice %tb into %sum[0, 1] [4, 3] [1, 1] : tensor<4x3xf32> into tensor<4x4xf32>
  bufferization.materialize_in_destination %inserted in restrict writable %new : (tensor<4x4xf32>, memref<4x4xf32>) -> ()
  bufferization.materialize_in_destination %sum in restrict writable %old : (tensor<4x4xf32>, memref<4x4xf32>) -> ()
  return
}

// A parameter's own value is inserted into.
// CHECK-LABEL: func.func @parameter
// CHECK-SAME: (%[[W:[a-z0-9]+]]: memref<?x4xf32> {{.*}}, %[[B:[a-z0-9]+]]: memref<?x3xf32>, %[[NEW:[a-z0-9]+]]: memref<?x4xf32>
// CHECK-NOT: memref.alloc
// CHECK: linalg.generic {{.*}} ins(%[[W]] : {{.*}}) outs(%[[NEW]]
// CHECK: memref.subview %[[NEW]]
// CHECK: memref.copy %[[B]]
func.func @parameter(%w: memref<?x4xf32> {blocks.state = "/linear.W"}, %b: memref<?x3xf32>,
                     %new: memref<?x4xf32> {blocks.output = "new"}) attributes {blocks.entry} {
  %zero = arith.constant 0 : index
  %rows = memref.dim %b, %zero : memref<?x3xf32>
  %tw = bufferization.to_tensor %w restrict : memref<?x4xf32> to tensor<?x4xf32>
  %tb = bufferization.to_tensor %b restrict : memref<?x3xf32> to tensor<?x3xf32>
  %inserted = tensor.insert_slice %tb into %tw[0, 1] [%rows, 3] [1, 1] : tensor<?x3xf32> into tensor<?x4xf32>
  bufferization.materialize_in_destination %inserted in restrict writable %new : (tensor<?x4xf32>, memref<?x4xf32>) -> ()
  return
}

// The new value reads the old one transposed, so that it is complete before the
// old one goes.
// CHECK-LABEL: func.func @transposed
// CHECK-SAME: (%[[W:[a-z0-9]+]]: memref<4x4xf32>
// CHECK: %[[SUM:.*]] = memref.alloc
// CHECK: linalg.generic {{.*}} ins(%[[W]], %[[W]] : {{.*}}) outs(%[[SUM]]
// CHECK: linalg.generic {{.*}} ins(%[[SUM]] : {{.*}}) outs(%[[W]]
func.func @transposed(%w: memref<4x4xf32> {blocks.state = "/linear.W"}) attributes {blocks.entry} {
  %tw = bufferization.to_tensor %w restrict writable : memref<4x4xf32> to tensor<4x4xf32>
  %init = tensor.empty() : tensor<4x4xf32>
  %sum = linalg.generic {indexing_maps = [#id, #turned, #id], iterator_types = ["parallel", "parallel"]}
      ins(%tw, %tw : tensor<4x4xf32>, tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %d = arith.addf %x, %y : f32
    linalg.yield %d : f32
  } -> tensor<4x4xf32>
  bufferization.materialize_in_destination %sum in restrict writable %w : (tensor<4x4xf32>, memref<4x4xf32>) -> ()
  return
}
