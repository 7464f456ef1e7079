// A scan's state lives in its stacked buffer. After bufferization a step
// allocates nothing, copies nothing, and writes directly into its slice.
//
// RUN: blocks-opt %s --blocks-to-linalg | FileCheck %s
// RUN: blocks-opt %s --blocks-to-linalg --blocks-fuse --eliminate-empty-tensors \
// RUN:   --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   --canonicalize --cse --canonicalize | FileCheck %s --check-prefix=BUFFER

// CHECK-LABEL: func.func @forward
// CHECK-SAME: %[[OUT:arg[0-9]+]]: memref<?x?x8xf32> {blocks.output = "h", blocks.result_axes = ["time", "batch", ""]}
// CHECK-DAG: %[[TIME:.*]] = memref.dim %arg3, %c0
// CHECK-DAG: %[[BATCH:.*]] = memref.dim %arg3, %c1
// CHECK: %[[STATES:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?x8xf32>
// CHECK: bufferization.materialize_in_destination %{{.*}} in restrict writable %subview
// CHECK: scf.for %[[T:.*]] = %{{.*}} to %[[TIME]]
// CHECK:   %[[OLD:.*]] = memref.subview %[[STATES]]
// CHECK-NEXT: bufferization.to_tensor %[[OLD]] restrict :
// CHECK:   %[[NEW:.*]] = memref.subview %[[STATES]]
// CHECK:   linalg.matmul
// CHECK:   bufferization.materialize_in_destination %{{.*}} in restrict writable %[[NEW]]

// BUFFER-LABEL: func.func @forward
// BUFFER: scf.for
// BUFFER-NOT: memref.alloc
// BUFFER-NOT: memref.copy
// BUFFER: %[[OLD:.*]] = memref.subview %[[STATES:.*]][%{{.*}}, 0] [%{{.*}}, 8] [1, 1] : memref<?x8xf32>
// BUFFER: %[[NEW:.*]] = memref.subview %[[STATES]]
// BUFFER: linalg.matmul ins(%[[OLD]], %arg1 : {{.*}}) outs(%[[NEW]] :
// BUFFER-NEXT: linalg.generic {{.*}} outs(%[[NEW]] :
// BUFFER: linalg.yield
// BUFFER-NEXT: }
// BUFFER-NEXT: }

// In reverse the step at position t reads slice t+1 and writes slice t; the
// output of each step is stacked for one product after the loop.
// CHECK-LABEL: func.func @backward
// CHECK: scf.for
// CHECK: arith.subi
// BUFFER-LABEL: func.func @backward
// BUFFER: scf.for
// BUFFER-NOT: memref.alloc
// BUFFER-NOT: memref.copy
// BUFFER: linalg.fill
// BUFFER-NEXT: linalg.matmul
// BUFFER-NEXT: }
// BUFFER-NOT: memref.alloc({{.*}}?x8
// BUFFER: linalg.matmul indexing_maps
// BUFFER-NEXT: linalg.generic {{.*}} outs(%arg1 : memref<8x8xf32>)

// Along time and batch the stacked states collapse without a copy.
// BUFFER-LABEL: func.func @collapsed
// BUFFER: scf.for
// BUFFER-NOT: memref.copy
// BUFFER: linalg.matmul ins(%{{.*}}, %{{.*}} : memref<?x8xf32, strided<[8, 1], offset: ?>>, memref<8x8xf32>)
// BUFFER: return

