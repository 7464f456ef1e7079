// Each elementwise rule against finite differences of the cost Σy², in f64.
// RUN: blocks-gradcheck %s --passes='blocks-convert-to-f64,blocks-differentiate' | FileCheck %s

// CHECK: exp: {{[1-9][0-9]*}} elements agree
module @exp {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.exp %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: exp2: {{[1-9][0-9]*}} elements agree
module @exp2 {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.exp2 %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: expm1: {{[1-9][0-9]*}} elements agree
module @expm1 {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.expm1 %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: log: {{[1-9][0-9]*}} elements agree
module @log {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0> {check.range = [0.5, 2.0]}
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.log %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: log2: {{[1-9][0-9]*}} elements agree
module @log2 {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0> {check.range = [0.5, 2.0]}
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.log2 %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: log10: {{[1-9][0-9]*}} elements agree
module @log10 {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0> {check.range = [0.5, 2.0]}
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.log10 %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: log1p: {{[1-9][0-9]*}} elements agree
module @log1p {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0> {check.range = [0.5, 2.0]}
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.log1p %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: sqrt: {{[1-9][0-9]*}} elements agree
module @sqrt {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0> {check.range = [0.5, 2.0]}
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.sqrt %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: rsqrt: {{[1-9][0-9]*}} elements agree
module @rsqrt {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0> {check.range = [0.5, 2.0]}
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.rsqrt %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: tanh: {{[1-9][0-9]*}} elements agree
module @tanh {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.tanh %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: tan: {{[1-9][0-9]*}} elements agree
module @tan {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.tan %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: sin: {{[1-9][0-9]*}} elements agree
module @sin {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.sin %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: cos: {{[1-9][0-9]*}} elements agree
module @cos {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.cos %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: atan: {{[1-9][0-9]*}} elements agree
module @atan {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.atan %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: sinh: {{[1-9][0-9]*}} elements agree
module @sinh {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.sinh %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: cosh: {{[1-9][0-9]*}} elements agree
module @cosh {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.cosh %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: erf: {{[1-9][0-9]*}} elements agree
module @erf {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.erf %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: absf: {{[1-9][0-9]*}} elements agree
module @absf {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = math.absf %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: addf: {{[1-9][0-9]*}} elements agree
module @addf {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
    blocks.parameter @b : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %b = blocks.get @p::@b : tensor<2x3xf32>
    %y = arith.addf %a, %b : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: subf: {{[1-9][0-9]*}} elements agree
module @subf {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
    blocks.parameter @b : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %b = blocks.get @p::@b : tensor<2x3xf32>
    %y = arith.subf %a, %b : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: mulf: {{[1-9][0-9]*}} elements agree
module @mulf {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
    blocks.parameter @b : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %b = blocks.get @p::@b : tensor<2x3xf32>
    %y = arith.mulf %a, %b : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: divf: {{[1-9][0-9]*}} elements agree
module @divf {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
    blocks.parameter @b : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0> {check.range = [0.5, 2.0]}
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %b = blocks.get @p::@b : tensor<2x3xf32>
    %y = arith.divf %a, %b : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: maximumf: {{[1-9][0-9]*}} elements agree
module @maximumf {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
    blocks.parameter @b : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %b = blocks.get @p::@b : tensor<2x3xf32>
    %y = arith.maximumf %a, %b : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: minimumf: {{[1-9][0-9]*}} elements agree
module @minimumf {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
    blocks.parameter @b : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %b = blocks.get @p::@b : tensor<2x3xf32>
    %y = arith.minimumf %a, %b : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: negf: {{[1-9][0-9]*}} elements agree
module @negf {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = arith.negf %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: powf: {{[1-9][0-9]*}} elements agree
module @powf {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0> {check.range = [0.5, 2.0]}
    blocks.parameter @b : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %b = blocks.get @p::@b : tensor<2x3xf32>
    %y = math.powf %a, %b : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: fma: {{[1-9][0-9]*}} elements agree
module @fma {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
    blocks.parameter @b : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
    blocks.parameter @d : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %b = blocks.get @p::@b : tensor<2x3xf32>
    %d = blocks.get @p::@d : tensor<2x3xf32>
    %y = math.fma %a, %b, %d : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: select: {{[1-9][0-9]*}} elements agree
module @select {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
    blocks.parameter @b : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %b = blocks.get @p::@b : tensor<2x3xf32>
    %m = arith.constant dense<[[true, false, true], [false, false, true]]> : tensor<2x3xi1>
    %y = arith.select %m, %a, %b : tensor<2x3xi1>, tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: rectifier: {{[1-9][0-9]*}} elements agree
module @rectifier {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = blocks.rectifier %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: leaky_rectifier: {{[1-9][0-9]*}} elements agree
module @leaky_rectifier {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = blocks.rectifier %a leak 0.25 : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: logistic: {{[1-9][0-9]*}} elements agree
module @logistic {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = blocks.logistic %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: tag: {{[1-9][0-9]*}} elements agree
module @tag {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %y = blocks.tag %a <"/p", "apply", "output", [output], "p.apply#0"> : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}

// -----

// CHECK: floor: {{[1-9][0-9]*}} elements agree
module @floor {
  blocks.brick @p {
    blocks.parameter @a : tensor<2x3xf32> roles [parameter] init #blocks.constant<0.0>
  }
  blocks.graph @train() attributes {variant = "train"} {
    %a = blocks.get @p::@a : tensor<2x3xf32>
    %f = math.floor %a : tensor<2x3xf32>
    %y = arith.mulf %f, %a : tensor<2x3xf32>
    %square = arith.mulf %y, %y : tensor<2x3xf32>
    %cost = blocks.reduce sum %square dims [0, 1] : tensor<2x3xf32> to tensor<f32>
    blocks.output %cost "cost" : tensor<f32>
  }
}
