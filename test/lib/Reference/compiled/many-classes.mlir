// Costs over many classes; with leading axes, unsigned labels, and batches of
// one row and of none.
//
// RUN: test-compiled-graphs %s --shape batch=17,time=3 --range y=0:300,k=0:256 | FileCheck %s
// RUN: test-compiled-graphs %s --f64 --shape batch=1,time=1 --range y=0:300,k=0:256 | FileCheck %s
// CHECK: many_classes agrees
module @many_classes {

blocks.graph @labels(%x: tensor<?x300xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
                     %y: tensor<?xi64> {blocks.source = "y", blocks.axes = ["batch"]}) {
  %cross:2 = blocks.softmax_cross_entropy %x, %y : tensor<?x300xf32>, tensor<?xi64> to tensor<?xf32>, tensor<?x300xf32>
  blocks.output %cross#0 "cost" : tensor<?xf32>
  blocks.output %cross#1 "log_probabilities" : tensor<?x300xf32>
}

blocks.graph @steps(%x: tensor<?x?x256xf32> {blocks.source = "x", blocks.axes = ["time", "batch", ""]},
                    %k: tensor<?x?xui8> {blocks.source = "k", blocks.axes = ["time", "batch"]}) {
  %cross:2 = blocks.softmax_cross_entropy %x, %k : tensor<?x?x256xf32>, tensor<?x?xui8> to tensor<?x?xf32>, tensor<?x?x256xf32>
  blocks.output %cross#0 "cost" : tensor<?x?xf32>
}
}
