// What canonicalization would fold into a constant without a shape.
// RUN: blocks-opt %s -blocks-fold-equal-operands | FileCheck %s
// RUN: blocks-opt %s -blocks-fold-equal-operands -canonicalize | FileCheck %s --check-prefix=FOLDED

// CHECK-LABEL: blocks.graph @equal
// CHECK: %[[ZERO:.*]] = arith.constant dense<0> : tensor<i64>
// CHECK: blocks.broadcast %[[ZERO]] like %{{.*}} dims [] : tensor<i64>, tensor<?xi64>
// CHECK: %[[TRUE:.*]] = arith.constant dense<true> : tensor<i1>
// CHECK: blocks.broadcast %[[TRUE]] like %{{.*}} dims [] : tensor<i1>, tensor<?xi64>
// CHECK: %[[FALSE:.*]] = arith.constant dense<false> : tensor<i1>
// CHECK: blocks.broadcast %[[FALSE]] like
// FOLDED-LABEL: blocks.graph @equal
// FOLDED-NOT: tensor<?x{{.*}}dense
// FOLDED-COUNT-3: blocks.broadcast
blocks.graph @equal(%x: tensor<?xi64> {blocks.source = "x"}) {
  %xor = arith.xori %x, %x : tensor<?xi64>
  %same = arith.cmpi uge, %x, %x : tensor<?xi64>
  %less = arith.cmpi slt, %x, %x : tensor<?xi64>
  blocks.output %xor "xor" : tensor<?xi64>
  blocks.output %same "same" : tensor<?xi1>
  blocks.output %less "less" : tensor<?xi1>
}

// Different operands, and shapes that are known, stay.
// CHECK-LABEL: blocks.graph @others
// CHECK: arith.xori
// CHECK: arith.xori
blocks.graph @others(%x: tensor<?xi64> {blocks.source = "x"}, %y: tensor<?xi64> {blocks.source = "y"},
                     %z: tensor<3xi64> {blocks.source = "z"}) {
  %xor = arith.xori %x, %y : tensor<?xi64>
  %static = arith.xori %z, %z : tensor<3xi64>
  blocks.output %xor "xor" : tensor<?xi64>
  blocks.output %static "static" : tensor<3xi64>
}
