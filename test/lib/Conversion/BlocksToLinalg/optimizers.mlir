// Adam and momentum: a parameter and its buffers are one operation, in place.
//
// RUN: blocks-opt %s --blocks-to-linalg --blocks-fuse | FileCheck %s
// RUN: blocks-opt %s --blocks-to-linalg --blocks-fuse --eliminate-empty-tensors \
// RUN:   --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   --canonicalize --cse --canonicalize | FileCheck %s --check-prefix=BUFFER

// CHECK-LABEL: func.func @adam
// CHECK-DAG: %[[W:.*]] = bufferization.to_tensor %arg1 restrict writable
// CHECK-DAG: %[[M:.*]] = bufferization.to_tensor %arg2 restrict writable
// CHECK-DAG: %[[V:.*]] = bufferization.to_tensor %arg3 restrict writable
// CHECK: %[[G:.*]] = linalg.matmul
// CHECK-NEXT: %[[NEW:.*]]:3 = linalg.generic {{.*}} ins(%{{.*}}, %[[G]] : tensor<f32>, tensor<784x500xf32>) outs(%[[V]], %[[M]], %[[W]] :
// CHECK-COUNT-1: math.sqrt
// CHECK-NOT: math.sqrt
// CHECK: linalg.yield
// CHECK: bufferization.materialize_in_destination %[[NEW]]#2 in restrict writable %arg1
// CHECK-NEXT: bufferization.materialize_in_destination %[[NEW]]#1 in restrict writable %arg2
// CHECK-NEXT: bufferization.materialize_in_destination %[[NEW]]#0 in restrict writable %arg3
// Counters come last.
// CHECK-NEXT: bufferization.materialize_in_destination {{.*}} memref<f64>)
// CHECK: bufferization.materialize_in_destination {{.*}} memref<i64>)
// CHECK-NEXT: return

// BUFFER-LABEL: func.func @adam
// BUFFER-NOT: memref.copy
// BUFFER: %[[G:.*]] = memref.alloc() {{.*}} : memref<784x500xf32>
// BUFFER-NOT: memref.copy
// BUFFER-NOT: memref.alloc
// BUFFER: linalg.generic {{.*}} ins(%{{.*}}, %[[G]] : {{.*}}) outs(%arg3, %arg2, %arg1 :
// BUFFER-NOT: memref.copy
// BUFFER: return

// CHECK-LABEL: func.func @momentum
// CHECK: linalg.matmul
// CHECK-NEXT: %[[NEW:.*]]:2 = linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<16x8xf32>, tensor<16x8xf32>)
// CHECK: linalg.yield
// CHECK: bufferization.materialize_in_destination %[[NEW]]#1 in restrict writable %arg1
// CHECK-NEXT: bufferization.materialize_in_destination %[[NEW]]#0 in restrict writable %arg2
// CHECK-NEXT: return

// BUFFER-LABEL: func.func @momentum
// BUFFER-NOT: memref.copy
// BUFFER: linalg.generic {{.*}} outs(%arg2, %arg1 :
// BUFFER-NOT: memref.copy
// BUFFER: return

