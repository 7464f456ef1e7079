// The graph that holds the cost becomes @train and @eval; others stay.
// RUN: blocks-opt %s -blocks-derive-entries=cost=loss -verify-annotations | FileCheck %s

// CHECK: blocks.graph @train(%{{.*}}) attributes {blocks.cost = "loss", variant = "train"} {
// CHECK-NEXT: blocks.output %{{.*}} "loss" roles [cost]
// CHECK: blocks.graph @eval(%{{.*}}) attributes {blocks.cost = "loss", variant = "eval"} {
// CHECK-NEXT: blocks.output %{{.*}} "loss" roles [cost]
// CHECK: blocks.graph @predict
// CHECK-NOT: blocks.graph @model
blocks.graph @model(%x: tensor<f32> {blocks.source = "x"}) {
  blocks.output %x "loss" roles [cost] : tensor<f32>
}
blocks.graph @predict(%x: tensor<f32> {blocks.source = "x"}) {
  blocks.output %x "y" : tensor<f32>
}
