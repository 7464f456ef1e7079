// blocks.cast between all element types; signedness is in the types.
// Written by test/golden/reference_ops.py.
// RUN: blocks-interpret --quiet %s

blocks.graph @i8_to_f32() {
  %c0 = arith.constant dense<[-128, 0, 1, 100, 127]> : tensor<5xi8>
  %y0 = blocks.cast %c0 : tensor<5xi8> to tensor<5xf32>
  "check.close"(%y0) {expected = dense<[-128.0, 0.0, 1.0, 100.0, 127.0]> : tensor<5xf64>, tolerance = 0.0} : (tensor<5xf32>) -> ()
}

blocks.graph @i8_to_f64() {
  %c0 = arith.constant dense<[-128, 0, 1, 100, 127]> : tensor<5xi8>
  %y0 = blocks.cast %c0 : tensor<5xi8> to tensor<5xf64>
  "check.close"(%y0) {expected = dense<[-128.0, 0.0, 1.0, 100.0, 127.0]> : tensor<5xf64>, tolerance = 0.0} : (tensor<5xf64>) -> ()
}

blocks.graph @f64_to_i8() {
  %c0 = arith.constant dense<[-3.9, 0.0, 1.5, 100.99]> : tensor<4xf64>
  %y0 = blocks.cast %c0 : tensor<4xf64> to tensor<4xi8>
  "check.close"(%y0) {expected = dense<[-3, 0, 1, 100]> : tensor<4xi8>, tolerance = 0.0} : (tensor<4xi8>) -> ()
}

blocks.graph @i8_to_i16() {
  %c0 = arith.constant dense<[-128, 0, 1, 100, 127]> : tensor<5xi8>
  %y0 = blocks.cast %c0 : tensor<5xi8> to tensor<5xi16>
  "check.close"(%y0) {expected = dense<[-128, 0, 1, 100, 127]> : tensor<5xi16>, tolerance = 0.0} : (tensor<5xi16>) -> ()
}

blocks.graph @i8_to_i32() {
  %c0 = arith.constant dense<[-128, 0, 1, 100, 127]> : tensor<5xi8>
  %y0 = blocks.cast %c0 : tensor<5xi8> to tensor<5xi32>
  "check.close"(%y0) {expected = dense<[-128, 0, 1, 100, 127]> : tensor<5xi32>, tolerance = 0.0} : (tensor<5xi32>) -> ()
}

blocks.graph @i8_to_i64() {
  %c0 = arith.constant dense<[-128, 0, 1, 100, 127]> : tensor<5xi8>
  %y0 = blocks.cast %c0 : tensor<5xi8> to tensor<5xi64>
  "check.close"(%y0) {expected = dense<[-128, 0, 1, 100, 127]> : tensor<5xi64>, tolerance = 0.0} : (tensor<5xi64>) -> ()
}

blocks.graph @i8_to_ui8() {
  %c0 = arith.constant dense<[-128, 0, 1, 100, 127]> : tensor<5xi8>
  %y0 = blocks.cast %c0 : tensor<5xi8> to tensor<5xui8>
  "check.close"(%y0) {expected = dense<[128, 0, 1, 100, 127]> : tensor<5xui8>, tolerance = 0.0} : (tensor<5xui8>) -> ()
}

blocks.graph @i8_to_ui16() {
  %c0 = arith.constant dense<[-128, 0, 1, 100, 127]> : tensor<5xi8>
  %y0 = blocks.cast %c0 : tensor<5xi8> to tensor<5xui16>
  "check.close"(%y0) {expected = dense<[65408, 0, 1, 100, 127]> : tensor<5xui16>, tolerance = 0.0} : (tensor<5xui16>) -> ()
}

blocks.graph @i8_to_ui32() {
  %c0 = arith.constant dense<[-128, 0, 1, 100, 127]> : tensor<5xi8>
  %y0 = blocks.cast %c0 : tensor<5xi8> to tensor<5xui32>
  "check.close"(%y0) {expected = dense<[4294967168, 0, 1, 100, 127]> : tensor<5xui32>, tolerance = 0.0} : (tensor<5xui32>) -> ()
}

blocks.graph @i8_to_ui64() {
  %c0 = arith.constant dense<[-128, 0, 1, 100, 127]> : tensor<5xi8>
  %y0 = blocks.cast %c0 : tensor<5xi8> to tensor<5xui64>
  "check.close"(%y0) {expected = dense<[18446744073709551488, 0, 1, 100, 127]> : tensor<5xui64>, tolerance = 0.0} : (tensor<5xui64>) -> ()
}

blocks.graph @i8_to_i1() {
  %c0 = arith.constant dense<[-128, 0, 1, 100, 127]> : tensor<5xi8>
  %y0 = blocks.cast %c0 : tensor<5xi8> to tensor<5xi1>
  "check.close"(%y0) {expected = dense<[true, false, true, true, true]> : tensor<5xi1>, tolerance = 0.0} : (tensor<5xi1>) -> ()
}

