// Every elementwise operation as machine code against the reference, in both
// precisions, over rows that fill vectors and leave a rest.
//
// RUN: test-compiled-graphs %s --shape batch=17 --range x=-3:3,y=-3:3,z=-3:3,p=0.1:4,u=-0.99:0.99,g=1.1:4 | FileCheck %s
// RUN: test-compiled-graphs %s --f64 --shape batch=17 --range x=-3:3,y=-3:3,z=-3:3,p=0.1:4,u=-0.99:0.99,g=1.1:4 | FileCheck %s
// CHECK: elementwise agrees
module @elementwise {

blocks.graph @exp(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %exp = math.exp %x : tensor<?x5xf32>
  blocks.output %exp "exp" : tensor<?x5xf32>
}

blocks.graph @exp2(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %exp2 = math.exp2 %x : tensor<?x5xf32>
  blocks.output %exp2 "exp2" : tensor<?x5xf32>
}

blocks.graph @expm1(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %expm1 = math.expm1 %x : tensor<?x5xf32>
  blocks.output %expm1 "expm1" : tensor<?x5xf32>
}

blocks.graph @tanh(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %tanh = math.tanh %x : tensor<?x5xf32>
  blocks.output %tanh "tanh" : tensor<?x5xf32>
}

blocks.graph @sin(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %sin = math.sin %x : tensor<?x5xf32>
  blocks.output %sin "sin" : tensor<?x5xf32>
}

blocks.graph @cos(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %cos = math.cos %x : tensor<?x5xf32>
  blocks.output %cos "cos" : tensor<?x5xf32>
}

blocks.graph @tan(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %tan = math.tan %x : tensor<?x5xf32>
  blocks.output %tan "tan" : tensor<?x5xf32>
}

blocks.graph @sinh(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %sinh = math.sinh %x : tensor<?x5xf32>
  blocks.output %sinh "sinh" : tensor<?x5xf32>
}

blocks.graph @cosh(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %cosh = math.cosh %x : tensor<?x5xf32>
  blocks.output %cosh "cosh" : tensor<?x5xf32>
}

blocks.graph @erf(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %erf = math.erf %x : tensor<?x5xf32>
  blocks.output %erf "erf" : tensor<?x5xf32>
}

blocks.graph @erfc(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %erfc = math.erfc %x : tensor<?x5xf32>
  blocks.output %erfc "erfc" : tensor<?x5xf32>
}

blocks.graph @absf(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %absf = math.absf %x : tensor<?x5xf32>
  blocks.output %absf "absf" : tensor<?x5xf32>
}

blocks.graph @atan(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %atan = math.atan %x : tensor<?x5xf32>
  blocks.output %atan "atan" : tensor<?x5xf32>
}

blocks.graph @asinh(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %asinh = math.asinh %x : tensor<?x5xf32>
  blocks.output %asinh "asinh" : tensor<?x5xf32>
}

blocks.graph @cbrt(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %cbrt = math.cbrt %x : tensor<?x5xf32>
  blocks.output %cbrt "cbrt" : tensor<?x5xf32>
}

blocks.graph @floor(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %floor = math.floor %x : tensor<?x5xf32>
  blocks.output %floor "floor" : tensor<?x5xf32>
}

blocks.graph @ceil(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %ceil = math.ceil %x : tensor<?x5xf32>
  blocks.output %ceil "ceil" : tensor<?x5xf32>
}

blocks.graph @round(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %round = math.round %x : tensor<?x5xf32>
  blocks.output %round "round" : tensor<?x5xf32>
}

blocks.graph @roundeven(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %roundeven = math.roundeven %x : tensor<?x5xf32>
  blocks.output %roundeven "roundeven" : tensor<?x5xf32>
}

blocks.graph @trunc(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %trunc = math.trunc %x : tensor<?x5xf32>
  blocks.output %trunc "trunc" : tensor<?x5xf32>
}

blocks.graph @log(%p: tensor<?x5xf32> {blocks.source = "p", blocks.axes = ["batch", ""]}) {
  %log = math.log %p : tensor<?x5xf32>
  blocks.output %log "log" : tensor<?x5xf32>
}

blocks.graph @log1p(%p: tensor<?x5xf32> {blocks.source = "p", blocks.axes = ["batch", ""]}) {
  %log1p = math.log1p %p : tensor<?x5xf32>
  blocks.output %log1p "log1p" : tensor<?x5xf32>
}

blocks.graph @log2(%p: tensor<?x5xf32> {blocks.source = "p", blocks.axes = ["batch", ""]}) {
  %log2 = math.log2 %p : tensor<?x5xf32>
  blocks.output %log2 "log2" : tensor<?x5xf32>
}

blocks.graph @log10(%p: tensor<?x5xf32> {blocks.source = "p", blocks.axes = ["batch", ""]}) {
  %log10 = math.log10 %p : tensor<?x5xf32>
  blocks.output %log10 "log10" : tensor<?x5xf32>
}

blocks.graph @sqrt(%p: tensor<?x5xf32> {blocks.source = "p", blocks.axes = ["batch", ""]}) {
  %sqrt = math.sqrt %p : tensor<?x5xf32>
  blocks.output %sqrt "sqrt" : tensor<?x5xf32>
}

blocks.graph @rsqrt(%p: tensor<?x5xf32> {blocks.source = "p", blocks.axes = ["batch", ""]}) {
  %rsqrt = math.rsqrt %p : tensor<?x5xf32>
  blocks.output %rsqrt "rsqrt" : tensor<?x5xf32>
}

blocks.graph @asin(%u: tensor<?x5xf32> {blocks.source = "u", blocks.axes = ["batch", ""]}) {
  %asin = math.asin %u : tensor<?x5xf32>
  blocks.output %asin "asin" : tensor<?x5xf32>
}

blocks.graph @acos(%u: tensor<?x5xf32> {blocks.source = "u", blocks.axes = ["batch", ""]}) {
  %acos = math.acos %u : tensor<?x5xf32>
  blocks.output %acos "acos" : tensor<?x5xf32>
}

blocks.graph @atanh(%u: tensor<?x5xf32> {blocks.source = "u", blocks.axes = ["batch", ""]}) {
  %atanh = math.atanh %u : tensor<?x5xf32>
  blocks.output %atanh "atanh" : tensor<?x5xf32>
}

blocks.graph @acosh(%g: tensor<?x5xf32> {blocks.source = "g", blocks.axes = ["batch", ""]}) {
  %acosh = math.acosh %g : tensor<?x5xf32>
  blocks.output %acosh "acosh" : tensor<?x5xf32>
}

blocks.graph @addf(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
    %y: tensor<?x5xf32> {blocks.source = "y", blocks.axes = ["batch", ""]}) {
  %addf = arith.addf %x, %y : tensor<?x5xf32>
  blocks.output %addf "addf" : tensor<?x5xf32>
}

blocks.graph @subf(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
    %y: tensor<?x5xf32> {blocks.source = "y", blocks.axes = ["batch", ""]}) {
  %subf = arith.subf %x, %y : tensor<?x5xf32>
  blocks.output %subf "subf" : tensor<?x5xf32>
}

blocks.graph @mulf(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
    %y: tensor<?x5xf32> {blocks.source = "y", blocks.axes = ["batch", ""]}) {
  %mulf = arith.mulf %x, %y : tensor<?x5xf32>
  blocks.output %mulf "mulf" : tensor<?x5xf32>
}

blocks.graph @divf(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
    %y: tensor<?x5xf32> {blocks.source = "y", blocks.axes = ["batch", ""]}) {
  %divf = arith.divf %x, %y : tensor<?x5xf32>
  blocks.output %divf "divf" : tensor<?x5xf32>
}

blocks.graph @remf(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
    %y: tensor<?x5xf32> {blocks.source = "y", blocks.axes = ["batch", ""]}) {
  %remf = arith.remf %x, %y : tensor<?x5xf32>
  blocks.output %remf "remf" : tensor<?x5xf32>
}

blocks.graph @maximumf(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
    %y: tensor<?x5xf32> {blocks.source = "y", blocks.axes = ["batch", ""]}) {
  %maximumf = arith.maximumf %x, %y : tensor<?x5xf32>
  blocks.output %maximumf "maximumf" : tensor<?x5xf32>
}

blocks.graph @minimumf(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
    %y: tensor<?x5xf32> {blocks.source = "y", blocks.axes = ["batch", ""]}) {
  %minimumf = arith.minimumf %x, %y : tensor<?x5xf32>
  blocks.output %minimumf "minimumf" : tensor<?x5xf32>
}

blocks.graph @maxnumf(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
    %y: tensor<?x5xf32> {blocks.source = "y", blocks.axes = ["batch", ""]}) {
  %maxnumf = arith.maxnumf %x, %y : tensor<?x5xf32>
  blocks.output %maxnumf "maxnumf" : tensor<?x5xf32>
}

blocks.graph @minnumf(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
    %y: tensor<?x5xf32> {blocks.source = "y", blocks.axes = ["batch", ""]}) {
  %minnumf = arith.minnumf %x, %y : tensor<?x5xf32>
  blocks.output %minnumf "minnumf" : tensor<?x5xf32>
}

blocks.graph @negf(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %negf = arith.negf %x : tensor<?x5xf32>
  blocks.output %negf "negf" : tensor<?x5xf32>
}

blocks.graph @atan2(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
    %y: tensor<?x5xf32> {blocks.source = "y", blocks.axes = ["batch", ""]}) {
  %atan2 = math.atan2 %x, %y : tensor<?x5xf32>
  blocks.output %atan2 "atan2" : tensor<?x5xf32>
}

blocks.graph @copysign(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
    %y: tensor<?x5xf32> {blocks.source = "y", blocks.axes = ["batch", ""]}) {
  %copysign = math.copysign %x, %y : tensor<?x5xf32>
  blocks.output %copysign "copysign" : tensor<?x5xf32>
}

blocks.graph @powf(%y: tensor<?x5xf32> {blocks.source = "y", blocks.axes = ["batch", ""]},
    %p: tensor<?x5xf32> {blocks.source = "p", blocks.axes = ["batch", ""]}) {
  %powf = math.powf %p, %y : tensor<?x5xf32>
  blocks.output %powf "powf" : tensor<?x5xf32>
}

blocks.graph @fma(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
    %y: tensor<?x5xf32> {blocks.source = "y", blocks.axes = ["batch", ""]},
    %z: tensor<?x5xf32> {blocks.source = "z", blocks.axes = ["batch", ""]}) {
  %fma = math.fma %x, %y, %z : tensor<?x5xf32>
  blocks.output %fma "fma" : tensor<?x5xf32>
}

blocks.graph @clampf(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
    %y: tensor<?x5xf32> {blocks.source = "y", blocks.axes = ["batch", ""]},
    %z: tensor<?x5xf32> {blocks.source = "z", blocks.axes = ["batch", ""]},
    %p: tensor<?x5xf32> {blocks.source = "p", blocks.axes = ["batch", ""]}) {
  %low = arith.minimumf %y, %z : tensor<?x5xf32>
  %high = arith.maximumf %y, %z : tensor<?x5xf32>
  %clampf = math.clampf %x to [%low, %high] : tensor<?x5xf32>
  blocks.output %clampf "clampf" : tensor<?x5xf32>
}

blocks.graph @rectifier(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %rectifier = blocks.rectifier %x : tensor<?x5xf32>
  blocks.output %rectifier "rectifier" : tensor<?x5xf32>
}

blocks.graph @leaky(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %leaky = blocks.rectifier %x leak 0.25 : tensor<?x5xf32>
  blocks.output %leaky "leaky" : tensor<?x5xf32>
}

blocks.graph @logistic(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]}) {
  %logistic = blocks.logistic %x : tensor<?x5xf32>
  blocks.output %logistic "logistic" : tensor<?x5xf32>
}

