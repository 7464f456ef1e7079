// RUN: blocks-opt %s --blocks-to-linalg --split-input-file --verify-diagnostics

func.func @axes(%a: tensor<?x4xf32> {blocks.source = "a", blocks.axes = ["batch", "feature"]},
                %b: tensor<?x4xf32> {blocks.source = "b", blocks.axes = ["time", "feature"]})
    -> (tensor<?x4xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  // expected-error @below {{combines axis 'batch' (axis 0 of ?x4) with axis 'time' (axis 0 of ?x4), whose extents may differ; give the axes of the sources one name}}
  %y = arith.addf %a, %b : tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

func.func @contracted(%a: tensor<?x4xf32> {blocks.source = "a"},
                      %b: tensor<?x3xf32> {blocks.source = "b", blocks.axes = ["time", ""]})
    -> (tensor<4x3xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  // expected-error @below {{combines axis 'batch' (axis 0 of ?x4) with axis 'time' (axis 0 of ?x3)}}
  %y = blocks.matmul %a transposed, %b : tensor<?x4xf32>, tensor<?x3xf32> to tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// -----

func.func @product(%a: tensor<?x?xf32> {blocks.source = "a", blocks.axes = ["time", "batch"]},
                   %b: tensor<?xf32> {blocks.source = "b"})
    -> (tensor<?xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  %flat = tensor.collapse_shape %a [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  // expected-error @below {{combines axis 'time*batch' (axis 0 of ?) with axis 'batch' (axis 0 of ?)}}
  %y = arith.addf %flat, %b : tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// expected-error @below {{updates state "/l.W", which is none of its arguments}}
func.func @missing(%x: tensor<4xf32> {blocks.source = "x"}) -> (tensor<4xf32> {blocks.state = "/l.W"}) attributes {blocks.entry} {
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// expected-error @below {{argument 0 is neither state (blocks.state) nor a source (blocks.source)}}
func.func @unknown(%x: tensor<4xf32>) -> (tensor<4xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  return %x : tensor<4xf32>
}

// -----

func.func @random(%x: tensor<4xf32> {blocks.source = "x"}) -> (tensor<4xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  // expected-error @below {{needs the state /algorithm.seed and /algorithm.step, which this entry does not have}}
  %y = blocks.random uniform like %x site 7 : tensor<4xf32> to tensor<4xf32>
  return %y : tensor<4xf32>
}
