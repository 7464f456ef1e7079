// A training step of three layers with plain gradient descent: the form after
// to-linalg, what fusion leaves, and that bufferization copies no parameter.
//
// RUN: blocks-opt %s --blocks-to-linalg | FileCheck %s --check-prefix=LINALG
// RUN: blocks-opt %s --blocks-to-linalg --blocks-fuse | FileCheck %s --check-prefix=FUSED
// RUN: blocks-opt %s --blocks-to-linalg --blocks-fuse --eliminate-empty-tensors \
// RUN:   --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   --canonicalize --cse --canonicalize | FileCheck %s --check-prefix=BUFFER
// RUN: blocks-opt %s --blocks-to-linalg --mlir-print-debuginfo | FileCheck %s --check-prefix=NAME

// NAME: "/mlp/linear_0.apply.output"

// LINALG: module attributes {blocks.sites = [{brick = "/softmax", operation = "softmax_cross_entropy"}]}
// LINALG: func.func private @blocks_rt_report(!llvm.ptr, i64, i64, i64, i64)
// LINALG-LABEL: func.func @train(%arg0: !llvm.ptr, %arg1: memref<784x500xf32> {blocks.state = "/mlp/linear_0.W"}
// LINALG-SAME: %[[IMAGES:arg[0-9]+]]: memref<?x784xi8> {blocks.axes = ["batch", "feature"], blocks.element_type = ui8, blocks.source = "features"}
// LINALG-SAME: %[[COST:arg[0-9]+]]: memref<f32> {blocks.aggregate = "mean", blocks.output = "cost", blocks.result_axes = []
// LINALG-NEXT: %[[C0:.*]] = arith.constant 0 : index
// LINALG-NEXT: %[[BATCH:.*]] = memref.dim %[[IMAGES]], %[[C0]]
// LINALG-NEXT: bufferization.to_tensor %arg1 restrict writable
// LINALG-NOT: tensor.dim
// LINALG-NOT: memref.dim
// LINALG: tensor.empty(%[[BATCH]]) : tensor<?x784xf32>
// LINALG: arith.uitofp %{{.*}} : i8 to f32
// LINALG: linalg.matmul ins({{.*}} : tensor<?x784xf32>, tensor<784x500xf32>)
// LINALG: %[[BAD:.*]] = tensor.extract %{{.*}}[] : tensor<i64>
// LINALG: scf.if
// LINALG: func.call @blocks_rt_report(%arg0, %{{.*}}, %[[BAD]], %{{.*}}, %{{.*}})
// Outputs before updates, the product of each weight's gradient by its update.
// LINALG: bufferization.materialize_in_destination %{{.*}} in restrict writable %[[COST]]
// LINALG: linalg.matmul indexing_maps = {{.*}} -> tensor<784x500xf32>
// LINALG: bufferization.materialize_in_destination %{{.*}} in restrict writable %arg1
// LINALG: bufferization.materialize_in_destination %{{.*}} in restrict writable %arg2
// LINALG: linalg.matmul indexing_maps = {{.*}} -> tensor<500x300xf32>
// LINALG: bufferization.materialize_in_destination %{{.*}} in restrict writable %arg3
// LINALG: linalg.matmul indexing_maps = {{.*}} -> tensor<300x10xf32>
// LINALG: bufferization.materialize_in_destination %{{.*}} in restrict writable %arg5
// LINALG: bufferization.materialize_in_destination %{{.*}} in restrict writable %arg8
// LINALG-NEXT: return

// FUSED-LABEL: func.func @train
// FUSED-DAG: %[[W0:.*]] = bufferization.to_tensor %arg1 restrict writable
// FUSED-DAG: %[[B1:.*]] = bufferization.to_tensor %arg4 restrict writable
// Bias and rectifier are one operation, which keeps both results.
// FUSED: %[[P0:.*]] = linalg.matmul
// FUSED: linalg.generic {{.*}} outs(%[[P0]], %{{.*}} : tensor<?x500xf32>, tensor<?x500xf32>)
// FUSED: arith.addf
// FUSED-NEXT: arith.cmpf ugt
// FUSED-NEXT: arith.select
// FUSED-NEXT: linalg.yield
// Bias and tanh work on the buffer of their product.
// FUSED: %[[P1:.*]] = linalg.matmul
// FUSED: linalg.generic {{.*}} ins(%[[B1]] : tensor<300xf32>) outs(%[[P1]] : tensor<?x300xf32>)
// FUSED: math.tanh
// FUSED: %[[G0:.*]] = linalg.matmul indexing_maps = {{.*}} -> tensor<784x500xf32>
// FUSED-NEXT: %[[NEW:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[G0]] : tensor<f32>, tensor<784x500xf32>) outs(%[[W0]] : tensor<784x500xf32>)
// FUSED: bufferization.materialize_in_destination %[[NEW]] in restrict writable %arg1