blocks.graph @comparisons(%x: tensor<?x5xf32> {blocks.source = "x", blocks.axes = ["batch", ""]},
    %y: tensor<?x5xf32> {blocks.source = "y", blocks.axes = ["batch", ""]}) {
  %oeq = arith.cmpf oeq, %x, %y : tensor<?x5xf32>
  %ogt = arith.cmpf ogt, %x, %y : tensor<?x5xf32>
  %oge = arith.cmpf oge, %x, %y : tensor<?x5xf32>
  %olt = arith.cmpf olt, %x, %y : tensor<?x5xf32>
  %ole = arith.cmpf ole, %x, %y : tensor<?x5xf32>
  %one = arith.cmpf one, %x, %y : tensor<?x5xf32>
  %ord = arith.cmpf ord, %x, %y : tensor<?x5xf32>
  %ueq = arith.cmpf ueq, %x, %y : tensor<?x5xf32>
  %ugt = arith.cmpf ugt, %x, %y : tensor<?x5xf32>
  %uge = arith.cmpf uge, %x, %y : tensor<?x5xf32>
  %ult = arith.cmpf ult, %x, %y : tensor<?x5xf32>
  %ule = arith.cmpf ule, %x, %y : tensor<?x5xf32>
  %une = arith.cmpf une, %x, %y : tensor<?x5xf32>
  %uno = arith.cmpf uno, %x, %y : tensor<?x5xf32>
  %isnan = math.isnan %x : tensor<?x5xf32>
  %isinf = math.isinf %x : tensor<?x5xf32>
  %isfinite = math.isfinite %x : tensor<?x5xf32>
  %n_oeq = blocks.cast %oeq : tensor<?x5xi1> to tensor<?x5xi64>
  %n_ogt = blocks.cast %ogt : tensor<?x5xi1> to tensor<?x5xi64>
  %n_oge = blocks.cast %oge : tensor<?x5xi1> to tensor<?x5xi64>
  %n_olt = blocks.cast %olt : tensor<?x5xi1> to tensor<?x5xi64>
  %n_ole = blocks.cast %ole : tensor<?x5xi1> to tensor<?x5xi64>
  %n_one = blocks.cast %one : tensor<?x5xi1> to tensor<?x5xi64>
  %n_ord = blocks.cast %ord : tensor<?x5xi1> to tensor<?x5xi64>
  %n_ueq = blocks.cast %ueq : tensor<?x5xi1> to tensor<?x5xi64>
  %n_ugt = blocks.cast %ugt : tensor<?x5xi1> to tensor<?x5xi64>
  %n_uge = blocks.cast %uge : tensor<?x5xi1> to tensor<?x5xi64>
  %n_ult = blocks.cast %ult : tensor<?x5xi1> to tensor<?x5xi64>
  %n_ule = blocks.cast %ule : tensor<?x5xi1> to tensor<?x5xi64>
  %n_une = blocks.cast %une : tensor<?x5xi1> to tensor<?x5xi64>
  %n_uno = blocks.cast %uno : tensor<?x5xi1> to tensor<?x5xi64>
  %n_isnan = blocks.cast %isnan : tensor<?x5xi1> to tensor<?x5xi64>
  %n_isinf = blocks.cast %isinf : tensor<?x5xi1> to tensor<?x5xi64>
  %n_isfinite = blocks.cast %isfinite : tensor<?x5xi1> to tensor<?x5xi64>
  %select = arith.select %ogt, %x, %y : tensor<?x5xi1>, tensor<?x5xf32>
  blocks.output %n_oeq "n_oeq" : tensor<?x5xi64>
  blocks.output %n_ogt "n_ogt" : tensor<?x5xi64>
  blocks.output %n_oge "n_oge" : tensor<?x5xi64>
  blocks.output %n_olt "n_olt" : tensor<?x5xi64>
  blocks.output %n_ole "n_ole" : tensor<?x5xi64>
  blocks.output %n_one "n_one" : tensor<?x5xi64>
  blocks.output %n_ord "n_ord" : tensor<?x5xi64>
  blocks.output %n_ueq "n_ueq" : tensor<?x5xi64>
  blocks.output %n_ugt "n_ugt" : tensor<?x5xi64>
  blocks.output %n_uge "n_uge" : tensor<?x5xi64>
  blocks.output %n_ult "n_ult" : tensor<?x5xi64>
  blocks.output %n_ule "n_ule" : tensor<?x5xi64>
  blocks.output %n_une "n_une" : tensor<?x5xi64>
  blocks.output %n_uno "n_uno" : tensor<?x5xi64>
  blocks.output %n_isnan "n_isnan" : tensor<?x5xi64>
  blocks.output %n_isinf "n_isinf" : tensor<?x5xi64>
  blocks.output %n_isfinite "n_isfinite" : tensor<?x5xi64>
  blocks.output %select "select" : tensor<?x5xf32>
}

}
