// In training the batch's statistics take the population's place, which is
// updated; evaluation uses the population's and changes nothing.
// RUN: blocks-opt %s -blocks-expand-bricks -blocks-inline-applications "-blocks-derive-entries=cost=cost" -blocks-batch-normalize -verify-annotations | FileCheck %s
// RUN: blocks-opt %s --blocks-compile="stop-after=materialize-state step-rule=scale(learning_rate=1.0)" | FileCheck %s --check-prefix=STATE

blocks.brick @bn = "BatchNormalization" {input_dim = 3, update_rate = 0.25, learn_scale = false}
blocks.graph @cost(%x: tensor<?x3xf32> {blocks.source = "x"}) {
  %0 = blocks.apply @bn::@apply(%x) : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %1 = arith.mulf %0, %0 : tensor<?x3xf32>
  %cost = blocks.reduce sum %1 dims [0, 1] : tensor<?x3xf32> to tensor<f32>
  blocks.output %cost "cost" roles [cost] : tensor<f32>
}

// CHECK: blocks.brick @bn
// CHECK: blocks.parameter @batch_norm_shift : tensor<3xf32> roles [batch_norm_shift_parameter]
// CHECK: blocks.parameter @population_mean : tensor<3xf32> roles [batch_norm_population_mean]
// CHECK: blocks.parameter @population_stdev : tensor<3xf32> roles [batch_norm_population_stdev] init #blocks.constant<1.0

// CHECK: blocks.graph @train
// CHECK: %[[ESTIMATE:.*]] = blocks.tag %{{.*}} "mean"{{.*}}batch_norm_minibatch_estimate
// CHECK: blocks.tag %[[ESTIMATE]]{{.*}}"offset"{{.*}}batch_norm_offset
// CHECK-DAG: arith.constant dense<2.5{{0+e-01}}>
// CHECK-DAG: blocks.assign @bn::@population_mean
// CHECK-DAG: blocks.assign @bn::@population_stdev

// CHECK: blocks.graph @eval
// CHECK: blocks.get @bn::@population_mean
// CHECK-NOT: blocks.assign

// STATE: func.func @train({{.*}}) -> (tensor<3xf32> {blocks.state = "/bn.batch_norm_shift"}, tensor<3xf32> {blocks.state = "/bn.population_mean"}, tensor<3xf32> {blocks.state = "/bn.population_stdev"}
