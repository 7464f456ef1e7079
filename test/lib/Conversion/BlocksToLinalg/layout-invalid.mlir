// RUN: blocks-opt %s --blocks-to-linalg -split-input-file -verify-diagnostics

func.func @strided(%x: tensor<?x8xf32> {blocks.source = "x"}) -> (tensor<?x4xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  // expected-error @below {{has no lowering for axis 1: a slice takes a number of elements, or all of an axis, one after the other (stride 1)}}
  %0 = tensor.extract_slice %x[0, 0] [%n, 4] [1, 2] : tensor<?x8xf32> to tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

func.func @short(%x: tensor<?x8xf32> {blocks.source = "x"}) -> (tensor<3x8xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  // expected-error @below {{takes 3 elements along axis 0, whose extent 'batch' may be too small}}
  %0 = tensor.extract_slice %x[0, 0] [3, 8] [1, 1] : tensor<?x8xf32> to tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}

// -----

func.func @part(%x: tensor<?x8xf32> {blocks.source = "x"}, %g: tensor<2xf32> {blocks.source = "g"}) -> (tensor<?x8xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  // expected-error @below {{has positions that may be outside beside a part of an axis; insert along one axis after the other}}
  %0 = tensor.insert_slice %g into %x[1, 4] [1, 2] [1, 1] : tensor<2xf32> into tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
