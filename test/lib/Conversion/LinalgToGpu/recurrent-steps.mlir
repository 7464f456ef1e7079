// A step of an LSTM is one product and one kernel, forward and backward; what
// its inputs add to the gates is where the product adds to it.
// RUN: blocks-opt %source/test/golden/Inputs/lstm_lm.mlir --blocks-compile="device=cuda stop-after=dispatch step-rule='step_clipping(threshold=1.0),adam(learning_rate=0.001)'" | FileCheck %s

// CHECK-LABEL: func.func @train
// The first layer: nothing else in the loop.
// CHECK: scf.for
// CHECK-NOT: @blocks_rt
// CHECK: func.call @blocks_rt_device_gemm_f32(
// CHECK-NOT: @blocks_rt
// CHECK: func.call @blocks_rt_launch(
// CHECK-NOT: @blocks_rt
// CHECK: {{^    }$}}
// The second layer.
// CHECK: scf.for
// CHECK-NOT: @blocks_rt
// CHECK: func.call @blocks_rt_device_gemm_f32(
// CHECK-NOT: @blocks_rt
// CHECK: func.call @blocks_rt_launch(
// CHECK-NOT: @blocks_rt
// CHECK: {{^    }$}}
// Backwards: the cell, and the gradient of the state.
// CHECK: scf.for
// CHECK-NOT: @blocks_rt
// CHECK: func.call @blocks_rt_launch(
// CHECK-NOT: @blocks_rt
// CHECK: func.call @blocks_rt_device_gemm_f32(
// CHECK-NOT: @blocks_rt
// CHECK: {{^    }$}}
// CHECK: scf.for
// CHECK-NOT: @blocks_rt
// CHECK: func.call @blocks_rt_launch(
// CHECK-NOT: @blocks_rt
// CHECK: func.call @blocks_rt_device_gemm_f32(
// CHECK-NOT: @blocks_rt
// CHECK: {{^    }$}}
// All updates are the last launch.
// CHECK: %[[BLOCKS:.*]] = arith.constant 18174 : index
// CHECK: call @blocks_rt_launch(%arg0, %{{.*}}, %[[BLOCKS]],
// CHECK-NEXT: return
