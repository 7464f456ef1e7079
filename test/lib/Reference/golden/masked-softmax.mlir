// The masked softmax: masked positions are 0 whatever they hold, a row without positions is zeros.
// Written by test/golden/reference_ops.py.
// RUN: blocks-interpret --quiet %s

blocks.graph @plain_f64() {
  %c0 = arith.constant dense<[[0.703125, -1.828125, -0.625], [0.578125, -0.859375, 1.796875], [-1.375, -0.453125, 0.359375], [-0.046875, -1.296875, -1.125]]> : tensor<4x3xf64>
  %c1 = arith.constant dense<[[true, false, true], [false, false, false], [false, true, false], [true, true, true]]> : tensor<4x3xi1>
  %y0 = blocks.softmax %c0 masked %c1 : tensor<4x3xf64>, tensor<4x3xi1>
  "check.close"(%y0) {expected = dense<[[0.7905303186696747, 0.0, 0.20946968133032523], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.6147272690043544, 0.176122311330512, 0.20915041966513354]]> : tensor<4x3xf64>, tolerance = 1.0e-13} : (tensor<4x3xf64>) -> ()
}

blocks.graph @huge_f64() {
  %c0 = arith.constant dense<[[0.703125, 1.0e+30, -0.625], [1.0e+30, 1.0e+30, 1.0e+30], [1.0e+30, -0.453125, 1.0e+30], [-0.046875, -1.296875, -1.125]]> : tensor<4x3xf64>
  %c1 = arith.constant dense<[[true, false, true], [false, false, false], [false, true, false], [true, true, true]]> : tensor<4x3xi1>
  %y0 = blocks.softmax %c0 masked %c1 : tensor<4x3xf64>, tensor<4x3xi1>
  "check.close"(%y0) {expected = dense<[[0.7905303186696747, 0.0, 0.20946968133032523], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.6147272690043544, 0.176122311330512, 0.20915041966513354]]> : tensor<4x3xf64>, tolerance = 1.0e-13} : (tensor<4x3xf64>) -> ()
}

blocks.graph @infinite_f64() {
  %c0 = arith.constant dense<[[0.703125, 0x7FF0000000000000, -0.625], [0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000], [0x7FF0000000000000, -0.453125, 0x7FF0000000000000], [-0.046875, -1.296875, -1.125]]> : tensor<4x3xf64>
  %c1 = arith.constant dense<[[true, false, true], [false, false, false], [false, true, false], [true, true, true]]> : tensor<4x3xi1>
  %y0 = blocks.softmax %c0 masked %c1 : tensor<4x3xf64>, tensor<4x3xi1>
  "check.close"(%y0) {expected = dense<[[0.7905303186696747, 0.0, 0.20946968133032523], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.6147272690043544, 0.176122311330512, 0.20915041966513354]]> : tensor<4x3xf64>, tolerance = 1.0e-13} : (tensor<4x3xf64>) -> ()
}

blocks.graph @nan_f64() {
  %c0 = arith.constant dense<[[0.703125, 0x7FF8000000000000, -0.625], [0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000], [0x7FF8000000000000, -0.453125, 0x7FF8000000000000], [-0.046875, -1.296875, -1.125]]> : tensor<4x3xf64>
  %c1 = arith.constant dense<[[true, false, true], [false, false, false], [false, true, false], [true, true, true]]> : tensor<4x3xi1>
  %y0 = blocks.softmax %c0 masked %c1 : tensor<4x3xf64>, tensor<4x3xi1>
  "check.close"(%y0) {expected = dense<[[0.7905303186696747, 0.0, 0.20946968133032523], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.6147272690043544, 0.176122311330512, 0.20915041966513354]]> : tensor<4x3xf64>, tolerance = 1.0e-13} : (tensor<4x3xf64>) -> ()
}

blocks.graph @plain_f32() {
  %c0 = arith.constant dense<[[0.703125, -1.828125, -0.625], [0.578125, -0.859375, 1.796875], [-1.375, -0.453125, 0.359375], [-0.046875, -1.296875, -1.125]]> : tensor<4x3xf32>
  %c1 = arith.constant dense<[[true, false, true], [false, false, false], [false, true, false], [true, true, true]]> : tensor<4x3xi1>
  %y0 = blocks.softmax %c0 masked %c1 : tensor<4x3xf32>, tensor<4x3xi1>
  "check.close"(%y0) {expected = dense<[[0.7905303239822388, 0.0, 0.20946967601776123], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.614727258682251, 0.17612230777740479, 0.20915041863918304]]> : tensor<4x3xf64>, tolerance = 1.0e-06} : (tensor<4x3xf32>) -> ()
}

blocks.graph @huge_f32() {
  %c0 = arith.constant dense<[[0.703125, 1.0000000150474662e+30, -0.625], [1.0000000150474662e+30, 1.0000000150474662e+30, 1.0000000150474662e+30], [1.0000000150474662e+30, -0.453125, 1.0000000150474662e+30], [-0.046875, -1.296875, -1.125]]> : tensor<4x3xf32>
  %c1 = arith.constant dense<[[true, false, true], [false, false, false], [false, true, false], [true, true, true]]> : tensor<4x3xi1>
  %y0 = blocks.softmax %c0 masked %c1 : tensor<4x3xf32>, tensor<4x3xi1>
  "check.close"(%y0) {expected = dense<[[0.7905303239822388, 0.0, 0.20946967601776123], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.614727258682251, 0.17612230777740479, 0.20915041863918304]]> : tensor<4x3xf64>, tolerance = 1.0e-06} : (tensor<4x3xf32>) -> ()
}
