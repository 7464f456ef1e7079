// A pass that loses an annotation is found out. Symbol privatization stands for
// a careless pass: removing dead values of a graph is not, but removing the
// graph is.
// RUN: not blocks-opt %s -symbol-privatize -symbol-dce -verify-annotations 2>&1 | FileCheck %s --check-prefix=LOST
// LOST: error: pass symbol-dce changed annotations without declaring it:
// LOST-NEXT: lost @g #blocks.annotation<"/a", "apply", "output", [output], "a.apply#0">

// Upstream's canonicalization and CSE keep the names of live values, even where
// the values are equal; names of dead values may go.
// RUN: blocks-opt %s -canonicalize -cse -verify-annotations | FileCheck %s
// CHECK: blocks.tag %{{.*}} <"/a", "apply", "output", [output], "a.apply#0">
// CHECK: blocks.tag %{{.*}} <"/a", "apply", "output", [output], "a.apply#1">
// CHECK-NOT: a.apply#2
blocks.graph @g(%x: tensor<?x4xf32> {blocks.source = "x"}) {
  %0 = blocks.tag %x <"/a", "apply", "output", [output], "a.apply#0"> : tensor<?x4xf32>
  %1 = blocks.tag %x <"/a", "apply", "output", [output], "a.apply#1"> : tensor<?x4xf32>
  %2 = blocks.tag %x <"/a", "apply", "output", [output], "a.apply#2"> : tensor<?x4xf32>
  %y = arith.addf %0, %1 : tensor<?x4xf32>
  blocks.output %y "y" : tensor<?x4xf32>
}