blocks.graph @i1_to_i8() {
  %c0 = arith.constant dense<[true, false]> : tensor<2xi1>
  %y0 = blocks.cast %c0 : tensor<2xi1> to tensor<2xi8>
  "check.close"(%y0) {expected = dense<[1, 0]> : tensor<2xi8>, tolerance = 0.0} : (tensor<2xi8>) -> ()
}

blocks.graph @i16_to_f32() {
  %c0 = arith.constant dense<[-32768, 0, 1, 100, 32767]> : tensor<5xi16>
  %y0 = blocks.cast %c0 : tensor<5xi16> to tensor<5xf32>
  "check.close"(%y0) {expected = dense<[-32768.0, 0.0, 1.0, 100.0, 32767.0]> : tensor<5xf64>, tolerance = 0.0} : (tensor<5xf32>) -> ()
}

blocks.graph @i16_to_f64() {
  %c0 = arith.constant dense<[-32768, 0, 1, 100, 32767]> : tensor<5xi16>
  %y0 = blocks.cast %c0 : tensor<5xi16> to tensor<5xf64>
  "check.close"(%y0) {expected = dense<[-32768.0, 0.0, 1.0, 100.0, 32767.0]> : tensor<5xf64>, tolerance = 0.0} : (tensor<5xf64>) -> ()
}

blocks.graph @f64_to_i16() {
  %c0 = arith.constant dense<[-3.9, 0.0, 1.5, 100.99]> : tensor<4xf64>
  %y0 = blocks.cast %c0 : tensor<4xf64> to tensor<4xi16>
  "check.close"(%y0) {expected = dense<[-3, 0, 1, 100]> : tensor<4xi16>, tolerance = 0.0} : (tensor<4xi16>) -> ()
}

blocks.graph @i16_to_i8() {
  %c0 = arith.constant dense<[-32768, 0, 1, 100, 32767]> : tensor<5xi16>
  %y0 = blocks.cast %c0 : tensor<5xi16> to tensor<5xi8>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, -1]> : tensor<5xi8>, tolerance = 0.0} : (tensor<5xi8>) -> ()
}

blocks.graph @i16_to_i32() {
  %c0 = arith.constant dense<[-32768, 0, 1, 100, 32767]> : tensor<5xi16>
  %y0 = blocks.cast %c0 : tensor<5xi16> to tensor<5xi32>
  "check.close"(%y0) {expected = dense<[-32768, 0, 1, 100, 32767]> : tensor<5xi32>, tolerance = 0.0} : (tensor<5xi32>) -> ()
}

blocks.graph @i16_to_i64() {
  %c0 = arith.constant dense<[-32768, 0, 1, 100, 32767]> : tensor<5xi16>
  %y0 = blocks.cast %c0 : tensor<5xi16> to tensor<5xi64>
  "check.close"(%y0) {expected = dense<[-32768, 0, 1, 100, 32767]> : tensor<5xi64>, tolerance = 0.0} : (tensor<5xi64>) -> ()
}

blocks.graph @i16_to_ui8() {
  %c0 = arith.constant dense<[-32768, 0, 1, 100, 32767]> : tensor<5xi16>
  %y0 = blocks.cast %c0 : tensor<5xi16> to tensor<5xui8>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 255]> : tensor<5xui8>, tolerance = 0.0} : (tensor<5xui8>) -> ()
}

blocks.graph @i16_to_ui16() {
  %c0 = arith.constant dense<[-32768, 0, 1, 100, 32767]> : tensor<5xi16>
  %y0 = blocks.cast %c0 : tensor<5xi16> to tensor<5xui16>
  "check.close"(%y0) {expected = dense<[32768, 0, 1, 100, 32767]> : tensor<5xui16>, tolerance = 0.0} : (tensor<5xui16>) -> ()
}

blocks.graph @i16_to_ui32() {
  %c0 = arith.constant dense<[-32768, 0, 1, 100, 32767]> : tensor<5xi16>
  %y0 = blocks.cast %c0 : tensor<5xi16> to tensor<5xui32>
  "check.close"(%y0) {expected = dense<[4294934528, 0, 1, 100, 32767]> : tensor<5xui32>, tolerance = 0.0} : (tensor<5xui32>) -> ()
}

blocks.graph @i16_to_ui64() {
  %c0 = arith.constant dense<[-32768, 0, 1, 100, 32767]> : tensor<5xi16>
  %y0 = blocks.cast %c0 : tensor<5xi16> to tensor<5xui64>
  "check.close"(%y0) {expected = dense<[18446744073709518848, 0, 1, 100, 32767]> : tensor<5xui64>, tolerance = 0.0} : (tensor<5xui64>) -> ()
}