// BUFFER-LABEL: func.func @train
// BUFFER-NOT: memref.copy
// One buffer of a parameter's size is its gradient; none is an update.
// BUFFER-COUNT-1: memref.alloc() {{.*}} : memref<784x500xf32>
// BUFFER-NOT: memref<784x500xf32, strided
// BUFFER-NOT: memref.alloc() {{.*}} : memref<784x500xf32>
// BUFFER: linalg.generic {{.*}} outs(%arg1 : memref<784x500xf32>)
// BUFFER-NOT: memref.copy
// BUFFER: return

func.func @train(
    %W0: tensor<784x500xf32> {blocks.state = "/mlp/linear_0.W"}, %b0: tensor<500xf32> {blocks.state = "/mlp/linear_0.b"},
    %W1: tensor<500x300xf32> {blocks.state = "/mlp/linear_1.W"}, %b1: tensor<300xf32> {blocks.state = "/mlp/linear_1.b"},
    %W2: tensor<300x10xf32> {blocks.state = "/mlp/linear_2.W"}, %b2: tensor<10xf32> {blocks.state = "/mlp/linear_2.b"},
    %lr: tensor<f32> {blocks.state = "/algorithm.learning_rate"},
    %step: tensor<i64> {blocks.state = "/algorithm.step"},
    %img: tensor<?x784xui8> {blocks.source = "features", blocks.axes = ["batch", "feature"]},
    %lab: tensor<?x1xui8> {blocks.source = "targets", blocks.axes = ["batch", "index"]})
    -> (tensor<784x500xf32> {blocks.state = "/mlp/linear_0.W"}, tensor<500xf32> {blocks.state = "/mlp/linear_0.b"},
        tensor<500x300xf32> {blocks.state = "/mlp/linear_1.W"}, tensor<300xf32> {blocks.state = "/mlp/linear_1.b"},
        tensor<300x10xf32> {blocks.state = "/mlp/linear_2.W"}, tensor<10xf32> {blocks.state = "/mlp/linear_2.b"},
        tensor<i64> {blocks.state = "/algorithm.step"},
        tensor<f32> {blocks.output = "cost", blocks.roles = #blocks.roles<[cost]>, blocks.aggregate = "mean"})
    attributes {blocks.entry} {
  %scale = arith.constant dense<0.00392156886> : tensor<f32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %one = arith.constant dense<1> : tensor<i64>
  %xf = blocks.cast %img : tensor<?x784xui8> to tensor<?x784xf32>
  %sb = blocks.broadcast %scale like %xf dims [] : tensor<f32>, tensor<?x784xf32>
  %x = arith.mulf %xf, %sb : tensor<?x784xf32>
  %labels = tensor.collapse_shape %lab [[0, 1]] : tensor<?x1xui8> into tensor<?xui8>
  // layer 0
  %p0 = blocks.matmul %x, %W0 : tensor<?x784xf32>, tensor<784x500xf32> to tensor<?x500xf32>
  %bb0 = blocks.broadcast %b0 like %p0 dims [1] : tensor<500xf32>, tensor<?x500xf32>
  %z0 = arith.addf %p0, %bb0 : tensor<?x500xf32>
  %z0t = blocks.tag %z0 <"/mlp/linear_0", "apply", "output", [output], "mlp.apply#0/linear_0.apply#0"> : tensor<?x500xf32>
  %h0 = blocks.rectifier %z0t : tensor<?x500xf32>
  // layer 1
  %p1 = blocks.matmul %h0, %W1 : tensor<?x500xf32>, tensor<500x300xf32> to tensor<?x300xf32>
  %bb1 = blocks.broadcast %b1 like %p1 dims [1] : tensor<300xf32>, tensor<?x300xf32>
  %z1 = arith.addf %p1, %bb1 : tensor<?x300xf32>
  %h1 = math.tanh %z1 : tensor<?x300xf32>
  // layer 2
  %p2 = blocks.matmul %h1, %W2 : tensor<?x300xf32>, tensor<300x10xf32> to tensor<?x10xf32>
  %bb2 = blocks.broadcast %b2 like %p2 dims [1] : tensor<10xf32>, tensor<?x10xf32>
  %z2 = arith.addf %p2, %bb2 : tensor<?x10xf32>
  %ce, %lp = blocks.softmax_cross_entropy %z2, %labels {brick = "/softmax"} : tensor<?x10xf32>, tensor<?xui8> to tensor<?xf32>, tensor<?x10xf32>
  %sum = blocks.reduce sum %ce dims [0] : tensor<?xf32> to tensor<f32>
  %n = blocks.extent %ce dims [0] : tensor<?xf32> to tensor<f32>
  %cost = arith.divf %sum, %n : tensor<f32>
  // backward
  %onef = arith.constant dense<1.0> : tensor<f32>
  %g = arith.divf %onef, %n : tensor<f32>
  %gb = blocks.broadcast %g like %ce dims [] : tensor<f32>, tensor<?xf32>
  %dz2 = blocks.softmax_cross_entropy_grad %lp, %labels, %gb : tensor<?x10xf32>, tensor<?xui8>, tensor<?xf32>
  %db2 = blocks.reduce sum %dz2 dims [0] : tensor<?x10xf32> to tensor<10xf32>
  %dW2 = blocks.matmul %h1 transposed, %dz2 : tensor<?x300xf32>, tensor<?x10xf32> to tensor<300x10xf32>
  %dh1 = blocks.matmul %dz2, %W2 transposed : tensor<?x10xf32>, tensor<300x10xf32> to tensor<?x300xf32>
  %one1 = blocks.broadcast %onef like %h1 dims [] : tensor<f32>, tensor<?x300xf32>
  %hh1 = arith.mulf %h1, %h1 : tensor<?x300xf32>
  %d1 = arith.subf %one1, %hh1 : tensor<?x300xf32>
  %dz1 = arith.mulf %dh1, %d1 : tensor<?x300xf32>
  %db1 = blocks.reduce sum %dz1 dims [0] : tensor<?x300xf32> to tensor<300xf32>
  %dW1 = blocks.matmul %h0 transposed, %dz1 : tensor<?x500xf32>, tensor<?x300xf32> to tensor<500x300xf32>
  %dh0 = blocks.matmul %dz1, %W1 transposed : tensor<?x300xf32>, tensor<500x300xf32> to tensor<?x500xf32>
  %z00 = blocks.broadcast %zero like %z0t dims [] : tensor<f32>, tensor<?x500xf32>
  %pos = arith.cmpf ogt, %z0t, %z00 : tensor<?x500xf32>
  %dz0 = arith.select %pos, %dh0, %z00 : tensor<?x500xi1>, tensor<?x500xf32>
  %db0 = blocks.reduce sum %dz0 dims [0] : tensor<?x500xf32> to tensor<500xf32>
  %dW0 = blocks.matmul %x transposed, %dz0 : tensor<?x784xf32>, tensor<?x500xf32> to tensor<784x500xf32>
  // sgd
  %l0 = blocks.broadcast %lr like %W0 dims [] : tensor<f32>, tensor<784x500xf32>
  %s0 = arith.mulf %l0, %dW0 : tensor<784x500xf32>
  %nW0 = arith.subf %W0, %s0 : tensor<784x500xf32>
  %l0b = blocks.broadcast %lr like %b0 dims [] : tensor<f32>, tensor<500xf32>
  %s0b = arith.mulf %l0b, %db0 : tensor<500xf32>
  %nb0 = arith.subf %b0, %s0b : tensor<500xf32>
  %l1 = blocks.broadcast %lr like %W1 dims [] : tensor<f32>, tensor<500x300xf32>
  %s1 = arith.mulf %l1, %dW1 : tensor<500x300xf32>
  %nW1 = arith.subf %W1, %s1 : tensor<500x300xf32>
  %l1b = blocks.broadcast %lr like %b1 dims [] : tensor<f32>, tensor<300xf32>
  %s1b = arith.mulf %l1b, %db1 : tensor<300xf32>
  %nb1 = arith.subf %b1, %s1b : tensor<300xf32>
  %l2 = blocks.broadcast %lr like %W2 dims [] : tensor<f32>, tensor<300x10xf32>
  %s2 = arith.mulf %l2, %dW2 : tensor<300x10xf32>
  %nW2 = arith.subf %W2, %s2 : tensor<300x10xf32>
  %l2b = blocks.broadcast %lr like %b2 dims [] : tensor<f32>, tensor<10xf32>
  %s2b = arith.mulf %l2b, %db2 : tensor<10xf32>
  %nb2 = arith.subf %b2, %s2b : tensor<10xf32>
  %nstep = arith.addi %step, %one : tensor<i64>
  return %nW0, %nb0, %nW1, %nb1, %nW2, %nb2, %nstep, %cost : tensor<784x500xf32>, tensor<500xf32>, tensor<500x300xf32>, tensor<300xf32>, tensor<300x10xf32>, tensor<10xf32>, tensor<i64>, tensor<f32>
}
