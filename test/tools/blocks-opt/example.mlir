// The first model to read: its filter for dropout finds the two hidden layers.
// RUN: blocks-opt %source/docs/examples/mnist_mlp.mlir --print-parameters | FileCheck %s --check-prefix=PARAMETERS
// RUN: blocks-opt %source/docs/examples/mnist_mlp.mlir --print-roles="where='role:output brick:/mlp/rectifier_*'" | FileCheck %s --check-prefix=ROLES
// RUN: blocks-opt %source/docs/examples/mnist_mlp.mlir -blocks-expand-bricks -blocks-inline-applications -blocks-derive-entries \
// RUN:   -blocks-dropout="p=0.5 where='role:output brick:/mlp/rectifier_*'" -verify-annotations | FileCheck %s --check-prefix=DROPOUT
// PARAMETERS: /mlp/linear_0.W 784x500 f32 [weight]
// PARAMETERS: /mlp/linear_2.b 10 f32 [bias]
// PARAMETERS: 648010 elements
// ROLES: @cost
// ROLES-NEXT: /mlp/rectifier_0.apply.output [output] tensor<?x500xf32>
// ROLES-NEXT: /mlp/rectifier_1.apply.output [output] tensor<?x500xf32>
// ROLES-NEXT: @predict
// DROPOUT: blocks.graph @train
// DROPOUT-COUNT-2: blocks.random uniform
// DROPOUT: blocks.graph @eval
// DROPOUT-NOT: blocks.random