blocks.graph @i16_to_i1() {
  %c0 = arith.constant dense<[-32768, 0, 1, 100, 32767]> : tensor<5xi16>
  %y0 = blocks.cast %c0 : tensor<5xi16> to tensor<5xi1>
  "check.close"(%y0) {expected = dense<[true, false, true, true, true]> : tensor<5xi1>, tolerance = 0.0} : (tensor<5xi1>) -> ()
}

blocks.graph @i1_to_i16() {
  %c0 = arith.constant dense<[true, false]> : tensor<2xi1>
  %y0 = blocks.cast %c0 : tensor<2xi1> to tensor<2xi16>
  "check.close"(%y0) {expected = dense<[1, 0]> : tensor<2xi16>, tolerance = 0.0} : (tensor<2xi16>) -> ()
}

blocks.graph @i32_to_f32() {
  %c0 = arith.constant dense<[-2147483648, 0, 1, 100, 2147483647]> : tensor<5xi32>
  %y0 = blocks.cast %c0 : tensor<5xi32> to tensor<5xf32>
  "check.close"(%y0) {expected = dense<[-2147483648.0, 0.0, 1.0, 100.0, 2147483648.0]> : tensor<5xf64>, tolerance = 0.0} : (tensor<5xf32>) -> ()
}

blocks.graph @i32_to_f64() {
  %c0 = arith.constant dense<[-2147483648, 0, 1, 100, 2147483647]> : tensor<5xi32>
  %y0 = blocks.cast %c0 : tensor<5xi32> to tensor<5xf64>
  "check.close"(%y0) {expected = dense<[-2147483648.0, 0.0, 1.0, 100.0, 2147483647.0]> : tensor<5xf64>, tolerance = 0.0} : (tensor<5xf64>) -> ()
}

blocks.graph @f64_to_i32() {
  %c0 = arith.constant dense<[-3.9, 0.0, 1.5, 100.99]> : tensor<4xf64>
  %y0 = blocks.cast %c0 : tensor<4xf64> to tensor<4xi32>
  "check.close"(%y0) {expected = dense<[-3, 0, 1, 100]> : tensor<4xi32>, tolerance = 0.0} : (tensor<4xi32>) -> ()
}

blocks.graph @i32_to_i8() {
  %c0 = arith.constant dense<[-2147483648, 0, 1, 100, 2147483647]> : tensor<5xi32>
  %y0 = blocks.cast %c0 : tensor<5xi32> to tensor<5xi8>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, -1]> : tensor<5xi8>, tolerance = 0.0} : (tensor<5xi8>) -> ()
}

blocks.graph @i32_to_i16() {
  %c0 = arith.constant dense<[-2147483648, 0, 1, 100, 2147483647]> : tensor<5xi32>
  %y0 = blocks.cast %c0 : tensor<5xi32> to tensor<5xi16>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, -1]> : tensor<5xi16>, tolerance = 0.0} : (tensor<5xi16>) -> ()
}

blocks.graph @i32_to_i64() {
  %c0 = arith.constant dense<[-2147483648, 0, 1, 100, 2147483647]> : tensor<5xi32>
  %y0 = blocks.cast %c0 : tensor<5xi32> to tensor<5xi64>
  "check.close"(%y0) {expected = dense<[-2147483648, 0, 1, 100, 2147483647]> : tensor<5xi64>, tolerance = 0.0} : (tensor<5xi64>) -> ()
}

blocks.graph @i32_to_ui8() {
  %c0 = arith.constant dense<[-2147483648, 0, 1, 100, 2147483647]> : tensor<5xi32>
  %y0 = blocks.cast %c0 : tensor<5xi32> to tensor<5xui8>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 255]> : tensor<5xui8>, tolerance = 0.0} : (tensor<5xui8>) -> ()
}

blocks.graph @i32_to_ui16() {
  %c0 = arith.constant dense<[-2147483648, 0, 1, 100, 2147483647]> : tensor<5xi32>
  %y0 = blocks.cast %c0 : tensor<5xi32> to tensor<5xui16>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 65535]> : tensor<5xui16>, tolerance = 0.0} : (tensor<5xui16>) -> ()
}

blocks.graph @i32_to_ui32() {
  %c0 = arith.constant dense<[-2147483648, 0, 1, 100, 2147483647]> : tensor<5xi32>
  %y0 = blocks.cast %c0 : tensor<5xi32> to tensor<5xui32>
  "check.close"(%y0) {expected = dense<[2147483648, 0, 1, 100, 2147483647]> : tensor<5xui32>, tolerance = 0.0} : (tensor<5xui32>) -> ()
}

blocks.graph @i32_to_ui64() {
  %c0 = arith.constant dense<[-2147483648, 0, 1, 100, 2147483647]> : tensor<5xi32>
  %y0 = blocks.cast %c0 : tensor<5xi32> to tensor<5xui64>
  "check.close"(%y0) {expected = dense<[18446744071562067968, 0, 1, 100, 2147483647]> : tensor<5xui64>, tolerance = 0.0} : (tensor<5xui64>) -> ()
}