func.func @forward(%W: tensor<8x8xf32> {blocks.state = "/r.W"}, %b: tensor<8xf32> {blocks.state = "/r.b"},
   %xs: tensor<?x?x8xf32> {blocks.source = "x", blocks.axes = ["time", "batch", "feature"]},
   %mask: tensor<?x?xf32> {blocks.source = "x_mask", blocks.axes = ["time", "batch"]},
   %h0: tensor<?x8xf32> {blocks.source = "h0"})
   -> (tensor<?x?x8xf32> {blocks.output = "h"}) attributes {blocks.entry} {
    %hs = blocks.scan sequences(%xs, %mask) states(%h0) : (tensor<?x?x8xf32>, tensor<?x?xf32>, tensor<?x8xf32>) -> tensor<?x?x8xf32> {
    ^bb0(%t: index, %x: tensor<?x8xf32>, %k: tensor<?xf32>, %h: tensor<?x8xf32>):
      %p = blocks.matmul %h, %W : tensor<?x8xf32>, tensor<8x8xf32> to tensor<?x8xf32>
      %a = arith.addf %p, %x : tensor<?x8xf32>
      %bb = blocks.broadcast %b like %a dims [1] : tensor<8xf32>, tensor<?x8xf32>
      %a2 = arith.addf %a, %bb : tensor<?x8xf32>
      %n = math.tanh %a2 : tensor<?x8xf32>
      %kb = blocks.broadcast %k like %n dims [0] : tensor<?xf32>, tensor<?x8xf32>
      %d = arith.subf %n, %h : tensor<?x8xf32>
      %e = arith.mulf %kb, %d : tensor<?x8xf32>
      %nh = arith.addf %h, %e : tensor<?x8xf32>
      blocks.yield states(%nh : tensor<?x8xf32>)
    }
    return %hs : tensor<?x?x8xf32>
}
func.func @backward(%W: tensor<8x8xf32> {blocks.state = "/r.W"},
   %hs: tensor<?x?x8xf32> {blocks.source = "h", blocks.axes = ["time", "batch", "feature"]},
   %gs: tensor<?x?x8xf32> {blocks.source = "g", blocks.axes = ["time", "batch", "feature"]},
   %g0: tensor<?x8xf32> {blocks.source = "g0"})
   -> (tensor<8x8xf32> {blocks.state = "/r.W"}, tensor<?x?x8xf32> {blocks.output = "dh"}) attributes {blocks.entry} {
    %dh, %dz = blocks.scan reverse sequences(%hs, %gs) states(%g0) : (tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x?x8xf32>) {
    ^bb0(%t: index, %h: tensor<?x8xf32>, %g: tensor<?x8xf32>, %d: tensor<?x8xf32>):
      %sum = arith.addf %d, %g : tensor<?x8xf32>
      %hh = arith.mulf %h, %h : tensor<?x8xf32>
      %c1 = arith.constant dense<1.0> : tensor<f32>
      %one = blocks.broadcast %c1 like %h dims [] : tensor<f32>, tensor<?x8xf32>
      %q = arith.subf %one, %hh : tensor<?x8xf32>
      %z = arith.mulf %sum, %q : tensor<?x8xf32>
      %p = blocks.matmul %z, %W transposed : tensor<?x8xf32>, tensor<8x8xf32> to tensor<?x8xf32>
      blocks.yield states(%p : tensor<?x8xf32>) outputs(%z : tensor<?x8xf32>)
    }
    %hc = tensor.collapse_shape %hs [[0, 1], [2]] : tensor<?x?x8xf32> into tensor<?x8xf32>
    %zc = tensor.collapse_shape %dz [[0, 1], [2]] : tensor<?x?x8xf32> into tensor<?x8xf32>
    %dW = blocks.matmul %hc transposed, %zc : tensor<?x8xf32>, tensor<?x8xf32> to tensor<8x8xf32>
    %nW = arith.subf %W, %dW : tensor<8x8xf32>
    return %nW, %dh : tensor<8x8xf32>, tensor<?x?x8xf32>
}

func.func @collapsed(%W: tensor<8x8xf32> {blocks.state = "/r.W"},
    %xs: tensor<?x?x8xf32> {blocks.source = "x", blocks.axes = ["time", "batch", "feature"]},
    %h0: tensor<?x8xf32> {blocks.source = "h0"})
    -> (tensor<?x8xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  %hs = blocks.scan sequences(%xs) states(%h0) : (tensor<?x?x8xf32>, tensor<?x8xf32>) -> tensor<?x?x8xf32> {
  ^bb0(%t: index, %x: tensor<?x8xf32>, %h: tensor<?x8xf32>):
    %nh = arith.addf %h, %x : tensor<?x8xf32>
    blocks.yield states(%nh : tensor<?x8xf32>)
  }
  %flat = tensor.collapse_shape %hs [[0, 1], [2]] : tensor<?x?x8xf32> into tensor<?x8xf32>
  %y = blocks.matmul %flat, %W : tensor<?x8xf32>, tensor<8x8xf32> to tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// An extent that only a loop's body asks for is computed before the loop.
// CHECK-LABEL: func.func @noise
// CHECK: %[[WIDTH:.*]] = arith.constant 8 : index
// CHECK: scf.for
// CHECK: arith.index_cast %[[WIDTH]] : index to i64
func.func @noise(%seed: tensor<i64> {blocks.state = "/algorithm.seed"}, %step: tensor<i64> {blocks.state = "/algorithm.step"},
    %xs: tensor<?x?x8xf32> {blocks.source = "x", blocks.axes = ["time", "batch", "feature"]},
    %h0: tensor<?x8xf32> {blocks.source = "h0"})
    -> (tensor<?x?x8xf32> {blocks.output = "h"}) attributes {blocks.entry} {
  %hs = blocks.scan sequences(%xs) states(%h0) : (tensor<?x?x8xf32>, tensor<?x8xf32>) -> tensor<?x?x8xf32> {
  ^bb0(%t: index, %x: tensor<?x8xf32>, %h: tensor<?x8xf32>):
    %r = blocks.random uniform like %x site 7 index %t : tensor<?x8xf32> to tensor<?x8xf32>
    %nh = arith.addf %h, %r : tensor<?x8xf32>
    blocks.yield states(%nh : tensor<?x8xf32>)
  }
  return %hs : tensor<?x?x8xf32>
}
