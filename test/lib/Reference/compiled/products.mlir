// Products with what a GPU's library does before it writes them (a bias, a
// rectifier) against the reference, of odd sizes, for several rows, one and
// none; and with what looks alike and is not.
//
// RUN: test-compiled-graphs %s --shape batch=17 | FileCheck %s
// RUN: test-compiled-graphs %s --shape batch=1 | FileCheck %s
// RUN: test-compiled-graphs %s --shape batch=0 | FileCheck %s
// RUN: test-compiled-graphs %s --shape batch=300 | FileCheck %s
// CHECK: products agrees
module @products {

blocks.graph @bias(%x: tensor<?x7xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
                   %w: tensor<7x33xf32> {blocks.source = "w", blocks.axes = ["", ""]},
                   %b: tensor<33xf32> {blocks.source = "b", blocks.axes = [""]}) {
  %p = blocks.matmul %x, %w : tensor<?x7xf32>, tensor<7x33xf32> to tensor<?x33xf32>
  %bb = blocks.broadcast %b like %p dims [1] : tensor<33xf32>, tensor<?x33xf32>
  %y = arith.addf %p, %bb : tensor<?x33xf32>
  blocks.output %y "y" : tensor<?x33xf32>
}

blocks.graph @rectified(%x: tensor<?x301xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
                        %w: tensor<5x301xf32> {blocks.source = "w", blocks.axes = ["", ""]},
                        %b: tensor<5xf32> {blocks.source = "b", blocks.axes = [""]}) {
  %p = blocks.matmul %x, %w transposed : tensor<?x301xf32>, tensor<5x301xf32> to tensor<?x5xf32>
  %bb = blocks.broadcast %b like %p dims [1] : tensor<5xf32>, tensor<?x5xf32>
  %s = arith.addf %bb, %p : tensor<?x5xf32>
  %y = blocks.rectifier %s : tensor<?x5xf32>
  %bare = blocks.rectifier %p : tensor<?x5xf32>
  blocks.output %y "y" : tensor<?x5xf32>
  blocks.output %bare "bare" : tensor<?x5xf32>
}

// The columns are the batch: the sum has a number for each row.
blocks.graph @columns(%x: tensor<?x7xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
                      %w: tensor<3x7xf32> {blocks.source = "w", blocks.axes = ["", ""]},
                      %b: tensor<3xf32> {blocks.source = "b", blocks.axes = [""]}) {
  %p = blocks.matmul %w, %x transposed : tensor<3x7xf32>, tensor<?x7xf32> to tensor<3x?xf32>
  %bb = blocks.broadcast %b like %p dims [0] : tensor<3xf32>, tensor<3x?xf32>
  %y = arith.addf %p, %bb : tensor<3x?xf32>
  blocks.output %y "y" : tensor<3x?xf32>
}

// A bias that the run computes; what was there before the bias is needed, too.
blocks.graph @computed(%x: tensor<?x7xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
                       %w: tensor<7x7xf32> {blocks.source = "w", blocks.axes = ["", ""]}) {
  %p = blocks.matmul %x, %w : tensor<?x7xf32>, tensor<7x7xf32> to tensor<?x7xf32>
  %b = blocks.reduce sum %x dims [0] : tensor<?x7xf32> to tensor<7xf32>
  %bb = blocks.broadcast %b like %p dims [1] : tensor<7xf32>, tensor<?x7xf32>
  %y = arith.addf %p, %bb : tensor<?x7xf32>
  %q = blocks.matmul %y, %w : tensor<?x7xf32>, tensor<7x7xf32> to tensor<?x7xf32>
  %z = arith.addf %q, %bb : tensor<?x7xf32>
  %r = blocks.rectifier %z : tensor<?x7xf32>
  blocks.output %p "p" : tensor<?x7xf32>
  blocks.output %y "y" : tensor<?x7xf32>
  blocks.output %r "r" : tensor<?x7xf32>
}
}