blocks.graph @i32_to_i1() {
  %c0 = arith.constant dense<[-2147483648, 0, 1, 100, 2147483647]> : tensor<5xi32>
  %y0 = blocks.cast %c0 : tensor<5xi32> to tensor<5xi1>
  "check.close"(%y0) {expected = dense<[true, false, true, true, true]> : tensor<5xi1>, tolerance = 0.0} : (tensor<5xi1>) -> ()
}

blocks.graph @i1_to_i32() {
  %c0 = arith.constant dense<[true, false]> : tensor<2xi1>
  %y0 = blocks.cast %c0 : tensor<2xi1> to tensor<2xi32>
  "check.close"(%y0) {expected = dense<[1, 0]> : tensor<2xi32>, tolerance = 0.0} : (tensor<2xi32>) -> ()
}

blocks.graph @i64_to_f32() {
  %c0 = arith.constant dense<[-9223372036854775808, 0, 1, 100, 9223372036854775807]> : tensor<5xi64>
  %y0 = blocks.cast %c0 : tensor<5xi64> to tensor<5xf32>
  "check.close"(%y0) {expected = dense<[-9.223372036854776e+18, 0.0, 1.0, 100.0, 9.223372036854776e+18]> : tensor<5xf64>, tolerance = 0.0} : (tensor<5xf32>) -> ()
}

blocks.graph @i64_to_f64() {
  %c0 = arith.constant dense<[-9223372036854775808, 0, 1, 100, 9223372036854775807]> : tensor<5xi64>
  %y0 = blocks.cast %c0 : tensor<5xi64> to tensor<5xf64>
  "check.close"(%y0) {expected = dense<[-9.223372036854776e+18, 0.0, 1.0, 100.0, 9.223372036854776e+18]> : tensor<5xf64>, tolerance = 0.0} : (tensor<5xf64>) -> ()
}

blocks.graph @f64_to_i64() {
  %c0 = arith.constant dense<[-3.9, 0.0, 1.5, 100.99]> : tensor<4xf64>
  %y0 = blocks.cast %c0 : tensor<4xf64> to tensor<4xi64>
  "check.close"(%y0) {expected = dense<[-3, 0, 1, 100]> : tensor<4xi64>, tolerance = 0.0} : (tensor<4xi64>) -> ()
}

blocks.graph @i64_to_i8() {
  %c0 = arith.constant dense<[-9223372036854775808, 0, 1, 100, 9223372036854775807]> : tensor<5xi64>
  %y0 = blocks.cast %c0 : tensor<5xi64> to tensor<5xi8>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, -1]> : tensor<5xi8>, tolerance = 0.0} : (tensor<5xi8>) -> ()
}

blocks.graph @i64_to_i16() {
  %c0 = arith.constant dense<[-9223372036854775808, 0, 1, 100, 9223372036854775807]> : tensor<5xi64>
  %y0 = blocks.cast %c0 : tensor<5xi64> to tensor<5xi16>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, -1]> : tensor<5xi16>, tolerance = 0.0} : (tensor<5xi16>) -> ()
}

blocks.graph @i64_to_i32() {
  %c0 = arith.constant dense<[-9223372036854775808, 0, 1, 100, 9223372036854775807]> : tensor<5xi64>
  %y0 = blocks.cast %c0 : tensor<5xi64> to tensor<5xi32>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, -1]> : tensor<5xi32>, tolerance = 0.0} : (tensor<5xi32>) -> ()
}

blocks.graph @i64_to_ui8() {
  %c0 = arith.constant dense<[-9223372036854775808, 0, 1, 100, 9223372036854775807]> : tensor<5xi64>
  %y0 = blocks.cast %c0 : tensor<5xi64> to tensor<5xui8>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 255]> : tensor<5xui8>, tolerance = 0.0} : (tensor<5xui8>) -> ()
}

blocks.graph @i64_to_ui16() {
  %c0 = arith.constant dense<[-9223372036854775808, 0, 1, 100, 9223372036854775807]> : tensor<5xi64>
  %y0 = blocks.cast %c0 : tensor<5xi64> to tensor<5xui16>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 65535]> : tensor<5xui16>, tolerance = 0.0} : (tensor<5xui16>) -> ()
}

blocks.graph @i64_to_ui32() {
  %c0 = arith.constant dense<[-9223372036854775808, 0, 1, 100, 9223372036854775807]> : tensor<5xi64>
  %y0 = blocks.cast %c0 : tensor<5xi64> to tensor<5xui32>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 4294967295]> : tensor<5xui32>, tolerance = 0.0} : (tensor<5xui32>) -> ()
}

