// Slices are views where they lie within their tensor whatever the extents are,
// or where that is required of the extents; elsewhere the axis is searched, or
// read element by element, and a position outside is reported.
//
// RUN: blocks-opt %s --blocks-to-linalg | FileCheck %s
// RUN: blocks-opt %s --blocks-to-linalg --blocks-fuse --blocks-bufferize | FileCheck %s --check-prefix=BUFFER

// CHECK-DAG: #[[SWAPPED:.*]] = affine_map<(d0, d1, d2) -> (d1, d0, d2)>

// CHECK-LABEL: func.func @transposed
// CHECK-SAME: blocks.result_axes = ["time", "batch", ""]
// CHECK: linalg.generic {indexing_maps = [#[[SWAPPED]], #{{.*}}], iterator_types = ["parallel", "parallel", "parallel"]}
func.func @transposed(%x: tensor<?x?x3xf32> {blocks.source = "x", blocks.axes = ["batch", "time", "feature"]})
    -> (tensor<?x?x3xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  %0 = blocks.transpose %x permutation [1, 0, 2] : tensor<?x?x3xf32> to tensor<?x?x3xf32>
  return %0 : tensor<?x?x3xf32>
}

// Columns of a matrix: certain.
// CHECK-LABEL: func.func @columns
// CHECK: tensor.extract_slice %{{.*}}[0, 4] [%{{.*}}, 2] [1, 1] : tensor<?x8xf32> to tensor<?x2xf32>
// BUFFER-LABEL: func.func @columns
// BUFFER-NOT: memref.alloc
// BUFFER-NOT: memref.copy
// BUFFER: memref.subview %arg1[0, 4] [%{{.*}}, 2] [1, 1]
// BUFFER-NOT: memref.copy
// BUFFER: return
func.func @columns(%x: tensor<?x8xf32> {blocks.source = "x"})
    -> (tensor<?x2xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %0 = tensor.extract_slice %x[0, 4] [%n, 2] [1, 1] : tensor<?x8xf32> to tensor<?x2xf32>
  %1 = arith.mulf %0, %0 : tensor<?x2xf32>
  return %1 : tensor<?x2xf32>
}

