// What was not asked for goes: outputs, their annotations, a scan's outputs,
// states and sequences, sources. In @train the cost stays.
// RUN: blocks-opt %s --verify-annotations --blocks-prune=outputs=error_rate | FileCheck %s
// RUN: blocks-opt %s --verify-annotations --blocks-prune | FileCheck %s --check-prefix=ALL

// CHECK-LABEL: blocks.graph @train
// CHECK-SAME: (%{{[^,]*}}: tensor<?x3xf32> {blocks.source = "features"}) attributes
// CHECK-NOT: "hidden"
// CHECK: blocks.output %{{.*}} "cost"
// CHECK-NOT: blocks.output
// ALL-LABEL: blocks.graph @train
// ALL-SAME: blocks.source = "other"
// ALL: blocks.output %{{.*}} "cost"
// ALL: blocks.output %{{.*}} "other"
blocks.graph @train(%x: tensor<?x3xf32> {blocks.source = "features"}, %y: tensor<?x3xf32> {blocks.source = "other"}) attributes {variant = "train"} {
  %t = blocks.tag %y <"/a", "apply", "hidden", [auxiliary], "a.apply#0"> : tensor<?x3xf32>
  %o = math.exp %t : tensor<?x3xf32>
  %c = blocks.reduce sum %x dims [0, 1] : tensor<?x3xf32> to tensor<f32>
  blocks.output %c "cost" roles [cost] : tensor<f32>
  blocks.output %o "other" : tensor<?x3xf32>
}

// CHECK-LABEL: blocks.graph @eval
// CHECK-SAME: (%[[X:[^,]*]]: tensor<?x3xf32> {blocks.source = "xs"}) attributes
// CHECK: %[[INIT:.*]] = arith.constant
// CHECK: %[[S:.*]] = blocks.scan sequences(%[[X]]) states(%[[INIT]]) : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[SLICE:.*]]: tensor<3xf32>, %[[A:.*]]: tensor<3xf32>):
// CHECK-NEXT: %[[NEXT:.*]] = arith.addf %[[A]], %[[SLICE]]
// CHECK-NEXT: blocks.yield states(%[[NEXT]] : tensor<3xf32>)
// CHECK: blocks.output %[[S]] "error_rate"
// ALL-LABEL: blocks.graph @eval
// ALL-SAME: (%{{[^,]*}}: tensor<?x3xf32> {blocks.source = "xs"}) attributes
blocks.graph @eval(%xs: tensor<?x3xf32> {blocks.source = "xs"}, %ys: tensor<?x3xf32> {blocks.source = "ys"}) attributes {variant = "eval"} {
  %a0 = arith.constant dense<0.0> : tensor<3xf32>
  %b0 = arith.constant dense<1.0> : tensor<3xf32>
  %c0 = arith.constant dense<2.0> : tensor<3xf32>
  %s:4 = blocks.scan sequences(%xs, %ys) states(%a0, %b0, %c0) : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) {
  ^bb0(%t: index, %x: tensor<3xf32>, %y: tensor<3xf32>, %a: tensor<3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>):
    %na = arith.addf %a, %x : tensor<3xf32>
    %nb = arith.mulf %b, %c : tensor<3xf32>
    %nc = arith.addf %b, %y : tensor<3xf32>
    %o = math.exp %y : tensor<3xf32>
    blocks.yield states(%na, %nb, %nc : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outputs(%o : tensor<3xf32>)
  }
  blocks.output %s#0 "error_rate" : tensor<?x3xf32>
}
