// Attention over a sequence through the whole pipeline: what the loops over time
// hold and what they leave behind.
//
// RUN: blocks-opt %s --blocks-compile="stop-after=materialize-state" | FileCheck %s --check-prefix=GRADIENT
// RUN: blocks-opt %s --blocks-compile="stop-after=plan-memory" | FileCheck %s --implicit-check-not=memref.alloc --implicit-check-not=memref.copy

// What tanh gives for each position is made of the prepared sequence and of the
// projected state; the loop back computes it again from these.
// GRADIENT-LABEL: func.func @train
// GRADIENT: blocks.scan
// GRADIENT: math.tanh {{.*}} : tensor<?x?x4xf32>
// GRADIENT: blocks.yield states(%{{.*}} : tensor<?x8xf32>)
// GRADIENT-NOT: tensor<?x?x4xf32>
// GRADIENT-SAME: {{$}}
// The gradient of the prepared sequence is added up from step to step, that of
// the attended one is a product of all steps, for each example.
// GRADIENT: %[[BACK:.*]]:{{[0-9]+}} = blocks.scan reverse
// GRADIENT: math.tanh {{.*}} : tensor<?x?x4xf32>
// GRADIENT-NOT: blocks.batch_matmul {{.*}} to tensor<?x?x6xf32>
// GRADIENT: blocks.yield states(%{{.*}}, %{{.*}} : tensor<?x8xf32>, tensor<?x?x4xf32>)
// GRADIENT: tensor.extract_slice %[[BACK]]#1[0, 0, 0, 0]
// GRADIENT: blocks.batch_matmul {{.*}} transposed, {{.*}} : tensor<?x?x?xf32>, tensor<?x?x6xf32> to tensor<?x?x6xf32>

// Energies, softmax and average of an example are one dispatch, behind the
// product that projects the states.
// CHECK-LABEL: func.func @train
// CHECK: scf.for
// CHECK: linalg.matmul {blocks.dispatch = [[D:[0-9]+]] : i64
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} {{.*}} attrs = {blocks.dispatch = [[E:[0-9]+]] : i64}
// CHECK: math.tanh
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} {{.*}} outs(%{{.*}} : memref<?x6xf32{{.*}}>) attrs = {blocks.dispatch = [[E]] : i64}
// In the loop back tanh and the three sums that need it are one operation, which
// adds to the gradient of the prepared sequence in place.
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "parallel"]} {{.*}} outs(%{{.*}}, %{{.*}}, %[[SUM:.*]] : memref<?x4xf32{{.*}}>, memref<?x4xf32{{.*}}>, memref<?x?x4xf32>)
// CHECK: math.tanh
// CHECK-NOT: math.tanh
// CHECK: linalg.batch_matmul
// CHECK-LABEL: func.func @eval
module {
  blocks.brick @decoder = "AttentionRecurrent" {
    transition = {kind = "SimpleRecurrent", name = "transition", dim = 8, activation = "Tanh"},
    attention = {kind = "SequenceContentAttention", name = "attention", match_dim = 4, attended_dim = 6}}
  blocks.brick @lift = "Linear" {input_dim = 3, output_dim = 6}
  blocks.graph @cost(%x: tensor<?x?x8xf32> {blocks.source = "inputs", blocks.axes = ["time", "batch", ""]},
                     %a: tensor<?x?x3xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}) {
    %h = blocks.apply @lift::@apply(%a) : (tensor<?x?x3xf32>) -> tensor<?x?x6xf32>
    %s, %g, %w = blocks.apply @decoder::@apply(%x, %h) {arguments = ["inputs", "attended"]} : (tensor<?x?x8xf32>, tensor<?x?x6xf32>) -> (tensor<?x?x8xf32>, tensor<?x?x6xf32>, tensor<?x?x?xf32>)
    %q = arith.mulf %s, %s : tensor<?x?x8xf32>
    %cost = blocks.reduce sum %q dims [0, 1, 2] : tensor<?x?x8xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}