// The last step of a sequence, which may have none.
// CHECK-LABEL: func.func @last_of_source
// CHECK: arith.subi
// CHECK: %[[LAST:.*]] = arith.subi
// CHECK: arith.cmpi uge, %[[LAST]]
// CHECK: scf.if
// CHECK: func.call @blocks_rt_report
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel", "parallel"]
// CHECK: linalg.index 0
func.func @last_of_source(%x: tensor<?x?x3xf32> {blocks.source = "x", blocks.axes = ["time", "batch", "feature"]})
    -> (tensor<?x3xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tensor.dim %x, %c0 : tensor<?x?x3xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?x3xf32>
  %last = arith.subi %t, %c1 : index
  %0 = tensor.extract_slice %x[%last, 0, 0] [1, %n, 3] [1, 1, 1] : tensor<?x?x3xf32> to tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// The last state of a scan: its buffer has a slice even if there is no step.
// CHECK-LABEL: func.func @last_state
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: tensor.extract_slice %{{.*}}[%{{.*}}, 0, 0] [1, %{{.*}}, 3] [1, 1, 1] : tensor<?x?x3xf32> to tensor<?x3xf32>
// BUFFER-LABEL: func.func @last_state
// BUFFER: scf.for
// BUFFER-NOT: memref.alloc
func.func @last_state(%x: tensor<?x?x3xf32> {blocks.source = "x", blocks.axes = ["time", "batch", "feature"]},
    %h0: tensor<?x3xf32> {blocks.source = "h0"}) -> (tensor<?x3xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  %hs = blocks.scan sequences(%x) states(%h0) : (tensor<?x?x3xf32>, tensor<?x3xf32>) -> tensor<?x?x3xf32> {
  ^bb0(%t: index, %s: tensor<?x3xf32>, %h: tensor<?x3xf32>):
    %nh = arith.addf %h, %s : tensor<?x3xf32>
    blocks.yield states(%nh : tensor<?x3xf32>)
  }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tensor.dim %hs, %c0 : tensor<?x?x3xf32>
  %n = tensor.dim %hs, %c1 : tensor<?x?x3xf32>
  %last = arith.subi %t, %c1 : index
  %0 = tensor.extract_slice %hs[%last, 0, 0] [1, %n, 3] [1, 1, 1] : tensor<?x?x3xf32> to tensor<?x3xf32>
  %1 = arith.mulf %0, %0 : tensor<?x3xf32>
  return %1 : tensor<?x3xf32>
}

// The gradient of a slice: one loop over the whole, or a copy into zeros.
// CHECK-LABEL: func.func @inserted
// CHECK: linalg.generic
// CHECK: linalg.index 0
// CHECK: arith.select
// BUFFER-LABEL: func.func @inserted_columns
// BUFFER: %[[ALL:.*]] = memref.alloc
// BUFFER-NOT: memref.alloc
// BUFFER: %[[PART:.*]] = memref.subview %[[ALL]][0, 4]
// BUFFER: memref.copy %arg2, %[[PART]]
// BUFFER-NOT: memref.copy
// BUFFER: return
func.func @inserted(%x: tensor<?x?x3xf32> {blocks.source = "x", blocks.axes = ["time", "batch", "feature"]},
    %g: tensor<?x3xf32> {blocks.source = "g"}) -> (tensor<?x?x3xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<?x?x3xf32>
  %0 = tensor.insert_slice %g into %x[2, 0, 0] [1, %n, 3] [1, 1, 1] : tensor<?x3xf32> into tensor<?x?x3xf32>
  return %0 : tensor<?x?x3xf32>
}
func.func @inserted_columns(%x: tensor<?x8xf32> {blocks.source = "x"}, %g: tensor<?x2xf32> {blocks.source = "g"})
    -> (tensor<?x8xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %zeros = blocks.broadcast %zero like %x dims [] : tensor<f32>, tensor<?x8xf32>
  %0 = tensor.insert_slice %g into %zeros[0, 4] [%n, 2] [1, 1] : tensor<?x2xf32> into tensor<?x8xf32>
  %1 = arith.mulf %0, %x : tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}

// A step's outputs that exist already have no buffer: the state before the step
// is the stacked states one slice earlier, a slice is its sequence.
// BUFFER-LABEL: func.func @saved
// BUFFER: memref.alloc
// BUFFER-NOT: memref.alloc
// BUFFER: scf.for
// BUFFER-NOT: memref.copy
// BUFFER: }
// BUFFER: return
func.func @saved(%x: tensor<?x?x3xf32> {blocks.source = "x", blocks.axes = ["time", "batch", "feature"]},
    %h0: tensor<?x3xf32> {blocks.source = "h0"}) -> (tensor<f32> {blocks.output = "y"}) attributes {blocks.entry} {
  %hs, %before, %same, %after = blocks.scan sequences(%x) states(%h0) : (tensor<?x?x3xf32>, tensor<?x3xf32>)
      -> (tensor<?x?x3xf32>, tensor<?x?x3xf32>, tensor<?x?x3xf32>, tensor<?x?x3xf32>) {
  ^bb0(%t: index, %s: tensor<?x3xf32>, %h: tensor<?x3xf32>):
    %nh = arith.addf %h, %s : tensor<?x3xf32>
    blocks.yield states(%nh : tensor<?x3xf32>) outputs(%h, %s, %nh : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>)
  }
  %0 = arith.mulf %hs, %before : tensor<?x?x3xf32>
  %1 = arith.mulf %same, %after : tensor<?x?x3xf32>
  %2 = arith.addf %0, %1 : tensor<?x?x3xf32>
  %3 = blocks.reduce sum %2 dims [0, 1, 2] : tensor<?x?x3xf32> to tensor<f32>
  return %3 : tensor<f32>
}

// A range from known positions is a view; that it is there is required.
// CHECK-LABEL: func.func @range
// CHECK-SAME: blocks.result_axes = ["(batch - 2)", ""]
// CHECK-SAME: blocks.requirements = [{formula = "(batch - 2)", text = "tensor.extract_slice (line {{[0-9]+}}) takes a range of (batch - 2)"}]
// CHECK: tensor.extract_slice %{{.*}}[1, 0] [%{{.*}}, 8] [1, 1]
// BUFFER-LABEL: func.func @range
// BUFFER-NOT: memref.alloc
// BUFFER: memref.subview %arg1[1, 0] [%{{.*}}, 8] [1, 1]
// BUFFER: return
func.func @range(%x: tensor<?x8xf32> {blocks.source = "x"})
    -> (tensor<?x8xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %m = arith.subi %n, %c2 : index
  %0 = tensor.extract_slice %x[1, 0] [%m, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// Halves of an axis: rounded down, and all of it where it is split.
// CHECK-LABEL: func.func @halves
// CHECK-SAME: blocks.result_axes = ["(batch/2)"]
// CHECK-SAME: blocks.result_axes = ["(batch/2)", ""]
// CHECK-SAME: blocks.requirements = [{formula = "-1*(batch%2)", text = "tensor.expand_shape (line {{[0-9]+}}) splits 'batch' elements into 2*(batch/2)"}]
// CHECK: arith.divui
// CHECK: tensor.extract_slice %{{.*}}[0] [%[[HALF:.*]]] [1]
// CHECK: tensor.expand_shape %{{.*}} output_shape [%[[HALF]], 2]
func.func @halves(%x: tensor<?xf32> {blocks.source = "x"})
    -> (tensor<?xf32> {blocks.output = "y"}, tensor<?x2xf32> {blocks.output = "z"}) attributes {blocks.entry} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %h = arith.divui %n, %c2 : index
  %0 = tensor.extract_slice %x[0] [%h] [1] : tensor<?xf32> to tensor<?xf32>
  %1 = tensor.expand_shape %x [[0, 1]] output_shape [%h, 2] : tensor<?xf32> into tensor<?x2xf32>
  return %0, %1 : tensor<?xf32>, tensor<?x2xf32>
}

// A range that moves with a loop is read element by element.
// CHECK-LABEL: func.func @window
// CHECK: scf.for %[[T:.*]] = %
// CHECK: scf.if
// CHECK: func.call @blocks_rt_report
// CHECK: linalg.generic
// CHECK: scf.if
// CHECK: tensor.extract
func.func @window(%x: tensor<?x8xf32> {blocks.source = "x"})
    -> (tensor<?x2x8xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  %ys = blocks.scan sequences(%x) : (tensor<?x8xf32>) -> tensor<?x2x8xf32> {
  ^bb0(%t: index, %s: tensor<8xf32>):
    %0 = tensor.extract_slice %x[%t, 0] [2, 8] [1, 1] : tensor<?x8xf32> to tensor<2x8xf32>
    blocks.yield outputs(%0 : tensor<2x8xf32>)
  }
  return %ys : tensor<?x2x8xf32>
}
