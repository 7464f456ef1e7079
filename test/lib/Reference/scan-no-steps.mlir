// A scan of no steps: each stacked result keeps the extents of a step's value,
// also where no state has them; the last state is the initial one.
// RUN: blocks-interpret %s --shape time=0,batch=3 | FileCheck %s
blocks.graph @g(%q: tensor<?x?x4xf32> {blocks.source = "q", blocks.axes = ["time", "batch", ""]},
                %h0: tensor<2xf32> {blocks.source = "h0"}) {
  %hs, %sums, %parts = blocks.scan sequences(%q) states(%h0) : (tensor<?x?x4xf32>, tensor<2xf32>) -> (tensor<?x2xf32>, tensor<?x?xf32>, tensor<?x?x4xf32>) {
  ^bb0(%t: index, %x: tensor<?x4xf32>, %h: tensor<2xf32>):
    %sum = blocks.reduce sum %x dims [1] : tensor<?x4xf32> to tensor<?xf32>
    %part = math.tanh %x : tensor<?x4xf32>
    %next = math.tanh %h : tensor<2xf32>
    blocks.yield states(%next : tensor<2xf32>) outputs(%sum, %part : tensor<?xf32>, tensor<?x4xf32>)
  }
  // All steps of one position of the batch: none, though an initial state could
  // have this type.
  %zero = arith.constant 0 : index
  %T = tensor.dim %parts, %zero : tensor<?x?x4xf32>
  %x0 = blocks.reduce sum %q dims [0] : tensor<?x?x4xf32> to tensor<?x4xf32>
  %ss = blocks.scan sequences(%q) states(%x0) : (tensor<?x?x4xf32>, tensor<?x4xf32>) -> tensor<?x?x4xf32> {
  ^bb0(%t: index, %x: tensor<?x4xf32>, %h: tensor<?x4xf32>):
    %next = arith.addf %h, %x : tensor<?x4xf32>
    blocks.yield states(%next : tensor<?x4xf32>)
  }
  %one = tensor.extract_slice %ss[0, 0, 0] [%T, 1, 4] [1, 1, 1] : tensor<?x?x4xf32> to tensor<?x4xf32>
  blocks.output %one "one" : tensor<?x4xf32>
  blocks.output %hs "hs" : tensor<?x2xf32>
  blocks.output %sums "sums" : tensor<?x?xf32>
  blocks.output %parts "parts" : tensor<?x?x4xf32>
}
// CHECK: one = 0x4xf32 []
// CHECK: hs = 0x2xf32 []
// CHECK: sums = 0x3xf32 []
// CHECK: parts = 0x3x4xf32 []