blocks.graph @i64_to_ui64() {
  %c0 = arith.constant dense<[-9223372036854775808, 0, 1, 100, 9223372036854775807]> : tensor<5xi64>
  %y0 = blocks.cast %c0 : tensor<5xi64> to tensor<5xui64>
  "check.close"(%y0) {expected = dense<[9223372036854775808, 0, 1, 100, 9223372036854775807]> : tensor<5xui64>, tolerance = 0.0} : (tensor<5xui64>) -> ()
}

blocks.graph @i64_to_i1() {
  %c0 = arith.constant dense<[-9223372036854775808, 0, 1, 100, 9223372036854775807]> : tensor<5xi64>
  %y0 = blocks.cast %c0 : tensor<5xi64> to tensor<5xi1>
  "check.close"(%y0) {expected = dense<[true, false, true, true, true]> : tensor<5xi1>, tolerance = 0.0} : (tensor<5xi1>) -> ()
}

blocks.graph @i1_to_i64() {
  %c0 = arith.constant dense<[true, false]> : tensor<2xi1>
  %y0 = blocks.cast %c0 : tensor<2xi1> to tensor<2xi64>
  "check.close"(%y0) {expected = dense<[1, 0]> : tensor<2xi64>, tolerance = 0.0} : (tensor<2xi64>) -> ()
}

blocks.graph @ui8_to_f32() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 255]> : tensor<5xui8>
  %y0 = blocks.cast %c0 : tensor<5xui8> to tensor<5xf32>
  "check.close"(%y0) {expected = dense<[0.0, 0.0, 1.0, 100.0, 255.0]> : tensor<5xf64>, tolerance = 0.0} : (tensor<5xf32>) -> ()
}

blocks.graph @ui8_to_f64() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 255]> : tensor<5xui8>
  %y0 = blocks.cast %c0 : tensor<5xui8> to tensor<5xf64>
  "check.close"(%y0) {expected = dense<[0.0, 0.0, 1.0, 100.0, 255.0]> : tensor<5xf64>, tolerance = 0.0} : (tensor<5xf64>) -> ()
}

blocks.graph @f64_to_ui8() {
  %c0 = arith.constant dense<[0.0, 0.0, 1.5, 100.99]> : tensor<4xf64>
  %y0 = blocks.cast %c0 : tensor<4xf64> to tensor<4xui8>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100]> : tensor<4xui8>, tolerance = 0.0} : (tensor<4xui8>) -> ()
}

blocks.graph @ui8_to_i8() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 255]> : tensor<5xui8>
  %y0 = blocks.cast %c0 : tensor<5xui8> to tensor<5xi8>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, -1]> : tensor<5xi8>, tolerance = 0.0} : (tensor<5xi8>) -> ()
}

blocks.graph @ui8_to_i16() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 255]> : tensor<5xui8>
  %y0 = blocks.cast %c0 : tensor<5xui8> to tensor<5xi16>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 255]> : tensor<5xi16>, tolerance = 0.0} : (tensor<5xi16>) -> ()
}

blocks.graph @ui8_to_i32() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 255]> : tensor<5xui8>
  %y0 = blocks.cast %c0 : tensor<5xui8> to tensor<5xi32>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 255]> : tensor<5xi32>, tolerance = 0.0} : (tensor<5xi32>) -> ()
}

blocks.graph @ui8_to_i64() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 255]> : tensor<5xui8>
  %y0 = blocks.cast %c0 : tensor<5xui8> to tensor<5xi64>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 255]> : tensor<5xi64>, tolerance = 0.0} : (tensor<5xi64>) -> ()
}

blocks.graph @ui8_to_ui16() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 255]> : tensor<5xui8>
  %y0 = blocks.cast %c0 : tensor<5xui8> to tensor<5xui16>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 255]> : tensor<5xui16>, tolerance = 0.0} : (tensor<5xui16>) -> ()
}

blocks.graph @ui8_to_ui32() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 255]> : tensor<5xui8>
  %y0 = blocks.cast %c0 : tensor<5xui8> to tensor<5xui32>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 255]> : tensor<5xui32>, tolerance = 0.0} : (tensor<5xui32>) -> ()
}

blocks.graph @ui8_to_ui64() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 255]> : tensor<5xui8>
  %y0 = blocks.cast %c0 : tensor<5xui8> to tensor<5xui64>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 255]> : tensor<5xui64>, tolerance = 0.0} : (tensor<5xui64>) -> ()
}

blocks.graph @ui8_to_i1() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 255]> : tensor<5xui8>
  %y0 = blocks.cast %c0 : tensor<5xui8> to tensor<5xi1>
  "check.close"(%y0) {expected = dense<[false, false, true, true, true]> : tensor<5xi1>, tolerance = 0.0} : (tensor<5xi1>) -> ()
}

blocks.graph @i1_to_ui8() {
  %c0 = arith.constant dense<[true, false]> : tensor<2xi1>
  %y0 = blocks.cast %c0 : tensor<2xi1> to tensor<2xui8>
  "check.close"(%y0) {expected = dense<[1, 0]> : tensor<2xui8>, tolerance = 0.0} : (tensor<2xui8>) -> ()
}

