// Every operation on whole tensors as machine code against the reference, in both
// precisions, for batches of several vectors, of one row and of none.
//
// RUN: test-compiled-graphs %s --shape batch=17 --range y=0:5,k=0:5,i=0:256 | FileCheck %s
// RUN: test-compiled-graphs %s --shape batch=1 --range y=0:5,k=0:5,i=0:256 | FileCheck %s
// RUN: test-compiled-graphs %s --f64 --shape batch=17 --range y=0:5,k=0:5,i=0:256 | FileCheck %s
// CHECK: tensors agrees
module @tensors {

blocks.graph @reductions(%z: tensor<?x4x3xf32> {blocks.source = "z", blocks.axes = ["batch", "", ""]}) {
  %sum_0 = blocks.reduce sum %z dims [0] : tensor<?x4x3xf32> to tensor<4x3xf32>
  %sum_1 = blocks.reduce sum %z dims [1] : tensor<?x4x3xf32> to tensor<?x3xf32>
  %sum_2 = blocks.reduce sum %z dims [2] : tensor<?x4x3xf32> to tensor<?x4xf32>
  %sum_01 = blocks.reduce sum %z dims [0, 1] : tensor<?x4x3xf32> to tensor<3xf32>
  %sum_12 = blocks.reduce sum %z dims [1, 2] : tensor<?x4x3xf32> to tensor<?xf32>
  %sum_02 = blocks.reduce sum %z dims [0, 2] : tensor<?x4x3xf32> to tensor<4xf32>
  %sum_012 = blocks.reduce sum %z dims [0, 1, 2] : tensor<?x4x3xf32> to tensor<f32>
  %max_0 = blocks.reduce max %z dims [0] : tensor<?x4x3xf32> to tensor<4x3xf32>
  %max_1 = blocks.reduce max %z dims [1] : tensor<?x4x3xf32> to tensor<?x3xf32>
  %max_2 = blocks.reduce max %z dims [2] : tensor<?x4x3xf32> to tensor<?x4xf32>
  %max_01 = blocks.reduce max %z dims [0, 1] : tensor<?x4x3xf32> to tensor<3xf32>
  %max_12 = blocks.reduce max %z dims [1, 2] : tensor<?x4x3xf32> to tensor<?xf32>
  %max_02 = blocks.reduce max %z dims [0, 2] : tensor<?x4x3xf32> to tensor<4xf32>
  %max_012 = blocks.reduce max %z dims [0, 1, 2] : tensor<?x4x3xf32> to tensor<f32>
  %min_0 = blocks.reduce min %z dims [0] : tensor<?x4x3xf32> to tensor<4x3xf32>
  %min_1 = blocks.reduce min %z dims [1] : tensor<?x4x3xf32> to tensor<?x3xf32>
  %min_2 = blocks.reduce min %z dims [2] : tensor<?x4x3xf32> to tensor<?x4xf32>
  %min_01 = blocks.reduce min %z dims [0, 1] : tensor<?x4x3xf32> to tensor<3xf32>
  %min_12 = blocks.reduce min %z dims [1, 2] : tensor<?x4x3xf32> to tensor<?xf32>
  %min_02 = blocks.reduce min %z dims [0, 2] : tensor<?x4x3xf32> to tensor<4xf32>
  %min_012 = blocks.reduce min %z dims [0, 1, 2] : tensor<?x4x3xf32> to tensor<f32>
  blocks.output %sum_0 "sum_0" : tensor<4x3xf32>
  blocks.output %sum_1 "sum_1" : tensor<?x3xf32>
  blocks.output %sum_2 "sum_2" : tensor<?x4xf32>
  blocks.output %sum_01 "sum_01" : tensor<3xf32>
  blocks.output %sum_12 "sum_12" : tensor<?xf32>
  blocks.output %sum_02 "sum_02" : tensor<4xf32>
  blocks.output %sum_012 "sum_012" : tensor<f32>
  blocks.output %max_0 "max_0" : tensor<4x3xf32>
  blocks.output %max_1 "max_1" : tensor<?x3xf32>
  blocks.output %max_2 "max_2" : tensor<?x4xf32>
  blocks.output %max_01 "max_01" : tensor<3xf32>
  blocks.output %max_12 "max_12" : tensor<?xf32>
  blocks.output %max_02 "max_02" : tensor<4xf32>
  blocks.output %max_012 "max_012" : tensor<f32>
  blocks.output %min_0 "min_0" : tensor<4x3xf32>
  blocks.output %min_1 "min_1" : tensor<?x3xf32>
  blocks.output %min_2 "min_2" : tensor<?x4xf32>
  blocks.output %min_01 "min_01" : tensor<3xf32>
  blocks.output %min_12 "min_12" : tensor<?xf32>
  blocks.output %min_02 "min_02" : tensor<4xf32>
  blocks.output %min_012 "min_012" : tensor<f32>
}

blocks.graph @softmax(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
    %z: tensor<?x4x3xf32> {blocks.source = "z", blocks.axes = ["batch", "", ""]}) {
  %softmax = blocks.softmax %x : tensor<?x5xf32>
  %log_softmax = blocks.log_softmax %x : tensor<?x5xf32>
  %softmax3 = blocks.softmax %z : tensor<?x4x3xf32>
  %log_softmax3 = blocks.log_softmax %z : tensor<?x4x3xf32>
  %argmax = blocks.argmax %x : tensor<?x5xf32> to tensor<?xi64>
  %argmax3 = blocks.argmax %z : tensor<?x4x3xf32> to tensor<?x4xi64>
  blocks.output %softmax "softmax" : tensor<?x5xf32>
  blocks.output %log_softmax "log_softmax" : tensor<?x5xf32>
  blocks.output %softmax3 "softmax3" : tensor<?x4x3xf32>
  blocks.output %log_softmax3 "log_softmax3" : tensor<?x4x3xf32>
  blocks.output %argmax "argmax" : tensor<?xi64>
  blocks.output %argmax3 "argmax3" : tensor<?x4xi64>
}

blocks.graph @labels(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
    %y: tensor<?xi64> {blocks.source = "y", blocks.axes = ["batch"]},
    %k: tensor<?xui8> {blocks.source = "k", blocks.axes = ["batch"]}) {
  %pick = blocks.pick %x, %y : tensor<?x5xf32>, tensor<?xi64> to tensor<?xf32>
  %pick8 = blocks.pick %x, %k : tensor<?x5xf32>, tensor<?xui8> to tensor<?xf32>
  %unpick = blocks.unpick %pick, %k like %x : tensor<?xf32>, tensor<?xui8>, tensor<?x5xf32> to tensor<?x5xf32>
  %cross:2 = blocks.softmax_cross_entropy %x, %y : tensor<?x5xf32>, tensor<?xi64> to tensor<?xf32>, tensor<?x5xf32>
  blocks.output %pick "pick" : tensor<?xf32>
  blocks.output %pick8 "pick8" : tensor<?xf32>
  blocks.output %unpick "unpick" : tensor<?x5xf32>
  blocks.output %cross#0 "cross_0" : tensor<?xf32>
  blocks.output %cross#1 "cross_1" : tensor<?x5xf32>
}

blocks.graph @products(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
    %z: tensor<?x4x3xf32> {blocks.source = "z", blocks.axes = ["batch", "", ""]}) {
  %w = arith.constant dense<[[0.5, -1.0, 2.0], [1.5, 0.25, -0.75], [-0.5, 1.0, 0.125], [0.75, -2.0, 1.0], [1.0, 0.5, -1.5]]> : tensor<5x3xf32>
  %wt = blocks.transpose %w permutation [1, 0] : tensor<5x3xf32> to tensor<3x5xf32>
  %plain = blocks.matmul %x, %w : tensor<?x5xf32>, tensor<5x3xf32> to tensor<?x3xf32>
  %right = blocks.matmul %x, %wt transposed : tensor<?x5xf32>, tensor<3x5xf32> to tensor<?x3xf32>
  %left = blocks.matmul %x transposed, %x : tensor<?x5xf32>, tensor<?x5xf32> to tensor<5x5xf32>
  %both = blocks.matmul %w transposed, %x transposed : tensor<5x3xf32>, tensor<?x5xf32> to tensor<3x?xf32>
  %turned = blocks.transpose %z permutation [2, 0, 1] : tensor<?x4x3xf32> to tensor<3x?x4xf32>
  blocks.output %plain "plain" : tensor<?x3xf32>
  blocks.output %right "right" : tensor<?x3xf32>
  blocks.output %left "left" : tensor<5x5xf32>
  blocks.output %both "both" : tensor<3x?xf32>
  blocks.output %turned "turned" : tensor<3x?x4xf32>
}

blocks.graph @shapes(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
    %z: tensor<?x4x3xf32> {blocks.source = "z", blocks.axes = ["batch", "", ""]}) {
  %b = arith.constant dense<[0.5, -1.0, 2.0]> : tensor<3xf32>
  %last = blocks.broadcast %b like %z dims [2] : tensor<3xf32>, tensor<?x4x3xf32>
  %rows = blocks.reduce sum %x dims [1] : tensor<?x5xf32> to tensor<?xf32>
  %first = blocks.broadcast %rows like %z dims [0] : tensor<?xf32>, tensor<?x4x3xf32>
  %extent = blocks.extent %z dims [0, 2] : tensor<?x4x3xf32> to tensor<f32>
  %flat = tensor.collapse_shape %z [[0], [1, 2]] : tensor<?x4x3xf32> into tensor<?x12xf32>
  %zero = arith.constant 0 : index
  %n = tensor.dim %z, %zero : tensor<?x4x3xf32>
  %wide = tensor.expand_shape %flat [[0], [1, 2]] output_shape [%n, 2, 6] : tensor<?x12xf32> into tensor<?x2x6xf32>
  %slice = tensor.extract_slice %x[0, 1] [%n, 3] [1, 1] : tensor<?x5xf32> to tensor<?x3xf32>
  %column = tensor.extract_slice %z[0, 2, 0] [%n, 1, 3] [1, 1, 1] : tensor<?x4x3xf32> to tensor<?x3xf32>
  %row = tensor.extract_slice %z[0, 0, 0] [1, 4, 3] [1, 1, 1] : tensor<?x4x3xf32> to tensor<4x3xf32>
  // Of two axes of one element the type does not say which one is left out.
  %stack = tensor.expand_shape %column [[0, 1], [2]] output_shape [1, %n, 3] : tensor<?x3xf32> into tensor<1x?x3xf32>
  %either = tensor.extract_slice %stack[0, 0, 0] [1, 1, 3] [1, 1, 1] : tensor<1x?x3xf32> to tensor<1x3xf32>
  %twice = arith.addf %either, %either : tensor<1x3xf32>
  %replaced = tensor.insert_slice %twice into %stack[0, 0, 0] [1, 1, 3] [1, 1, 1] : tensor<1x3xf32> into tensor<1x?x3xf32>
  %inserted = tensor.insert_slice %slice into %x[0, 0] [%n, 3] [1, 1] : tensor<?x3xf32> into tensor<?x5xf32>
  %seven = arith.constant 7.0 : f32
  %splat = tensor.splat %seven : tensor<2x3xf32>
  blocks.output %either "either" : tensor<1x3xf32>
  blocks.output %replaced "replaced" : tensor<1x?x3xf32>
  blocks.output %last "last" : tensor<?x4x3xf32>
  blocks.output %first "first" : tensor<?x4x3xf32>
  blocks.output %extent "extent" : tensor<f32>
  blocks.output %flat "flat" : tensor<?x12xf32>
  blocks.output %wide "wide" : tensor<?x2x6xf32>
  blocks.output %slice "slice" : tensor<?x3xf32>
  blocks.output %column "column" : tensor<?x3xf32>
  blocks.output %row "row" : tensor<4x3xf32>
  blocks.output %inserted "inserted" : tensor<?x5xf32>
  blocks.output %splat "splat" : tensor<2x3xf32>
}

blocks.graph @casts(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
    %i: tensor<?x5xui8> {blocks.source = "i", blocks.axes = ["batch", ""]}) {
  %bytes = blocks.cast %i : tensor<?x5xui8> to tensor<?x5xf32>
  %wide = blocks.cast %x : tensor<?x5xf32> to tensor<?x5xf64>
  %back = blocks.cast %wide : tensor<?x5xf64> to tensor<?x5xf32>
  %ten = arith.constant dense<10.0> : tensor<f32>
  %tens = blocks.broadcast %ten like %x dims [] : tensor<f32>, tensor<?x5xf32>
  %large = arith.mulf %x, %tens : tensor<?x5xf32>
  %whole = blocks.cast %large : tensor<?x5xf32> to tensor<?x5xi32>
  %more = blocks.cast %whole : tensor<?x5xi32> to tensor<?x5xi64>
  %single = blocks.cast %more : tensor<?x5xi64> to tensor<?x5xf32>
  %from_bytes = blocks.cast %i : tensor<?x5xui8> to tensor<?x5xi64>
  blocks.output %bytes "bytes" : tensor<?x5xf32>
  blocks.output %back "back" : tensor<?x5xf32>
  blocks.output %whole "whole" : tensor<?x5xi32>
  blocks.output %more "more" : tensor<?x5xi64>
  blocks.output %single "single" : tensor<?x5xf32>
  blocks.output %from_bytes "from_bytes" : tensor<?x5xi64>
}

// The gradients of all that have one.
blocks.brick @parameters {
  blocks.parameter @a : tensor<4x5xf32> roles [weight] init #blocks.uniform<width = 2.0>
  blocks.parameter @b : tensor<5xf32> roles [bias] init #blocks.uniform<width = 2.0>
  blocks.parameter @w : tensor<5x6xf32> roles [weight] init #blocks.uniform<width = 2.0>
}
blocks.graph @cost(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}, %k: tensor<?xui8> {blocks.source = "k", blocks.axes = ["batch"]}) {
  %a = blocks.get @parameters::@a : tensor<4x5xf32>
  %b = blocks.get @parameters::@b : tensor<5xf32>
  %w = blocks.get @parameters::@w : tensor<5x6xf32>
  %bb = blocks.broadcast %b like %x dims [1] : tensor<5xf32>, tensor<?x5xf32>
  %h = arith.addf %x, %bb : tensor<?x5xf32>
  %p = blocks.matmul %h, %w : tensor<?x5xf32>, tensor<5x6xf32> to tensor<?x6xf32>
  %soft = blocks.softmax %p : tensor<?x6xf32>
  %log = blocks.log_softmax %p : tensor<?x6xf32>
  %pick = blocks.pick %p, %k : tensor<?x6xf32>, tensor<?xui8> to tensor<?xf32>
  %cross:2 = blocks.softmax_cross_entropy %p, %k : tensor<?x6xf32>, tensor<?xui8> to tensor<?xf32>, tensor<?x6xf32>
  %loss = blocks.reduce sum %cross#0 dims [0] : tensor<?xf32> to tensor<f32>
  %max = blocks.reduce max %a dims [1] : tensor<4x5xf32> to tensor<4xf32>
  %min = blocks.reduce min %a dims [1] : tensor<4x5xf32> to tensor<4xf32>
  %most = blocks.reduce max %h dims [0, 1] : tensor<?x5xf32> to tensor<f32>
  %turned = blocks.transpose %a permutation [1, 0] : tensor<4x5xf32> to tensor<5x4xf32>
  %q = blocks.matmul %h, %turned : tensor<?x5xf32>, tensor<5x4xf32> to tensor<?x4xf32>
  %zero = arith.constant 0 : index
  %n = tensor.dim %q, %zero : tensor<?x4xf32>
  %aa = math.tanh %a : tensor<4x5xf32>
  %cut = tensor.extract_slice %a[1, 2] [2, 3] [1, 1] : tensor<4x5xf32> to tensor<2x3xf32>
  %in = tensor.insert_slice %cut into %aa[0, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<4x5xf32>
  %parts = tensor.expand_shape %p [[0], [1, 2]] output_shape [%n, 2, 3] : tensor<?x6xf32> into tensor<?x2x3xf32>
  %sq_soft = arith.mulf %soft, %soft : tensor<?x6xf32>
  %t_soft = blocks.reduce sum %sq_soft dims [0, 1] : tensor<?x6xf32> to tensor<f32>
  %sq_log = arith.mulf %log, %log : tensor<?x6xf32>
  %t_log = blocks.reduce sum %sq_log dims [0, 1] : tensor<?x6xf32> to tensor<f32>
  %sq_pick = arith.mulf %pick, %pick : tensor<?xf32>
  %t_pick = blocks.reduce sum %sq_pick dims [0] : tensor<?xf32> to tensor<f32>
  %sq_max = arith.mulf %max, %max : tensor<4xf32>
  %t_max = blocks.reduce sum %sq_max dims [0] : tensor<4xf32> to tensor<f32>
  %sq_min = arith.mulf %min, %min : tensor<4xf32>
  %t_min = blocks.reduce sum %sq_min dims [0] : tensor<4xf32> to tensor<f32>
  %sq_q = arith.mulf %q, %q : tensor<?x4xf32>
  %t_q = blocks.reduce sum %sq_q dims [0, 1] : tensor<?x4xf32> to tensor<f32>
  %sq_in = arith.mulf %in, %in : tensor<4x5xf32>
  %t_in = blocks.reduce sum %sq_in dims [0, 1] : tensor<4x5xf32> to tensor<f32>
  %sq_parts = arith.mulf %parts, %parts : tensor<?x2x3xf32>
  %t_parts = blocks.reduce sum %sq_parts dims [0, 1, 2] : tensor<?x2x3xf32> to tensor<f32>
  %s0 = arith.addf %t_soft, %t_log : tensor<f32>
  %s1 = arith.addf %s0, %t_pick : tensor<f32>
  %s2 = arith.addf %s1, %t_max : tensor<f32>
  %s3 = arith.addf %s2, %t_min : tensor<f32>
  %s4 = arith.addf %s3, %t_q : tensor<f32>
  %s5 = arith.addf %s4, %t_in : tensor<f32>
  %s6 = arith.addf %s5, %t_parts : tensor<f32>
  %s7 = arith.addf %s6, %loss : tensor<f32>
  %s8 = arith.addf %s7, %most : tensor<f32>
  %hundred = arith.constant dense<0.01> : tensor<f32>
  %cost = arith.mulf %s8, %hundred : tensor<f32>
  blocks.output %cost "cost" roles [cost] : tensor<f32>
}

blocks.graph @cast(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %some = tensor.cast %x : tensor<?x5xf32> to tensor<?x?xf32>
  %square = arith.mulf %some, %some : tensor<?x?xf32>
  %cast = tensor.cast %square : tensor<?x?xf32> to tensor<?x5xf32>
  blocks.output %cast "cast" : tensor<?x5xf32>
}

}
