// What the interpreter refuses, and how it says so.
// RUN: not blocks-interpret %s --entry unknown 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not blocks-interpret %s --entry shapes 2>&1 | FileCheck %s --check-prefix=SHAPES
// RUN: not blocks-interpret %s --entry inner 2>&1 | FileCheck %s --check-prefix=INNER
// RUN: not blocks-interpret %s --entry apply 2>&1 | FileCheck %s --check-prefix=APPLY
// RUN: not blocks-interpret %s --entry wrong 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not blocks-interpret %s --entry nothing 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not blocks-interpret %s --entry shapes --input z=none.npy 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not blocks-interpret --nonsense 2>&1 | FileCheck %s --check-prefix=NONSENSE
// RUN: blocks-interpret --help | FileCheck %s --check-prefix=HELP

blocks.graph @unknown(%x: tensor<?xf32> {blocks.source = "x"}) {
  %y = "other.thing"(%x) : (tensor<?xf32>) -> tensor<?xf32>
}
// UNKNOWN: the reference interpreter does not know 'other.thing'

blocks.graph @shapes(%x: tensor<?xf32> {blocks.source = "x"}) {
  %y = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %d = tensor.cast %y : tensor<2xf32> to tensor<?xf32>
  %z = arith.addf %x, %d : tensor<?xf32>
}
// SHAPES: cannot work on 3xf32 and 2xf32: their extents do not fit
// NAME: there is nothing called 'z'

blocks.graph @inner(%x: tensor<?x?xf32> {blocks.source = "x"}) {
  %y = arith.constant dense<1.0> : tensor<2x2xf32>
  %z = blocks.matmul %x, %y : tensor<?x?xf32>, tensor<2x2xf32> to tensor<?x2xf32>
}
// INNER: cannot work on 3x3xf32 and 2x2xf32: their extents do not fit

blocks.brick @b {
  blocks.application @apply(%x: tensor<?xf32>) -> tensor<?xf32> {
    blocks.return %x : tensor<?xf32>
  }
}
blocks.graph @apply(%x: tensor<?xf32> {blocks.source = "x"}) {
  %y = blocks.apply @b::@apply(%x) : (tensor<?xf32>) -> tensor<?xf32>
}
// APPLY: applications must be inlined before the graph is interpreted; run blocks-inline-applications

blocks.graph @wrong() {
  %y = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  "check.close"(%y) {expected = dense<[1.0, 2.5]> : tensor<2xf64>, tolerance = 1.0e-3} : (tensor<2xf32>) -> ()
}
// WRONG: at [1] found 2, expected 2.5, which differ by 0.2; the tolerance is 0.001
// NOTHING: there is no graph or function @nothing
// NONSENSE: Unknown command line argument '--nonsense'
// HELP: runs graphs on the reference interpreter
// HELP: --entry
