// Rules of shapes, reductions, products and the softmax family against finite
// differences, in f64.
// RUN: blocks-gradcheck %s --passes='blocks-convert-to-f64,blocks-differentiate' | FileCheck %s
// RUN: blocks-gradcheck %s --passes='blocks-convert-to-f64,blocks-differentiate' --shape batch=1 | FileCheck %s

// CHECK: broadcast: {{[1-9][0-9]*}} elements agree
module @broadcast {
  blocks.brick @p {
    blocks.parameter @a : tensor<3xf32> roles [parameter] init #blocks.constant<0.0>
    blocks.parameter @s : tensor<f32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train(%x: tensor<?x3x2xf32> {blocks.source = "x"}) attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<3xf32>
    %s = blocks.get @p::@s : tensor<f32>
    %b = blocks.broadcast %a like %x dims [1] : tensor<3xf32>, tensor<?x3x2xf32>
    %c = blocks.broadcast %s like %x dims [] : tensor<f32>, tensor<?x3x2xf32>
    %d = arith.mulf %b, %x : tensor<?x3x2xf32>
    %y = arith.addf %d, %c : tensor<?x3x2xf32>
    %z = arith.mulf %y, %y : tensor<?x3x2xf32>
    %cost = blocks.reduce sum %z dims [0, 1, 2] : tensor<?x3x2xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: reductions: {{[1-9][0-9]*}} elements agree
module @reductions {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3x4xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3x4xf32>
    %sum = blocks.reduce sum %a dims [1] : tensor<2x3x4xf32> to tensor<2x4xf32>
    %sums = arith.mulf %sum, %sum : tensor<2x4xf32>
    %s = blocks.reduce sum %sums dims [0, 1] : tensor<2x4xf32> to tensor<f32>
    %max = blocks.reduce max %a dims [2] : tensor<2x3x4xf32> to tensor<2x3xf32>
    %maxs = math.exp %max : tensor<2x3xf32>
    %m = blocks.reduce sum %maxs dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    %min = blocks.reduce min %a dims [1, 2] : tensor<2x3x4xf32> to tensor<2xf32>
    %mins = math.exp %min : tensor<2xf32>
    %n = blocks.reduce sum %mins dims [0] : tensor<2xf32> to tensor<f32>
    %lead = blocks.reduce max %a dims [0] : tensor<2x3x4xf32> to tensor<3x4xf32>
    %leads = math.exp %lead : tensor<3x4xf32>
    %l = blocks.reduce sum %leads dims [0, 1] : tensor<3x4xf32> to tensor<f32>
    %lead2 = blocks.reduce min %a dims [0, 1] : tensor<2x3x4xf32> to tensor<4xf32>
    %leads2 = math.exp %lead2 : tensor<4xf32>
    %l2 = blocks.reduce sum %leads2 dims [0] : tensor<4xf32> to tensor<f32>
    %all = blocks.reduce max %a dims [0, 1, 2] : tensor<2x3x4xf32> to tensor<f32>
    %c0 = arith.addf %s, %m : tensor<f32>
    %c1 = arith.addf %c0, %n : tensor<f32>
    %c2 = arith.addf %c1, %l : tensor<f32>
    %c3 = arith.addf %c2, %l2 : tensor<f32>
    %cost = arith.addf %c3, %all : tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// The mean over a dynamic axis.
// CHECK: shapes: {{[1-9][0-9]*}} elements agree
module @shapes {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3x4xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train(%x: tensor<?x3x2xf32> {blocks.source = "x"}) attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3x4xf32>
    %c = tensor.collapse_shape %a [[0], [1, 2]] : tensor<2x3x4xf32> into tensor<2x12xf32>
    %e = tensor.expand_shape %c [[0], [1, 2]] output_shape [2, 4, 3] : tensor<2x12xf32> into tensor<2x4x3xf32>
    %slice = tensor.extract_slice %e[0, 1, 0] [1, 2, 3] [1, 2, 1] : tensor<2x4x3xf32> to tensor<2x3xf32>
    %flat = tensor.collapse_shape %x [[0], [1, 2]] : tensor<?x3x2xf32> into tensor<?x6xf32>
    %row = tensor.collapse_shape %slice [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
    %b = blocks.broadcast %row like %flat dims [1] : tensor<6xf32>, tensor<?x6xf32>
    %y = arith.mulf %b, %flat : tensor<?x6xf32>
    %i = tensor.insert_slice %slice into %e[1, 0, 0] [1, 2, 3] [1, 1, 1] : tensor<2x3xf32> into tensor<2x4x3xf32>
    %k = blocks.cast %i : tensor<2x4x3xf32> to tensor<2x4x3xf64>
    %kk = arith.mulf %k, %k : tensor<2x4x3xf64>
    %back = blocks.cast %kk : tensor<2x4x3xf64> to tensor<2x4x3xf32>
    %s0 = blocks.reduce sum %back dims [0, 1, 2] : tensor<2x4x3xf32> to tensor<f32>
    %z = math.exp %y : tensor<?x6xf32>
    %index0 = arith.constant 0 : index
    %d0 = tensor.dim %x, %index0 : tensor<?x3x2xf32>
    %again = tensor.expand_shape %z [[0], [1, 2]] output_shape [%d0, 2, 3] : tensor<?x6xf32> into tensor<?x2x3xf32>
    %s1 = blocks.reduce sum %again dims [0, 1, 2] : tensor<?x2x3xf32> to tensor<f32>
    %n = blocks.extent %again dims [0, 2] : tensor<?x2x3xf32> to tensor<f32>
    %mean = arith.divf %s1, %n : tensor<f32>
    %cost = arith.addf %s0, %mean : tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// All four cases of transposition.
// CHECK: matmul: {{[1-9][0-9]*}} elements agree
module @matmul {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
    blocks.parameter @at : tensor<3x2xf32> roles [parameter] init #blocks.constant<0.0>
    blocks.parameter @b : tensor<3x4xf32> roles [parameter] init #blocks.constant<0.0>
    blocks.parameter @bt : tensor<4x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %at = blocks.get @p::@at : tensor<3x2xf32>
    %b = blocks.get @p::@b : tensor<3x4xf32>
    %bt = blocks.get @p::@bt : tensor<4x3xf32>
    %nn = blocks.matmul %a, %b : tensor<2x3xf32>, tensor<3x4xf32> to tensor<2x4xf32>
    %nt = blocks.matmul %a, %bt transposed : tensor<2x3xf32>, tensor<4x3xf32> to tensor<2x4xf32>
    %tn = blocks.matmul %at transposed, %b : tensor<3x2xf32>, tensor<3x4xf32> to tensor<2x4xf32>
    %tt = blocks.matmul %at transposed, %bt transposed : tensor<3x2xf32>, tensor<4x3xf32> to tensor<2x4xf32>
    %x = arith.mulf %nn, %nt : tensor<2x4xf32>
    %y = arith.mulf %tn, %tt : tensor<2x4xf32>
    %z = arith.addf %x, %y : tensor<2x4xf32>
    %e = math.tanh %z : tensor<2x4xf32>
    %cost = blocks.reduce sum %e dims [0, 1] : tensor<2x4xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// Both results of the cross-entropy carry gradients; labels that are a
// distribution have one too.
// CHECK: softmax: {{[1-9][0-9]*}} elements agree
module @softmax {
  blocks.brick @p {
    blocks.parameter @a : tensor<4x3xf32> roles [parameter] init #blocks.constant<0.0>
    blocks.parameter @l : tensor<4x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<4x3xf32>
    %l = blocks.get @p::@l : tensor<4x3xf32>
    %labels = arith.constant dense<[2, 0, 1, 1]> : tensor<4xi64>
    %c, %lp = blocks.softmax_cross_entropy %a, %labels : tensor<4x3xf32>, tensor<4xi64> to tensor<4xf32>, tensor<4x3xf32>
    %d, %lq = blocks.softmax_cross_entropy %a, %l : tensor<4x3xf32>, tensor<4x3xf32> to tensor<4xf32>, tensor<4x3xf32>
    %p = blocks.softmax %l : tensor<4x3xf32>
    %q = blocks.log_softmax %l : tensor<4x3xf32>
    %pick = blocks.pick %q, %labels : tensor<4x3xf32>, tensor<4xi64> to tensor<4xf32>
    %pp = arith.mulf %pick, %pick : tensor<4xf32>
    %un = blocks.unpick %pp, %labels like %a : tensor<4xf32>, tensor<4xi64>, tensor<4x3xf32> to tensor<4x3xf32>
    %x = arith.mulf %lp, %p : tensor<4x3xf32>
    %y = arith.mulf %x, %q : tensor<4x3xf32>
    %z = arith.addf %y, %un : tensor<4x3xf32>
    %s = blocks.reduce sum %z dims [1] : tensor<4x3xf32> to tensor<4xf32>
    %t = arith.mulf %c, %d : tensor<4xf32>
    %u = arith.addf %s, %t : tensor<4xf32>
    %cost = blocks.reduce sum %u dims [0] : tensor<4xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: transposed: {{[1-9][0-9]*}} elements agree
module @transposed {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3x4xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train(%x: tensor<?x4xf32> {blocks.source = "x"}) attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3x4xf32>
    %t = blocks.transpose %a permutation [2, 0, 1] : tensor<2x3x4xf32> to tensor<4x2x3xf32>
    %m = tensor.collapse_shape %t [[0], [1, 2]] : tensor<4x2x3xf32> into tensor<4x6xf32>
    %y = blocks.matmul %x, %m : tensor<?x4xf32>, tensor<4x6xf32> to tensor<?x6xf32>
    %e = math.exp %y : tensor<?x6xf32>
    %cost = blocks.reduce sum %e dims [0, 1] : tensor<?x6xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}
