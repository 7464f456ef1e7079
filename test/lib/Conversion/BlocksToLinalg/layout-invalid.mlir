// RUN: blocks-opt %s --blocks-to-linalg -split-input-file -verify-diagnostics

func.func @strided(%x: tensor<?x8xf32> {blocks.source = "x"}) -> (tensor<?x4xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  // expected-error @below {{has no lowering for axis 1: a slice takes elements one after the other (stride 1)}}
  %0 = tensor.extract_slice %x[0, 0] [%n, 4] [1, 2] : tensor<?x8xf32> to tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// As many rows as the step's number: no extent of memory.
func.func @growing(%x: tensor<?x8xf32> {blocks.source = "x"}) -> (tensor<?xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  %ys = blocks.scan sequences(%x) : (tensor<?x8xf32>) -> tensor<?xf32> {
  ^bb0(%t: index, %s: tensor<8xf32>):
    // expected-error @below {{takes a range of a number that does not follow from the extents of the sources; take it from tensor.dim}}
    %0 = tensor.extract_slice %x[0, 0] [%t, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
    %1 = blocks.reduce sum %0 dims [0, 1] : tensor<?x8xf32> to tensor<f32>
    blocks.yield outputs(%1 : tensor<f32>)
  }
  return %ys : tensor<?xf32>
}

// -----

// Never as many as none.
func.func @never(%x: tensor<4x8xf32> {blocks.source = "x"}) -> (tensor<?x8xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %n = tensor.dim %x, %c0 : tensor<4x8xf32>
  %m = arith.subi %n, %c5 : index
  // expected-error @below {{makes an axis of -1}}
  %0 = tensor.empty(%m) : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// Whether the batch is three times anything, nothing says.
func.func @unequal(%x: tensor<?xf32> {blocks.source = "x"}, %z: tensor<?xf32> {blocks.source = "z", blocks.axes = ["parts"]}) -> (tensor<?x3xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %z, %c0 : tensor<?xf32>
  // expected-error @below {{cannot split ? into ?x3: the extents are no products of the sources' axes that give the input's}}
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [%n, 3] : tensor<?xf32> into tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
