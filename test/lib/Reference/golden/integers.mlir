// Integer arithmetic wraps to its width.
// Written by test/golden/reference_ops.py.
// RUN: blocks-interpret --quiet %s

blocks.graph @addi() {
  %c0 = arith.constant dense<[7, -7, 100, -128, 127]> : tensor<5xi8>
  %c1 = arith.constant dense<[2, 2, 100, -1, 1]> : tensor<5xi8>
  %y0 = arith.addi %c0, %c1 : tensor<5xi8>
  "check.close"(%y0) {expected = dense<[9, -5, -56, 127, -128]> : tensor<5xi8>, tolerance = 0.0} : (tensor<5xi8>) -> ()
}

blocks.graph @subi() {
  %c0 = arith.constant dense<[7, -7, 100, -128, 127]> : tensor<5xi8>
  %c1 = arith.constant dense<[2, 2, 100, -1, 1]> : tensor<5xi8>
  %y0 = arith.subi %c0, %c1 : tensor<5xi8>
  "check.close"(%y0) {expected = dense<[5, -9, 0, -127, 126]> : tensor<5xi8>, tolerance = 0.0} : (tensor<5xi8>) -> ()
}

blocks.graph @muli() {
  %c0 = arith.constant dense<[7, -7, 100, -128, 127]> : tensor<5xi8>
  %c1 = arith.constant dense<[2, 2, 100, -1, 1]> : tensor<5xi8>
  %y0 = arith.muli %c0, %c1 : tensor<5xi8>
  "check.close"(%y0) {expected = dense<[14, -14, 16, -128, 127]> : tensor<5xi8>, tolerance = 0.0} : (tensor<5xi8>) -> ()
}

blocks.graph @divsi() {
  %c0 = arith.constant dense<[7, -7, 100, -128, 127]> : tensor<5xi8>
  %c1 = arith.constant dense<[2, 2, 100, -1, 1]> : tensor<5xi8>
  %y0 = arith.divsi %c0, %c1 : tensor<5xi8>
  "check.close"(%y0) {expected = dense<[3, -3, 1, -128, 127]> : tensor<5xi8>, tolerance = 0.0} : (tensor<5xi8>) -> ()
}

blocks.graph @remsi() {
  %c0 = arith.constant dense<[7, -7, 100, -128, 127]> : tensor<5xi8>
  %c1 = arith.constant dense<[2, 2, 100, -1, 1]> : tensor<5xi8>
  %y0 = arith.remsi %c0, %c1 : tensor<5xi8>
  "check.close"(%y0) {expected = dense<[1, -1, 0, 0, 0]> : tensor<5xi8>, tolerance = 0.0} : (tensor<5xi8>) -> ()
}

blocks.graph @maxsi() {
  %c0 = arith.constant dense<[7, -7, 100, -128, 127]> : tensor<5xi8>
  %c1 = arith.constant dense<[2, 2, 100, -1, 1]> : tensor<5xi8>
  %y0 = arith.maxsi %c0, %c1 : tensor<5xi8>
  "check.close"(%y0) {expected = dense<[7, 2, 100, -1, 127]> : tensor<5xi8>, tolerance = 0.0} : (tensor<5xi8>) -> ()
}

blocks.graph @minui() {
  %c0 = arith.constant dense<[7, -7, 100, -128, 127]> : tensor<5xi8>
  %c1 = arith.constant dense<[2, 2, 100, -1, 1]> : tensor<5xi8>
  %y0 = arith.minui %c0, %c1 : tensor<5xi8>
  "check.close"(%y0) {expected = dense<[2, 2, 100, -128, 1]> : tensor<5xi8>, tolerance = 0.0} : (tensor<5xi8>) -> ()
}

blocks.graph @andi() {
  %c0 = arith.constant dense<[7, -7, 100, -128, 127]> : tensor<5xi8>
  %c1 = arith.constant dense<[2, 2, 100, -1, 1]> : tensor<5xi8>
  %y0 = arith.andi %c0, %c1 : tensor<5xi8>
  "check.close"(%y0) {expected = dense<[2, 0, 100, -128, 1]> : tensor<5xi8>, tolerance = 0.0} : (tensor<5xi8>) -> ()
}