blocks.graph @ui16_to_f32() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 65535]> : tensor<5xui16>
  %y0 = blocks.cast %c0 : tensor<5xui16> to tensor<5xf32>
  "check.close"(%y0) {expected = dense<[0.0, 0.0, 1.0, 100.0, 65535.0]> : tensor<5xf64>, tolerance = 0.0} : (tensor<5xf32>) -> ()
}

blocks.graph @ui16_to_f64() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 65535]> : tensor<5xui16>
  %y0 = blocks.cast %c0 : tensor<5xui16> to tensor<5xf64>
  "check.close"(%y0) {expected = dense<[0.0, 0.0, 1.0, 100.0, 65535.0]> : tensor<5xf64>, tolerance = 0.0} : (tensor<5xf64>) -> ()
}

blocks.graph @f64_to_ui16() {
  %c0 = arith.constant dense<[0.0, 0.0, 1.5, 100.99]> : tensor<4xf64>
  %y0 = blocks.cast %c0 : tensor<4xf64> to tensor<4xui16>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100]> : tensor<4xui16>, tolerance = 0.0} : (tensor<4xui16>) -> ()
}

blocks.graph @ui16_to_i8() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 65535]> : tensor<5xui16>
  %y0 = blocks.cast %c0 : tensor<5xui16> to tensor<5xi8>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, -1]> : tensor<5xi8>, tolerance = 0.0} : (tensor<5xi8>) -> ()
}

blocks.graph @ui16_to_i16() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 65535]> : tensor<5xui16>
  %y0 = blocks.cast %c0 : tensor<5xui16> to tensor<5xi16>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, -1]> : tensor<5xi16>, tolerance = 0.0} : (tensor<5xi16>) -> ()
}

blocks.graph @ui16_to_i32() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 65535]> : tensor<5xui16>
  %y0 = blocks.cast %c0 : tensor<5xui16> to tensor<5xi32>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 65535]> : tensor<5xi32>, tolerance = 0.0} : (tensor<5xi32>) -> ()
}

blocks.graph @ui16_to_i64() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 65535]> : tensor<5xui16>
  %y0 = blocks.cast %c0 : tensor<5xui16> to tensor<5xi64>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 65535]> : tensor<5xi64>, tolerance = 0.0} : (tensor<5xi64>) -> ()
}

blocks.graph @ui16_to_ui8() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 65535]> : tensor<5xui16>
  %y0 = blocks.cast %c0 : tensor<5xui16> to tensor<5xui8>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 255]> : tensor<5xui8>, tolerance = 0.0} : (tensor<5xui8>) -> ()
}

blocks.graph @ui16_to_ui32() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 65535]> : tensor<5xui16>
  %y0 = blocks.cast %c0 : tensor<5xui16> to tensor<5xui32>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 65535]> : tensor<5xui32>, tolerance = 0.0} : (tensor<5xui32>) -> ()
}

blocks.graph @ui16_to_ui64() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 65535]> : tensor<5xui16>
  %y0 = blocks.cast %c0 : tensor<5xui16> to tensor<5xui64>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 65535]> : tensor<5xui64>, tolerance = 0.0} : (tensor<5xui64>) -> ()
}

blocks.graph @ui16_to_i1() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 65535]> : tensor<5xui16>
  %y0 = blocks.cast %c0 : tensor<5xui16> to tensor<5xi1>
  "check.close"(%y0) {expected = dense<[false, false, true, true, true]> : tensor<5xi1>, tolerance = 0.0} : (tensor<5xi1>) -> ()
}

blocks.graph @i1_to_ui16() {
  %c0 = arith.constant dense<[true, false]> : tensor<2xi1>
  %y0 = blocks.cast %c0 : tensor<2xi1> to tensor<2xui16>
  "check.close"(%y0) {expected = dense<[1, 0]> : tensor<2xui16>, tolerance = 0.0} : (tensor<2xui16>) -> ()
}

blocks.graph @ui32_to_f32() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 4294967295]> : tensor<5xui32>
  %y0 = blocks.cast %c0 : tensor<5xui32> to tensor<5xf32>
  "check.close"(%y0) {expected = dense<[0.0, 0.0, 1.0, 100.0, 4294967296.0]> : tensor<5xf64>, tolerance = 0.0} : (tensor<5xf32>) -> ()
}

blocks.graph @ui32_to_f64() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 4294967295]> : tensor<5xui32>
  %y0 = blocks.cast %c0 : tensor<5xui32> to tensor<5xf64>
  "check.close"(%y0) {expected = dense<[0.0, 0.0, 1.0, 100.0, 4294967295.0]> : tensor<5xf64>, tolerance = 0.0} : (tensor<5xf64>) -> ()
}

