// Numbers of Blocks' own tests: the cost Σa² with a = (3, 4) has gradient (6, 8).
// RUN: blocks-opt %s --blocks-step-rules='rule="scale(learning_rate=0.5)"' | FileCheck %s --check-prefix=SCALE
// RUN: blocks-interpret %s --passes='blocks-step-rules{rule="scale(learning_rate=0.5)"}' | FileCheck %s --check-prefix=SCALE-VALUE
// RUN: blocks-interpret %s --passes='blocks-step-rules{rule="sgd(learning_rate=0.5)"}' | FileCheck %s --check-prefix=SCALE-VALUE
// RUN: blocks-interpret %s --passes='blocks-step-rules{rule="basic_momentum(momentum=0.5)"}' | FileCheck %s --check-prefix=MOMENTUM
// RUN: blocks-interpret %s --passes='blocks-step-rules{rule="step_clipping(threshold=5)"}' | FileCheck %s --check-prefix=CLIP
// RUN: blocks-interpret %s --passes='blocks-step-rules{rule="step_clipping(threshold=20)"}' | FileCheck %s --check-prefix=FREE
// RUN: blocks-interpret %s --passes='blocks-step-rules{rule="step_clipping()"}' | FileCheck %s --check-prefix=FREE
// RUN: blocks-interpret %s --passes='blocks-step-rules{rule="adam()"}' | FileCheck %s --check-prefix=ADAM
// RUN: blocks-opt %s --blocks-step-rules='rule="scale(learning_rate=0.1), momentum(learning_rate=0.5, momentum=0.9), momentum"' | FileCheck %s --check-prefix=COMPOSED

blocks.brick @m {
  blocks.parameter @a : tensor<2xf32> roles [parameter] init #blocks.constant<0.0>
  blocks.parameter @z : tensor<2xf32> roles [parameter] init #blocks.constant<0.0>
}
blocks.graph @train() attributes {variant = "train"} {
  %g = arith.constant dense<[6.0, 8.0]> : tensor<2xf32>
  %z = arith.constant dense<0.0> : tensor<2xf32>
  blocks.step @m::@a, %g : tensor<2xf32>
  blocks.step @m::@z, %z : tensor<2xf32>
}

// SCALE-LABEL: blocks.graph @train
// SCALE: %[[A:.*]] = blocks.get @m::@a
// SCALE: %[[LR:.*]] = blocks.get @algorithm::@learning_rate : tensor<f32>
// SCALE: %[[SPREAD:.*]] = blocks.broadcast %[[LR]]
// SCALE: %[[STEP:.*]] = arith.mulf %[[SPREAD]], %{{.*}} : tensor<2xf32>
// SCALE: %[[NEW:.*]] = arith.subf %[[A]], %[[STEP]]
// SCALE: blocks.assign @m::@a, %[[NEW]]
// SCALE-NOT: blocks.step
// SCALE: blocks.parameter @learning_rate : tensor<f32> roles [algorithm_hyperparameter] init #blocks.constant<5.000000e-01>

// SCALE-VALUE-DAG: new /m.a = 2xf32 [-3, -4]
// MOMENTUM-DAG: new /m.a = 2xf32 [-6, -8]
// MOMENTUM-DAG: new /algorithm/m/a.velocity = 2xf32 [6, 8]
// CLIP-DAG: new /m.a = 2xf32 [-3, -4]
// CLIP-DAG: new /m.z = 2xf32 [0, 0]
// FREE-DAG: new /m.a = 2xf32 [-6, -8]
// ADAM-DAG: new /m.a = 2xf32 [-0.0019999{{.*}}, -0.0019999
// ADAM-DAG: new /m.z = 2xf32 [0, 0]
// ADAM-DAG: new /algorithm.beta1_power = f64 0.9
// ADAM-DAG: new /algorithm.beta2_power = f64 0.999

// Two rules have a learning rate, two are of one kind.
// COMPOSED: blocks.brick @algorithm
// COMPOSED: blocks.brick @scale
// COMPOSED-NEXT: blocks.parameter @learning_rate : {{.*}}constant<1.000000e-01>
// COMPOSED: blocks.brick @momentum {
// COMPOSED-NEXT: blocks.parameter @learning_rate : {{.*}}constant<5.000000e-01>
// COMPOSED-NEXT: blocks.parameter @momentum : {{.*}}constant<9.000000e-01>
// COMPOSED: blocks.brick @m {
// COMPOSED: blocks.brick @a {
// COMPOSED-NEXT: blocks.parameter @velocity : tensor<2xf32> roles [algorithm_buffer] init #blocks.constant<0.000000e+00> for @m::@a
// COMPOSED-NEXT: blocks.parameter @velocity_1
// COMPOSED: blocks.brick @momentum_1