func.func @adam(
    %W: tensor<784x500xf32> {blocks.state = "/l.W"}, %m: tensor<784x500xf32> {blocks.state = "/algorithm/l/W.mean"},
    %v: tensor<784x500xf32> {blocks.state = "/algorithm/l/W.variance"},
    %lr: tensor<f32> {blocks.state = "/algorithm.learning_rate"},
    %b1: tensor<f64> {blocks.state = "/algorithm.beta1_power"},
    %step: tensor<i64> {blocks.state = "/algorithm.step"},
    %x: tensor<?x784xf32> {blocks.source = "features", blocks.axes = ["batch", "feature"]},
    %dz: tensor<?x500xf32> {blocks.source = "dz", blocks.axes = ["batch", ""]})
    -> (tensor<784x500xf32> {blocks.state = "/l.W"}, tensor<784x500xf32> {blocks.state = "/algorithm/l/W.mean"},
    tensor<784x500xf32> {blocks.state = "/algorithm/l/W.variance"}, tensor<f64> {blocks.state = "/algorithm.beta1_power"}, tensor<i64> {blocks.state = "/algorithm.step"})
    attributes {blocks.entry} {
  %c9 = arith.constant dense<0.9> : tensor<f32>
  %c1 = arith.constant dense<0.1> : tensor<f32>
  %c99 = arith.constant dense<0.999> : tensor<f32>
  %c01 = arith.constant dense<0.001> : tensor<f32>
  %eps = arith.constant dense<1.0e-8> : tensor<f32>
  %b9 = arith.constant dense<0.9> : tensor<f64>
  %oned = arith.constant dense<1.0> : tensor<f64>
  %one = arith.constant dense<1> : tensor<i64>
  %nb1 = arith.mulf %b1, %b9 : tensor<f64>
  %cor = arith.subf %oned, %nb1 : tensor<f64>
  %corf = blocks.cast %cor : tensor<f64> to tensor<f32>
  %alpha = arith.divf %lr, %corf : tensor<f32>
  %nstep = arith.addi %step, %one : tensor<i64>
  %g = blocks.matmul %x transposed, %dz : tensor<?x784xf32>, tensor<?x500xf32> to tensor<784x500xf32>
  %c9b = blocks.broadcast %c9 like %W dims [] : tensor<f32>, tensor<784x500xf32>
  %c1b = blocks.broadcast %c1 like %W dims [] : tensor<f32>, tensor<784x500xf32>
  %c99b = blocks.broadcast %c99 like %W dims [] : tensor<f32>, tensor<784x500xf32>
  %c01b = blocks.broadcast %c01 like %W dims [] : tensor<f32>, tensor<784x500xf32>
  %epsb = blocks.broadcast %eps like %W dims [] : tensor<f32>, tensor<784x500xf32>
  %ab = blocks.broadcast %alpha like %W dims [] : tensor<f32>, tensor<784x500xf32>
  %m1 = arith.mulf %c9b, %m : tensor<784x500xf32>
  %m2 = arith.mulf %c1b, %g : tensor<784x500xf32>
  %nm = arith.addf %m1, %m2 : tensor<784x500xf32>
  %gg = arith.mulf %g, %g : tensor<784x500xf32>
  %v1 = arith.mulf %c99b, %v : tensor<784x500xf32>
  %v2 = arith.mulf %c01b, %gg : tensor<784x500xf32>
  %nv = arith.addf %v1, %v2 : tensor<784x500xf32>
  %sq = math.sqrt %nv : tensor<784x500xf32>
  %den = arith.addf %sq, %epsb : tensor<784x500xf32>
  %q = arith.divf %nm, %den : tensor<784x500xf32>
  %s = arith.mulf %ab, %q : tensor<784x500xf32>
  %nW = arith.subf %W, %s : tensor<784x500xf32>
  return %nW, %nm, %nv, %nb1, %nstep : tensor<784x500xf32>, tensor<784x500xf32>, tensor<784x500xf32>, tensor<f64>, tensor<i64>
}

func.func @momentum(
    %W: tensor<16x8xf32> {blocks.state = "/l.W"}, %u: tensor<16x8xf32> {blocks.state = "/algorithm/l/W.velocity"},
    %lr: tensor<f32> {blocks.state = "/algorithm.learning_rate"}, %mo: tensor<f32> {blocks.state = "/algorithm.momentum"},
    %x: tensor<?x16xf32> {blocks.source = "features", blocks.axes = ["batch", "feature"]},
    %dz: tensor<?x8xf32> {blocks.source = "dz"})
    -> (tensor<16x8xf32> {blocks.state = "/l.W"}, tensor<16x8xf32> {blocks.state = "/algorithm/l/W.velocity"})
    attributes {blocks.entry} {
  %g = blocks.matmul %x transposed, %dz : tensor<?x16xf32>, tensor<?x8xf32> to tensor<16x8xf32>
  %lb = blocks.broadcast %lr like %W dims [] : tensor<f32>, tensor<16x8xf32>
  %mb = blocks.broadcast %mo like %W dims [] : tensor<f32>, tensor<16x8xf32>
  %mu = arith.mulf %mb, %u : tensor<16x8xf32>
  %lg = arith.mulf %lb, %g : tensor<16x8xf32>
  %nu = arith.addf %mu, %lg : tensor<16x8xf32>
  %nW = arith.subf %W, %nu : tensor<16x8xf32>
  return %nW, %nu : tensor<16x8xf32>, tensor<16x8xf32>
}