blocks.graph @f64_to_ui32() {
  %c0 = arith.constant dense<[0.0, 0.0, 1.5, 100.99]> : tensor<4xf64>
  %y0 = blocks.cast %c0 : tensor<4xf64> to tensor<4xui32>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100]> : tensor<4xui32>, tolerance = 0.0} : (tensor<4xui32>) -> ()
}

blocks.graph @ui32_to_i8() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 4294967295]> : tensor<5xui32>
  %y0 = blocks.cast %c0 : tensor<5xui32> to tensor<5xi8>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, -1]> : tensor<5xi8>, tolerance = 0.0} : (tensor<5xi8>) -> ()
}

blocks.graph @ui32_to_i16() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 4294967295]> : tensor<5xui32>
  %y0 = blocks.cast %c0 : tensor<5xui32> to tensor<5xi16>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, -1]> : tensor<5xi16>, tolerance = 0.0} : (tensor<5xi16>) -> ()
}

blocks.graph @ui32_to_i32() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 4294967295]> : tensor<5xui32>
  %y0 = blocks.cast %c0 : tensor<5xui32> to tensor<5xi32>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, -1]> : tensor<5xi32>, tolerance = 0.0} : (tensor<5xi32>) -> ()
}

blocks.graph @ui32_to_i64() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 4294967295]> : tensor<5xui32>
  %y0 = blocks.cast %c0 : tensor<5xui32> to tensor<5xi64>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 4294967295]> : tensor<5xi64>, tolerance = 0.0} : (tensor<5xi64>) -> ()
}

blocks.graph @ui32_to_ui8() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 4294967295]> : tensor<5xui32>
  %y0 = blocks.cast %c0 : tensor<5xui32> to tensor<5xui8>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 255]> : tensor<5xui8>, tolerance = 0.0} : (tensor<5xui8>) -> ()
}

blocks.graph @ui32_to_ui16() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 4294967295]> : tensor<5xui32>
  %y0 = blocks.cast %c0 : tensor<5xui32> to tensor<5xui16>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 65535]> : tensor<5xui16>, tolerance = 0.0} : (tensor<5xui16>) -> ()
}

blocks.graph @ui32_to_ui64() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 4294967295]> : tensor<5xui32>
  %y0 = blocks.cast %c0 : tensor<5xui32> to tensor<5xui64>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 4294967295]> : tensor<5xui64>, tolerance = 0.0} : (tensor<5xui64>) -> ()
}

blocks.graph @ui32_to_i1() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 4294967295]> : tensor<5xui32>
  %y0 = blocks.cast %c0 : tensor<5xui32> to tensor<5xi1>
  "check.close"(%y0) {expected = dense<[false, false, true, true, true]> : tensor<5xi1>, tolerance = 0.0} : (tensor<5xi1>) -> ()
}

blocks.graph @i1_to_ui32() {
  %c0 = arith.constant dense<[true, false]> : tensor<2xi1>
  %y0 = blocks.cast %c0 : tensor<2xi1> to tensor<2xui32>
  "check.close"(%y0) {expected = dense<[1, 0]> : tensor<2xui32>, tolerance = 0.0} : (tensor<2xui32>) -> ()
}

blocks.graph @ui64_to_f32() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 18446744073709551615]> : tensor<5xui64>
  %y0 = blocks.cast %c0 : tensor<5xui64> to tensor<5xf32>
  "check.close"(%y0) {expected = dense<[0.0, 0.0, 1.0, 100.0, 1.8446744073709552e+19]> : tensor<5xf64>, tolerance = 0.0} : (tensor<5xf32>) -> ()
}

blocks.graph @ui64_to_f64() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 18446744073709551615]> : tensor<5xui64>
  %y0 = blocks.cast %c0 : tensor<5xui64> to tensor<5xf64>
  "check.close"(%y0) {expected = dense<[0.0, 0.0, 1.0, 100.0, 1.8446744073709552e+19]> : tensor<5xf64>, tolerance = 0.0} : (tensor<5xf64>) -> ()
}

blocks.graph @f64_to_ui64() {
  %c0 = arith.constant dense<[0.0, 0.0, 1.5, 100.99]> : tensor<4xf64>
  %y0 = blocks.cast %c0 : tensor<4xf64> to tensor<4xui64>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100]> : tensor<4xui64>, tolerance = 0.0} : (tensor<4xui64>) -> ()
}

blocks.graph @ui64_to_i8() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 18446744073709551615]> : tensor<5xui64>
  %y0 = blocks.cast %c0 : tensor<5xui64> to tensor<5xi8>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, -1]> : tensor<5xi8>, tolerance = 0.0} : (tensor<5xi8>) -> ()
}

blocks.graph @ui64_to_i16() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 18446744073709551615]> : tensor<5xui64>
  %y0 = blocks.cast %c0 : tensor<5xui64> to tensor<5xi16>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, -1]> : tensor<5xi16>, tolerance = 0.0} : (tensor<5xi16>) -> ()
}

