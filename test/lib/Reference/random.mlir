// Random numbers are a function of seed, site, step, loop index and element:
// equal sites give equal numbers, other sites and other steps of a loop others.
// The first numbers were computed by test/golden/philox.py.
// RUN: blocks-interpret %s | FileCheck %s
// RUN: blocks-interpret %s --seed 7 | FileCheck %s --check-prefix=SEED

blocks.brick @algorithm {
  blocks.parameter @seed : tensor<i64> roles [algorithm_state] init #blocks.constant<3.0>
  blocks.parameter @step : tensor<i64> roles [algorithm_state] init #blocks.constant<5.0>
}

blocks.graph @sites() {
  %like = arith.constant dense<0.0> : tensor<6xf32>
  %a = blocks.random uniform like %like site 11 : tensor<6xf32> to tensor<6xf32>
  %b = blocks.random uniform like %like site 11 : tensor<6xf32> to tensor<6xf32>
  %c = blocks.random uniform like %like site 12 : tensor<6xf32> to tensor<6xf32>
  %n = blocks.random normal like %like site 11 : tensor<6xf32> to tensor<6xf64>
  "check.close"(%a, %b) : (tensor<6xf32>, tensor<6xf32>) -> ()
  "check.close"(%n) {expected = dense<[-0.05178348379289616, -1.0645264199095874, -0.8320372960318595, 1.0443802953818633, -1.268739284867738, 0.401067725448876]> : tensor<6xf64>, tolerance = 1.0e-14} : (tensor<6xf64>) -> ()
  blocks.output %a "a" : tensor<6xf32>
  blocks.output %c "c" : tensor<6xf32>
}
// CHECK: @sites a = 6xf32 [0.47935057, 0.14354509, 0.20269394, 0.8518452, 0.10226703, 0.6558148]
// CHECK: @sites c = 6xf32 [0.454908, 0.70366687, 0.5097827, 0.8822546, 0.28442878, 0.041519582]

blocks.graph @loop() {
  %xs = arith.constant dense<0.0> : tensor<2x3xf32>
  %r = blocks.scan sequences(%xs) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
  ^bb0(%t: index, %x: tensor<3xf32>):
    %u = blocks.random uniform like %x site 11 index %t : tensor<3xf32> to tensor<3xf32>
    blocks.yield outputs(%u : tensor<3xf32>)
  }
  blocks.output %r "r" : tensor<2x3xf32>
}
// CHECK: @loop r = 2x3xf32 {{\[\[}}0.47935057, 0.14354509, 0.20269394], [0.7621253, 0.16904896, 0.4431464]]
// The state's seed counts, not the tool's.
// SEED: @sites a = 6xf32 [0.47935057, 0.14354509, 0.20269394, 0.8518452, 0.10226703, 0.6558148]
