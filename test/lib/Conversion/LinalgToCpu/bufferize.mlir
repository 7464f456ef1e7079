// A parameter's update is computed into the parameter: no allocation for it,
// and no copy.
// RUN: blocks-opt %s -blocks-bufferize | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#scalar = affine_map<(d0, d1) -> ()>

// CHECK-LABEL: func.func @update
// CHECK-SAME: (%[[W:[a-z0-9]+]]: memref<4x5xf32> {{.*}}, %[[G:[a-z0-9]+]]: memref<4x5xf32>, %[[RATE:[a-z0-9]+]]: memref<f32>
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[W]], %[[G]], %[[RATE]]
// CHECK-SAME: outs(%[[W]]
// CHECK-NOT: memref.copy
func.func @update(%w: memref<4x5xf32> {blocks.state = "/linear.W"}, %g: memref<4x5xf32>,
                  %rate: memref<f32> {blocks.state = "/algorithm.learning_rate"}) attributes {blocks.entry} {
  %tw = bufferization.to_tensor %w restrict writable : memref<4x5xf32> to tensor<4x5xf32>
  %tg = bufferization.to_tensor %g restrict : memref<4x5xf32> to tensor<4x5xf32>
  %tr = bufferization.to_tensor %rate restrict : memref<f32> to tensor<f32>
  %new = linalg.generic {indexing_maps = [#id, #id, #scalar, #id], iterator_types = ["parallel", "parallel"]}
      ins(%tw, %tg, %tr : tensor<4x5xf32>, tensor<4x5xf32>, tensor<f32>) outs(%tw : tensor<4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %r: f32, %out: f32):
    %s = arith.mulf %b, %r : f32
    %d = arith.subf %a, %s : f32
    linalg.yield %d : f32
  } -> tensor<4x5xf32>
  bufferization.materialize_in_destination %new in restrict writable %w : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}

// An output that is a state's value is a copy of it, and the only one.
// CHECK-LABEL: func.func @report
// CHECK: memref.copy
// CHECK-NOT: memref.copy
// CHECK: return
func.func @report(%w: memref<4xf32> {blocks.state = "/a.W"}, %o: memref<4xf32> {blocks.output = "W"}) attributes {blocks.entry} {
  %0 = bufferization.to_tensor %w restrict writable : memref<4xf32> to tensor<4xf32>
  bufferization.materialize_in_destination %0 in restrict writable %o : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
