// A language model's two LSTM layers through the whole pipeline: each layer's
// input product stands before its forward loop, whose step is one product, one
// addition and one sweep over gates, cells and states; the backward step is the
// sweeps of the gates and one product; each weight's gradient is one product
// after the loops.
// RUN: blocks-opt %s --blocks-compile="stop-after=plan-memory" \
// RUN:   | FileCheck %s --implicit-check-not=memref.alloc --implicit-check-not=memref.copy

// CHECK-LABEL: func.func @train
// CHECK-SAME: {blocks.state = "/in.W"}
// Layer 0. All steps' inputs at once.
// CHECK: linalg.matmul {{.*}} ins(%{{.*}}, %arg1 : memref<?x200xf32>, memref<200x800xf32>) outs(%{{.*}} : memref<?x800xf32>)
// CHECK: scf.for
// CHECK-NOT: linalg.{{[fgm]}}
// CHECK: linalg.matmul {{.*}} ins(%{{.*}}, %arg3 :
// CHECK-NEXT: linalg.generic {{.*}} outs(%{{.*}} : memref<?x800xf32>)
// CHECK: linalg.generic
// CHECK-NOT: linalg.{{[fgm]}}
// CHECK: {{^    }$}}
// Layer 1.
// CHECK: linalg.matmul {{.*}} ins(%{{.*}}, %arg4 :
// CHECK: scf.for
// CHECK-NOT: linalg.{{[fgm]}}
// CHECK: linalg.matmul {{.*}} ins(%{{.*}}, %arg6 :
// CHECK-NEXT: linalg.generic {{.*}} outs(%{{.*}} : memref<?x800xf32>)
// CHECK: linalg.generic
// CHECK-NOT: linalg.{{[fgm]}}
// CHECK: {{^    }$}}
// Backwards: no product of weights' size in the loops. The loops' products take
// weights that were packed before.
// CHECK: scf.for
// CHECK-NOT: linalg.matmul
// CHECK: linalg.matmul {{.*}} ins(%{{.*}}, %{{.*}} : memref<?x800xf32, {{.*}}>, memref<800x200xf32, strided<[224, 1]>>)
// CHECK-NEXT: {{^    }$}}
// CHECK: scf.for
// CHECK-NOT: linalg.matmul
// CHECK: linalg.matmul {{.*}} ins(%{{.*}}, %{{.*}} : memref<?x800xf32, {{.*}}>, memref<800x200xf32, strided<[224, 1]>>)
// CHECK-NEXT: {{^    }$}}
// CHECK: linalg.matmul {{.*}} outs(%arg1 : memref<200x800xf32>)
// CHECK: linalg.matmul {{.*}} outs(%arg3 : memref<200x800xf32>)
// CHECK: linalg.matmul {{.*}} outs(%arg4 : memref<200x800xf32>)
// CHECK: linalg.matmul {{.*}} outs(%arg6 : memref<200x800xf32>)
// CHECK-LABEL: func.func @eval

module @language_model {
  blocks.brick @in = "Linear" {input_dim = 200, output_dim = 800}
  blocks.brick @lstm0 = "LSTM" {dim = 200, peepholes = false, trained_initial_states = false}
  blocks.brick @up = "Linear" {input_dim = 200, output_dim = 800}
  blocks.brick @lstm1 = "LSTM" {dim = 200, peepholes = false, trained_initial_states = false}
  blocks.brick @readout = "Linear" {input_dim = 200, output_dim = 50}
  blocks.brick @softmax = "Softmax" {}
  blocks.graph @cost(%xs: tensor<?x?x200xf32> {blocks.source = "x", blocks.axes = ["time", "batch", "feature"]},
                     %y: tensor<?x?xi32> {blocks.source = "y", blocks.axes = ["time", "batch"]},
                     %h0: tensor<?x200xf32> {blocks.source = "h0", blocks.axes = ["batch", ""]},
                     %c0: tensor<?x200xf32> {blocks.source = "c0", blocks.axes = ["batch", ""]}) {
    %a = blocks.apply @in::@apply(%xs) : (tensor<?x?x200xf32>) -> tensor<?x?x800xf32>
    %h, %c = blocks.apply @lstm0::@apply(%a, %h0, %c0) {arguments = ["inputs", "states", "cells"]} : (tensor<?x?x800xf32>, tensor<?x200xf32>, tensor<?x200xf32>) -> (tensor<?x?x200xf32>, tensor<?x?x200xf32>)
    %b = blocks.apply @up::@apply(%h) : (tensor<?x?x200xf32>) -> tensor<?x?x800xf32>
    %g, %d = blocks.apply @lstm1::@apply(%b) : (tensor<?x?x800xf32>) -> (tensor<?x?x200xf32>, tensor<?x?x200xf32>)
    %logits = blocks.apply @readout::@apply(%g) : (tensor<?x?x200xf32>) -> tensor<?x?x50xf32>
    %rows = tensor.collapse_shape %logits [[0, 1], [2]] : tensor<?x?x50xf32> into tensor<?x50xf32>
    %labels = tensor.collapse_shape %y [[0, 1]] : tensor<?x?xi32> into tensor<?xi32>
    %losses = blocks.apply @softmax::@categorical_cross_entropy(%labels, %rows) : (tensor<?xi32>, tensor<?x50xf32>) -> tensor<?xf32>
    %cost = blocks.reduce sum %losses dims [0] : tensor<?xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}
