// Regularizers reach into the loops of library bricks: the state that a product
// sees, the gates, captured weights. Each site has masks of its own; the
// backward loop draws the forward loop's again, also when it recomputes.
// RUN: blocks-opt %s --blocks-compile="stop-after=differentiate regularize={dropout(p=0.5, where='brick:/lstm name:previous_states'), dropout(p=0.5, where='brick:/lstm/tanh role:output', per_sequence=true), weight_noise(std=0.1, where='brick:/lstm name:W_state')}" > %t
// RUN: FileCheck %s < %t
// RUN: blocks-opt %s --blocks-compile="stop-after=differentiate regularize={activation_noise(std=0.1, where='brick:/lstm/logistic role:output')}" | FileCheck %s --check-prefix=NOISE
// RUN: blocks-opt %s --blocks-compile="stop-after=differentiate regularize={dropout(p=0.5, where='brick:/lstm name:previous_states or (brick:/in role:output)')}" | FileCheck %s --check-prefix=TWICE

// Noise on the captured weights is drawn once, before the loop; a mask for the
// whole sequence too (twice: the activation is applied twice in a step).
// CHECK-LABEL: blocks.graph @train
// CHECK: blocks.random normal {{.*}} : tensor<3x12xf32>
// CHECK: blocks.scan sequences
// CHECK: ^bb0(%[[T:.*]]: index,
// CHECK: blocks.random uniform {{.*}} site [[STATES:-?[0-9]+]] index %[[T]]
// CHECK: blocks.matmul
// CHECK: blocks.random uniform {{.*}} site [[CANDIDATE:-?[0-9]+]] :
// CHECK: blocks.random uniform {{.*}} site [[SQUASHED:-?[0-9]+]] :
// CHECK: blocks.yield
// CHECK: blocks.scan reverse sequences
// CHECK: ^bb0(%[[B:.*]]: index,
// CHECK-NOT: blocks.matmul
// CHECK-DAG: blocks.random uniform {{.*}} site [[STATES]] index %[[B]]
// CHECK-DAG: blocks.random uniform {{.*}} site [[CANDIDATE]] :
// CHECK-DAG: blocks.random uniform {{.*}} site [[SQUASHED]] :
// CHECK: blocks.yield
// CHECK-LABEL: blocks.graph @eval
// CHECK-NOT: blocks.random

// Three gates, three sites, drawn at each step.
// NOISE-LABEL: blocks.graph @train
// NOISE: ^bb0(%[[T:.*]]: index,
// NOISE: blocks.random normal {{.*}} site [[A:-?[0-9]+]] index %[[T]]
// NOISE: blocks.random normal {{.*}} site [[B:-?[0-9]+]] index %[[T]]
// NOISE: blocks.random normal {{.*}} site [[C:-?[0-9]+]] index %[[T]]
// NOISE: blocks.yield

// TWICE-LABEL: blocks.graph @train
// TWICE: blocks.random uniform {{.*}} site [[IN:-?[0-9]+]] :
// TWICE: blocks.scan
// TWICE: blocks.random uniform {{.*}} site [[H:-?[0-9]+]] index
// TWICE-NOT: site [[IN]] index
blocks.brick @in = "Linear" {input_dim = 2, output_dim = 12}
blocks.brick @lstm = "LSTM" {dim = 3}
blocks.graph @cost(%x: tensor<?x?x2xf32> {blocks.source = "x", blocks.axes = ["time", "batch", "feature"]}) {
  %i = blocks.apply @in::@apply(%x) : (tensor<?x?x2xf32>) -> tensor<?x?x12xf32>
  %h, %c = blocks.apply @lstm::@apply(%i) : (tensor<?x?x12xf32>) -> (tensor<?x?x3xf32>, tensor<?x?x3xf32>)
  %q = arith.mulf %h, %h : tensor<?x?x3xf32>
  %cost = blocks.reduce sum %q dims [0, 1, 2] : tensor<?x?x3xf32> to tensor<f32>
  blocks.output %cost "cost" roles [cost] : tensor<f32>
}