blocks.graph @xori() {
  %c0 = arith.constant dense<[7, -7, 100, -128, 127]> : tensor<5xi8>
  %c1 = arith.constant dense<[2, 2, 100, -1, 1]> : tensor<5xi8>
  %y0 = arith.xori %c0, %c1 : tensor<5xi8>
  "check.close"(%y0) {expected = dense<[5, -5, 0, 127, 126]> : tensor<5xi8>, tolerance = 0.0} : (tensor<5xi8>) -> ()
}

blocks.graph @cmpi_slt() {
  %c0 = arith.constant dense<[7, -7, 100, -128, 127]> : tensor<5xi8>
  %c1 = arith.constant dense<[2, 2, 100, -1, 1]> : tensor<5xi8>
  %y0 = arith.cmpi slt, %c0, %c1 : tensor<5xi8>
  "check.close"(%y0) {expected = dense<[false, true, false, true, false]> : tensor<5xi1>, tolerance = 0.0} : (tensor<5xi1>) -> ()
}

blocks.graph @cmpi_ult() {
  %c0 = arith.constant dense<[7, -7, 100, -128, 127]> : tensor<5xi8>
  %c1 = arith.constant dense<[2, 2, 100, -1, 1]> : tensor<5xi8>
  %y0 = arith.cmpi ult, %c0, %c1 : tensor<5xi8>
  "check.close"(%y0) {expected = dense<[false, false, false, true, false]> : tensor<5xi1>, tolerance = 0.0} : (tensor<5xi1>) -> ()
}

blocks.graph @extsi() {
  %c0 = arith.constant dense<[7, -7, 100, -128, 127]> : tensor<5xi8>
  %y0 = arith.extsi %c0 : tensor<5xi8> to tensor<5xi32>
  "check.close"(%y0) {expected = dense<[7, -7, 100, -128, 127]> : tensor<5xi32>, tolerance = 0.0} : (tensor<5xi32>) -> ()
}

blocks.graph @extui() {
  %c0 = arith.constant dense<[7, -7, 100, -128, 127]> : tensor<5xi8>
  %y0 = arith.extui %c0 : tensor<5xi8> to tensor<5xi32>
  "check.close"(%y0) {expected = dense<[7, 249, 100, 128, 127]> : tensor<5xi32>, tolerance = 0.0} : (tensor<5xi32>) -> ()
}

blocks.graph @trunci() {
  %c0 = arith.constant dense<[300, -300]> : tensor<2xi32>
  %y0 = arith.trunci %c0 : tensor<2xi32> to tensor<2xi8>
  "check.close"(%y0) {expected = dense<[44, -44]> : tensor<2xi8>, tolerance = 0.0} : (tensor<2xi8>) -> ()
}

blocks.graph @sitofp() {
  %c0 = arith.constant dense<[7, -7, 100, -128, 127]> : tensor<5xi8>
  %y0 = arith.sitofp %c0 : tensor<5xi8> to tensor<5xf32>
  "check.close"(%y0) {expected = dense<[7.0, -7.0, 100.0, -128.0, 127.0]> : tensor<5xf64>, tolerance = 1.0e-06} : (tensor<5xf32>) -> ()
}

blocks.graph @uitofp() {
  %c0 = arith.constant dense<[7, -7, 100, -128, 127]> : tensor<5xi8>
  %y0 = arith.uitofp %c0 : tensor<5xi8> to tensor<5xf32>
  "check.close"(%y0) {expected = dense<[7.0, 249.0, 100.0, 128.0, 127.0]> : tensor<5xf64>, tolerance = 1.0e-06} : (tensor<5xf32>) -> ()
}

blocks.graph @fptosi() {
  %c0 = arith.constant dense<[1.9, -1.9]> : tensor<2xf64>
  %y0 = arith.fptosi %c0 : tensor<2xf64> to tensor<2xi32>
  "check.close"(%y0) {expected = dense<[1, -1]> : tensor<2xi32>, tolerance = 0.0} : (tensor<2xi32>) -> ()
}
