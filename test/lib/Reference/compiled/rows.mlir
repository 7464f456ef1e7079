// Rows by number, stacks of products, concatenations and masks as machine code
// against the reference, in both precisions, for several rows, one and none.
//
// RUN: test-compiled-graphs %s --shape batch=17 --range k=0:5 | FileCheck %s
// RUN: test-compiled-graphs %s --shape batch=1 --range k=0:5 | FileCheck %s
// RUN: test-compiled-graphs %s --shape batch=0 --range k=0:5 | FileCheck %s
// RUN: test-compiled-graphs %s --f64 --shape batch=17 --range k=0:5 | FileCheck %s
// CHECK: rows agrees
module @rows {

blocks.graph @gather(%t: tensor<5x3xf32> {blocks.source = "t", blocks.axes = ["", ""]},
                     %v: tensor<5xf32> {blocks.source = "v", blocks.axes = [""]},
                     %k: tensor<?x2xui8> {blocks.source = "k", blocks.axes = ["batch", ""]}) {
  %rows = blocks.gather %t, %k : tensor<5x3xf32>, tensor<?x2xui8> to tensor<?x2x3xf32>
  %elements = blocks.gather %v, %k : tensor<5xf32>, tensor<?x2xui8> to tensor<?x2xf32>
  %sums = blocks.scatter_add %rows, %k like %t : tensor<?x2x3xf32>, tensor<?x2xui8>, tensor<5x3xf32>
  %counts = blocks.scatter_add %elements, %k like %v : tensor<?x2xf32>, tensor<?x2xui8>, tensor<5xf32>
  blocks.output %rows "rows" : tensor<?x2x3xf32>
  blocks.output %elements "elements" : tensor<?x2xf32>
  blocks.output %sums "sums" : tensor<5x3xf32>
  blocks.output %counts "counts" : tensor<5xf32>
}

blocks.graph @products(%z: tensor<?x4x3xf32> {blocks.source = "z", blocks.axes = ["batch", "", ""]}) {
  %left = blocks.batch_matmul %z transposed, %z : tensor<?x4x3xf32>, tensor<?x4x3xf32> to tensor<?x3x3xf32>
  %right = blocks.batch_matmul %z, %z transposed : tensor<?x4x3xf32>, tensor<?x4x3xf32> to tensor<?x4x4xf32>
  %plain = blocks.batch_matmul %z, %left : tensor<?x4x3xf32>, tensor<?x3x3xf32> to tensor<?x4x3xf32>
  %both = blocks.batch_matmul %z transposed, %right transposed : tensor<?x4x3xf32>, tensor<?x4x4xf32> to tensor<?x3x4xf32>
  blocks.output %left "left" : tensor<?x3x3xf32>
  blocks.output %right "right" : tensor<?x4x4xf32>
  blocks.output %plain "plain" : tensor<?x4x3xf32>
  blocks.output %both "both" : tensor<?x3x4xf32>
}

blocks.graph @concatenations(%t: tensor<1x3xf32> {blocks.source = "t", blocks.axes = ["", ""]},
                             %x: tensor<?x3xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
                             %k: tensor<?x2xui8> {blocks.source = "k", blocks.axes = ["batch", ""]}) {
  %columns = tensor.concat dim(1) %x, %x : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x6xf32>
  %front = tensor.concat dim(0) %t, %x : (tensor<1x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %twice = tensor.concat dim(0) %front, %x, %t : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<1x3xf32>) -> tensor<?x3xf32>
  %integers = tensor.concat dim(1) %k, %k : (tensor<?x2xui8>, tensor<?x2xui8>) -> tensor<?x4xui8>
  blocks.output %columns "columns" : tensor<?x6xf32>
  blocks.output %front "front" : tensor<?x3xf32>
  blocks.output %twice "twice" : tensor<?x3xf32>
  blocks.output %integers "integers" : tensor<?x4xui8>
}

blocks.graph @masks(%x: tensor<?x2xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
                    %k: tensor<?x2xui8> {blocks.source = "k", blocks.axes = ["batch", ""]}) {
  %m = blocks.cast %k : tensor<?x2xui8> to tensor<?x2xi1>
  %softmax = blocks.softmax %x masked %m : tensor<?x2xf32>, tensor<?x2xi1>
  blocks.output %softmax "softmax" : tensor<?x2xf32>
}
}
