// RUN: blocks-opt %s --blocks-compile="device=cuda graphs=g stop-after=to-linalg" --split-input-file --verify-diagnostics

// A file that nobody has read.
// expected-error @+1 {{the file 'nowhere.cu' of its CUDA C++ source cannot be read; it is looked for in the model's folder}}
blocks.kernel @scale(%x: tensor<?xf32> {blocks.axes = ["n"]}) -> (tensor<?xf32> {blocks.axes = ["n"]}) attributes {cuda_file = "nowhere.cu"} {
  blocks.return %x : tensor<?xf32>
}
blocks.graph @g(%x: tensor<?xf32> {blocks.source = "x"}) {
  %y = blocks.call_kernel @scale(%x) : (tensor<?xf32>) -> tensor<?xf32>
  blocks.output %y "y" : tensor<?xf32>
}

// -----

// Two extents that may differ, under one name.
blocks.kernel @add(%x: tensor<?xf32> {blocks.axes = ["n"]}, %y: tensor<?xf32> {blocks.axes = ["n"]}) -> (tensor<?xf32> {blocks.axes = ["n"]})
    attributes {cuda = ["// add"]} {
  %z = arith.addf %x, %y : tensor<?xf32>
  blocks.return %z : tensor<?xf32>
}
blocks.graph @g(%x: tensor<?xf32> {blocks.source = "x"}, %y: tensor<7xf32> {blocks.source = "y"}) {
  // expected-error @+1 {{combines axis 'batch' (axis 0 of ?) with axis '7' (axis 0 of 7), whose extents may differ}}
  %z = blocks.call_kernel @add(%x, %y) : (tensor<?xf32>, tensor<7xf32>) -> tensor<7xf32>
  blocks.output %z "z" : tensor<7xf32>
}
