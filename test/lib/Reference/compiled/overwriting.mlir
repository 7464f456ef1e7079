// Values that are needed after what is computed from them could have taken
// their place, as machine code against the reference.
//
// RUN: test-compiled-graphs %s --shape batch=5 | FileCheck %s
// RUN: test-compiled-graphs %s --f64 --shape batch=5 | FileCheck %s
// CHECK: insertions agrees
// CHECK: transposed agrees
// CHECK: row agrees
// CHECK: extremes agrees
module @insertions {
  blocks.brick @p {
    blocks.parameter @w : tensor<4x3xf32> roles [weight] init #blocks.uniform<width = 2.0>
    blocks.parameter @m : tensor<4x4xf32> roles [weight] init #blocks.uniform<width = 2.0>
  }
  // The insertion and what it goes into are outputs.
  blocks.graph @both() {
    %w = blocks.get @p::@w : tensor<4x3xf32>
    %m = blocks.get @p::@m : tensor<4x4xf32>
    %turned = blocks.transpose %m permutation [1, 0] : tensor<4x4xf32> to tensor<4x4xf32>
    %new = tensor.insert_slice %w into %turned[0, 1] [4, 3] [1, 1] : tensor<4x3xf32> into tensor<4x4xf32>
    blocks.output %new "new" : tensor<4x4xf32>
    blocks.output %turned "turned" : tensor<4x4xf32>
  }
  // The insertion goes into a parameter, into a source, and into itself.
  blocks.graph @cost(%x: tensor<?x4xf32> {blocks.source = "x"}) {
    %zero = arith.constant 0 : index
    %w = blocks.get @p::@w : tensor<4x3xf32>
    %m = blocks.get @p::@m : tensor<4x4xf32>
    %in_m = tensor.insert_slice %w into %m[0, 0] [4, 3] [1, 1] : tensor<4x3xf32> into tensor<4x4xf32>
    %n = tensor.dim %x, %zero : tensor<?x4xf32>
    %left = tensor.extract_slice %x[0, 0] [%n, 2] [1, 1] : tensor<?x4xf32> to tensor<?x2xf32>
    %in_x = tensor.insert_slice %left into %x[0, 2] [%n, 2] [1, 1] : tensor<?x2xf32> into tensor<?x4xf32>
    %in_itself = tensor.insert_slice %in_x into %in_x[0, 0] [%n, 4] [1, 1] : tensor<?x4xf32> into tensor<?x4xf32>
    %product = blocks.matmul %in_itself, %in_m : tensor<?x4xf32>, tensor<4x4xf32> to tensor<?x4xf32>
    %square = arith.mulf %product, %in_x : tensor<?x4xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<?x4xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
    blocks.output %in_m "in_m" : tensor<4x4xf32>
    blocks.output %in_x "in_x" : tensor<?x4xf32>
  }
}

// -----

// A parameter's gradient reads the parameter transposed: element by element,
// the update would read what it has already written.
module @transposed {
  blocks.brick @p {
    blocks.parameter @m : tensor<4x4xf32> roles [weight] init #blocks.uniform<width = 2.0>
  }
  blocks.graph @cost() {
    %m = blocks.get @p::@m : tensor<4x4xf32>
    %turned = blocks.transpose %m permutation [1, 0] : tensor<4x4xf32> to tensor<4x4xf32>
    %square = arith.mulf %m, %turned : tensor<4x4xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<4x4xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// So does one that reads a row of it.
module @row {
  blocks.brick @p {
    blocks.parameter @m : tensor<4x4xf32> roles [weight] init #blocks.uniform<width = 2.0>
  }
  blocks.graph @cost() {
    %m = blocks.get @p::@m : tensor<4x4xf32>
    %row = tensor.extract_slice %m[1, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<4xf32>
    %rows = blocks.broadcast %row like %m dims [1] : tensor<4xf32>, tensor<4x4xf32>
    %square = arith.mulf %m, %rows : tensor<4x4xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<4x4xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}

// -----

// Extrema over the first axes of static tensors: their gradients loop over an
// axis of known extent.
module @extremes {
  blocks.brick @p {
    blocks.parameter @m : tensor<5x4xf32> roles [weight] init #blocks.uniform<width = 2.0>
    blocks.parameter @w : tensor<2x3x4xf32> roles [weight] init #blocks.uniform<width = 2.0>
  }
  blocks.graph @cost() {
    %m = blocks.get @p::@m : tensor<5x4xf32>
    %w = blocks.get @p::@w : tensor<2x3x4xf32>
    %t = math.tanh %w : tensor<2x3x4xf32>
    %max = blocks.reduce max %m dims [0] : tensor<5x4xf32> to tensor<4xf32>
    %min = blocks.reduce min %t dims [0, 1] : tensor<2x3x4xf32> to tensor<4xf32>
    %rows = blocks.reduce max %w dims [0] : tensor<2x3x4xf32> to tensor<3x4xf32>
    %sum = blocks.reduce sum %rows dims [0] : tensor<3x4xf32> to tensor<4xf32>
    %both = arith.mulf %max, %min : tensor<4xf32>
    %all = arith.mulf %both, %sum : tensor<4xf32>
    %cost = blocks.reduce sum %all dims [0] : tensor<4xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}