blocks.graph @ui64_to_i32() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 18446744073709551615]> : tensor<5xui64>
  %y0 = blocks.cast %c0 : tensor<5xui64> to tensor<5xi32>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, -1]> : tensor<5xi32>, tolerance = 0.0} : (tensor<5xi32>) -> ()
}

blocks.graph @ui64_to_i64() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 18446744073709551615]> : tensor<5xui64>
  %y0 = blocks.cast %c0 : tensor<5xui64> to tensor<5xi64>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, -1]> : tensor<5xi64>, tolerance = 0.0} : (tensor<5xi64>) -> ()
}

blocks.graph @ui64_to_ui8() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 18446744073709551615]> : tensor<5xui64>
  %y0 = blocks.cast %c0 : tensor<5xui64> to tensor<5xui8>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 255]> : tensor<5xui8>, tolerance = 0.0} : (tensor<5xui8>) -> ()
}

blocks.graph @ui64_to_ui16() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 18446744073709551615]> : tensor<5xui64>
  %y0 = blocks.cast %c0 : tensor<5xui64> to tensor<5xui16>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 65535]> : tensor<5xui16>, tolerance = 0.0} : (tensor<5xui16>) -> ()
}

blocks.graph @ui64_to_ui32() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 18446744073709551615]> : tensor<5xui64>
  %y0 = blocks.cast %c0 : tensor<5xui64> to tensor<5xui32>
  "check.close"(%y0) {expected = dense<[0, 0, 1, 100, 4294967295]> : tensor<5xui32>, tolerance = 0.0} : (tensor<5xui32>) -> ()
}

blocks.graph @ui64_to_i1() {
  %c0 = arith.constant dense<[0, 0, 1, 100, 18446744073709551615]> : tensor<5xui64>
  %y0 = blocks.cast %c0 : tensor<5xui64> to tensor<5xi1>
  "check.close"(%y0) {expected = dense<[false, false, true, true, true]> : tensor<5xi1>, tolerance = 0.0} : (tensor<5xi1>) -> ()
}

blocks.graph @i1_to_ui64() {
  %c0 = arith.constant dense<[true, false]> : tensor<2xi1>
  %y0 = blocks.cast %c0 : tensor<2xi1> to tensor<2xui64>
  "check.close"(%y0) {expected = dense<[1, 0]> : tensor<2xui64>, tolerance = 0.0} : (tensor<2xui64>) -> ()
}

blocks.graph @i1_to_f32() {
  %c0 = arith.constant dense<[true, false]> : tensor<2xi1>
  %y0 = blocks.cast %c0 : tensor<2xi1> to tensor<2xf32>
  "check.close"(%y0) {expected = dense<[1.0, 0.0]> : tensor<2xf64>, tolerance = 1.0e-06} : (tensor<2xf32>) -> ()
}

blocks.graph @f64_to_i1() {
  %c0 = arith.constant dense<[0.0, 0.25, -2.0, 0x7FF8000000000000]> : tensor<4xf64>
  %y0 = blocks.cast %c0 : tensor<4xf64> to tensor<4xi1>
  "check.close"(%y0) {expected = dense<[false, true, true, true]> : tensor<4xi1>, tolerance = 0.0} : (tensor<4xi1>) -> ()
}

blocks.graph @f64_to_f32() {
  %c0 = arith.constant dense<[0.3333333333333333, 65504.0, 1.0e-07, -2.5]> : tensor<4xf64>
  %y0 = blocks.cast %c0 : tensor<4xf64> to tensor<4xf32>
  "check.close"(%y0) {expected = dense<[0.3333333432674408, 65504.0, 1.0000000116860974e-07, -2.5]> : tensor<4xf64>, tolerance = 0.0} : (tensor<4xf32>) -> ()
}

blocks.graph @f64_to_f16() {
  %c0 = arith.constant dense<[0.3333333333333333, 65504.0, 1.0e-07, -2.5]> : tensor<4xf64>
  %y0 = blocks.cast %c0 : tensor<4xf64> to tensor<4xf16>
  "check.close"(%y0) {expected = dense<[0.333251953125, 65504.0, 1.1920928955078125e-07, -2.5]> : tensor<4xf64>, tolerance = 0.0} : (tensor<4xf16>) -> ()
}

blocks.graph @f16_to_f32() {
  %c0 = arith.constant dense<[0.333251953125, 65504.0, 1.1920928955078125e-07, -2.5]> : tensor<4xf16>
  %y0 = blocks.cast %c0 : tensor<4xf16> to tensor<4xf32>
  "check.close"(%y0) {expected = dense<[0.333251953125, 65504.0, 1.1920928955078125e-07, -2.5]> : tensor<4xf64>, tolerance = 0.0} : (tensor<4xf32>) -> ()
}
