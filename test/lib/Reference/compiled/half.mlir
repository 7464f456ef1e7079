// Half precision as storage, from and to both wider types: each rounding is the
// nearest, also where f64 to f32 to f16 would round twice.
//
// RUN: test-compiled-graphs %s --shape batch=1000 --range x=-3:3,big=-70000:70000,small=-0.0001:0.0001 --seeds 3 | FileCheck %s
// CHECK: half agrees
// CHECK: twice agrees
module @half {
blocks.graph @casts(%x: tensor<?x5xf32> {blocks.source = "x"}, %big: tensor<?x5xf32> {blocks.source = "big"}, %small: tensor<?x5xf32> {blocks.source = "small"}) {
  %x16 = blocks.cast %x : tensor<?x5xf32> to tensor<?x5xf16>
  %x32 = blocks.cast %x16 : tensor<?x5xf16> to tensor<?x5xf32>
  %big16 = blocks.cast %big : tensor<?x5xf32> to tensor<?x5xf16>
  %big32 = blocks.cast %big16 : tensor<?x5xf16> to tensor<?x5xf32>
  %small16 = blocks.cast %small : tensor<?x5xf32> to tensor<?x5xf16>
  %small32 = blocks.cast %small16 : tensor<?x5xf16> to tensor<?x5xf32>
  blocks.output %x32 "x" : tensor<?x5xf32>
  blocks.output %big32 "big" : tensor<?x5xf32>
  blocks.output %small32 "small" : tensor<?x5xf32>
}
blocks.graph @from_double(%x: tensor<?x5xf32> {blocks.source = "x"}, %big: tensor<?x5xf32> {blocks.source = "big"}) {
  %x64 = blocks.cast %x : tensor<?x5xf32> to tensor<?x5xf64>
  %sin = math.sin %x64 : tensor<?x5xf64>
  %sin16 = blocks.cast %sin : tensor<?x5xf64> to tensor<?x5xf16>
  %sin64 = blocks.cast %sin16 : tensor<?x5xf16> to tensor<?x5xf64>
  %big64 = blocks.cast %big : tensor<?x5xf32> to tensor<?x5xf64>
  %big16 = blocks.cast %big64 : tensor<?x5xf64> to tensor<?x5xf16>
  %big32 = blocks.cast %big16 : tensor<?x5xf16> to tensor<?x5xf32>
  blocks.output %sin64 "sin" : tensor<?x5xf64>
  blocks.output %big32 "big" : tensor<?x5xf32>
}
}

// -----

// 1 + 2^-11 is halfway between two numbers of f16, and to f32 so is anything
// that differs from it by 2^-40. In f64 that is 1.00048828125 -+ 9.1e-13; the
// results have to be 1 and 1 + 2^-10. The next lines are the same at the
// smallest number, at the largest, and for signs.
module @twice {
blocks.graph @numbers() {
  %x = arith.constant dense<[1.0004882812490905, 1.0004882812509095, -1.0004882812490905, -1.0004882812509095,
                             2.9802322387695e-08, 2.9802322387696e-08, 65519.9999999999, 65520.0, 1.0e-300, -1.0e300, 0.0, 2.5]> : tensor<12xf64>
  %zero = arith.constant dense<0.0> : tensor<12xf64>
  %y = arith.addf %x, %zero : tensor<12xf64>
  %h = blocks.cast %y : tensor<12xf64> to tensor<12xf16>
  %z = blocks.cast %h : tensor<12xf16> to tensor<12xf64>
  %scale = arith.constant dense<[1.0, 1.0, 1.0, 1.0, 1.0e7, 1.0e7, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]> : tensor<12xf64>
  %w = arith.mulf %z, %scale : tensor<12xf64>
  blocks.output %w "rounded" : tensor<12xf64>
}
}
