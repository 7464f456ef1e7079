// The rules of FunctionRules.cpp that need a domain of their own, or two
// operands, against finite differences of the cost Σy², in f64.
// RUN: blocks-gradcheck %s --passes='blocks-convert-to-f64,blocks-differentiate' | FileCheck %s

// CHECK: cbrt: {{[1-9][0-9]*}} elements agree
module @cbrt {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0> {check.range = [0.5, 2.0]}
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.cbrt %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: erfc: {{[1-9][0-9]*}} elements agree
module @erfc {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.erfc %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: asin: {{[1-9][0-9]*}} elements agree
module @asin {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0> {check.range = [-0.9, 0.9]}
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.asin %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: acos: {{[1-9][0-9]*}} elements agree
module @acos {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0> {check.range = [-0.9, 0.9]}
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.acos %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: asinh: {{[1-9][0-9]*}} elements agree
module @asinh {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.asinh %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: acosh: {{[1-9][0-9]*}} elements agree
module @acosh {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0> {check.range = [1.25, 3.0]}
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.acosh %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: atanh: {{[1-9][0-9]*}} elements agree
module @atanh {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0> {check.range = [-0.9, 0.9]}
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.atanh %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: trunc: {{[1-9][0-9]*}} elements agree
module @trunc {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0> {check.range = [1.1, 1.9]}
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %f = math.trunc %a : tensor<2x3xf32>
    %y = arith.addf %f, %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: roundeven: {{[1-9][0-9]*}} elements agree
module @roundeven {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0> {check.range = [0.6, 1.4]}
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %f = math.roundeven %a : tensor<2x3xf32>
    %y = arith.addf %f, %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: atan2: {{[1-9][0-9]*}} elements agree
module @atan2 {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
    blocks.parameter @b : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0> {check.range = [0.5, 2.0]}
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %b = blocks.get @p::@b : tensor<2x3xf32>
    %y = math.atan2 %a, %b : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: remf: {{[1-9][0-9]*}} elements agree
module @remf {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0> {check.range = [2.1, 2.9]}
    blocks.parameter @b : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0> {check.range = [0.96, 1.04]}
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %b = blocks.get @p::@b : tensor<2x3xf32>
    %y = arith.remf %a, %b : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: maxnumf: {{[1-9][0-9]*}} elements agree
module @maxnumf {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
    blocks.parameter @b : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %b = blocks.get @p::@b : tensor<2x3xf32>
    %y = arith.maxnumf %a, %b : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: minnumf: {{[1-9][0-9]*}} elements agree
module @minnumf {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
    blocks.parameter @b : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %b = blocks.get @p::@b : tensor<2x3xf32>
    %y = arith.minnumf %a, %b : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: copysign: {{[1-9][0-9]*}} elements agree
module @copysign {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0> {check.range = [0.5, 2.0]}
    blocks.parameter @b : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %b = blocks.get @p::@b : tensor<2x3xf32>
    %c = math.copysign %a, %b : tensor<2x3xf32>
    %y = arith.addf %c, %b : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: clampf: {{[1-9][0-9]*}} elements agree
module @clampf {
  blocks.brick @p {
    blocks.parameter @x : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0> {check.range = [-0.5, -0.25]}
    blocks.parameter @b : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0> {check.range = [0.25, 0.5]}
  }
  blocks.graph @train() attributes {variant = "train"} {
    %x = blocks.get @p::@x : tensor<2x3xf32>
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %b = blocks.get @p::@b : tensor<2x3xf32>
    %y = math.clampf %x to [%a, %b] : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}
