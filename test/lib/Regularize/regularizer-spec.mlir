// The command line's form of the regularizers, and its mistakes.
// RUN: blocks-opt %s --blocks-compile="stop-after=regularize regularize='weight_noise(std=0.1), dropout(p=0.5, where=\"role:output brick:/tanh\")'" | FileCheck %s
// RUN: not blocks-opt %s --blocks-compile="stop-after=regularize regularize='dropuot(p=0.5)'" 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: there is no regularizer 'dropuot'; did you mean 'dropout'?
// RUN: not blocks-opt %s --blocks-compile="stop-after=regularize regularize='dropout(q=0.5)'" 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: regularizer 'dropout' has no option 'q'; did you mean 'p'
// RUN: not blocks-opt %s --blocks-compile="stop-after=regularize regularize='dropout(p=0.5)'" 2>&1 | FileCheck %s --check-prefix=WHERE
// WHERE: dropout needs where="…", a filter of the values
// RUN: not blocks-opt %s --blocks-compile="stop-after=regularize regularize='dropout(p=2, where=\"role:output\")'" 2>&1 | FileCheck %s --check-prefix=P
// P: dropout's p is the probability of setting an element to 0, from 0 to below 1; found 2
// RUN: not blocks-opt %s --blocks-compile="stop-after=regularize regularize='dropout(where=\"role:out\")'" 2>&1 | FileCheck %s --check-prefix=FILTER
// FILTER: filter 'role:out', column 6: there is no role 'out'; did you mean 'output'
// RUN: not blocks-opt %s --blocks-compile="stop-after=regularize regularize='penalty()'" 2>&1 | FileCheck %s --check-prefix=PENALTY
// PENALTY: penalty needs l1 or l2, such as penalty(l2=0.0005)
// RUN: not blocks-opt %s --blocks-compile="stop-after=regularize regularize='penalty(l1=-1)'" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: penalty's l1 and l2 must not be negative

// In the order of the text: the noise first.
// CHECK-LABEL: blocks.graph @train
// CHECK: blocks.random normal like
// CHECK: blocks.random uniform like
// CHECK: blocks.graph @eval
// CHECK-NOT: blocks.random
blocks.brick @linear = "Linear" {input_dim = 4, output_dim = 3}
blocks.brick @tanh = "Tanh" {}
blocks.graph @g(%x: tensor<?x4xf32> {blocks.source = "x"}) {
  %0 = blocks.apply @linear::@apply(%x) : (tensor<?x4xf32>) -> tensor<?x3xf32>
  %1 = blocks.apply @tanh::@apply(%0) : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %c = blocks.reduce sum %1 dims [0, 1] : tensor<?x3xf32> to tensor<f32>
  blocks.output %c "cost" roles [cost] : tensor<f32>
}
