// Rules on some parameters only (Blocks' Restrict), and rules that look at the
// parameter: its length along an axis, its step's NaN.
// RUN: blocks-interpret %s --passes="blocks-step-rules{rule='variable_clipping(threshold=10, axis=\"1\", where=\"name:t\")'}" | FileCheck %s --check-prefix=CLIP
// RUN: blocks-interpret %s --passes='blocks-step-rules{rule="remove_not_finite()"}' | FileCheck %s --check-prefix=FINITE
// RUN: blocks-interpret %s --passes='blocks-step-rules{rule="remove_not_finite(scaler=0.5)"}' | FileCheck %s --check-prefix=HALF
// RUN: blocks-interpret %s --passes="blocks-step-rules{rule='scale(learning_rate=0.5, where=\"role:bias\"), scale(learning_rate=2, where=\"role:weight\")'}" | FileCheck %s --check-prefix=BOTH
// RUN: not blocks-opt %s --blocks-step-rules="rule='scale(where=\"name:u\")'" 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not blocks-opt %s --blocks-step-rules="rule='variable_clipping(threshold=10, axis=\"1\")'" 2>&1 | FileCheck %s --check-prefix=AXIS

// Blocks' own numbers: row 0 of [[1, -1, 1, -1], [-1, 1, -1, 1]] minus the step
// has length 6.2 and stays, row 1 has 13.2: its step becomes
// [3.54858826, 4.79049022, 5.06478435, 6.30668631].
// CLIP-DAG: new /m.t = 2x4xf32 {{\[}}[0, -3, -2, -5], [-4.5485{{[0-9]*}}, -3.790{{[0-9]*}}, -6.06478{{[0-9]*}}, -5.30668{{[0-9]*}}]]
// CLIP-DAG: new /m.b = 2xf32 [-3, -4]

// The step of n has a NaN in it, that of i an infinity; b's elements are finite,
// though their sum would not be.
// FINITE-DAG: new /m.n = 2xf32 [5, 6]
// FINITE-DAG: new /m.i = 2xf32 [5, 6]
// FINITE-DAG: new /m.l = 2xf32 [-3e+38, -3e+38]
// HALF-DAG: new /m.n = 2xf32 [2.5, 3]
// HALF-DAG: new /m.b = 2xf32 [-3, -4]

// BOTH-DAG: new /m.b = 2xf32 [-1.5, -2]
// BOTH-DAG: new /m.t = 2x4xf32 {{\[}}[-1, -5, -5, -9], [-11, -11, -15, -15]]
// BOTH-DAG: new /m.l = 2xf32 [-3e+38, -3e+38]

// NOTHING: filter 'name:u' of the step rule scale names none of the parameters; there are /m.t, /m.b, /m.n, /m.i, /m.l
// AXIS: parameter /m.b has no axis 1 for the step rule variable_clipping; choose others by its options 'axis' and 'where'
blocks.brick @m {
  blocks.parameter @t : tensor<2x4xf32> roles [weight] init #blocks.constant_array<dense<[[1.0, -1.0, 1.0, -1.0], [-1.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf64>>
  blocks.parameter @b : tensor<2xf32> roles [bias] init #blocks.constant<0.0>
  blocks.parameter @n : tensor<2xf32> roles [parameter] init #blocks.constant_array<dense<[5.0, 6.0]> : tensor<2xf64>>
  blocks.parameter @i : tensor<2xf32> roles [parameter] init #blocks.constant_array<dense<[5.0, 6.0]> : tensor<2xf64>>
  blocks.parameter @l : tensor<2xf32> roles [parameter] init #blocks.constant<0.0>
}
blocks.graph @train() attributes {variant = "train"} {
  %t = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %b = arith.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %n = arith.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  %i = arith.constant dense<[0x7F800000, 1.0]> : tensor<2xf32>
  %l = arith.constant dense<3.0e38> : tensor<2xf32>
  blocks.step @m::@t, %t : tensor<2x4xf32>
  blocks.step @m::@b, %b : tensor<2xf32>
  blocks.step @m::@n, %n : tensor<2xf32>
  blocks.step @m::@i, %i : tensor<2xf32>
  blocks.step @m::@l, %l : tensor<2xf32>
}
