// Bricks that have no gradient, as machine code against the reference.
//
// RUN: test-compiled-graphs %s --shape batch=17 --range y=0:5 | FileCheck %s
// RUN: test-compiled-graphs %s --shape batch=1 --range y=0:5 | FileCheck %s
// CHECK: errors agrees
module @errors {
  blocks.brick @one = "MisclassificationRate" {}
  blocks.brick @three = "MisclassificationRate" {top_k = 3}
  blocks.graph @rates(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
      %y: tensor<?xui8> {blocks.source = "y", blocks.axes = ["batch"]}) {
    %a = blocks.apply @one::@apply(%y, %x) : (tensor<?xui8>, tensor<?x5xf32>) -> tensor<f32>
    %b = blocks.apply @three::@apply(%y, %x) : (tensor<?xui8>, tensor<?x5xf32>) -> tensor<f32>
    blocks.output %a "one" : tensor<f32>
    blocks.output %b "three" : tensor<f32>
  }
}
