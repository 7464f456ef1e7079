// Every function of the CPU in one graph, each an output: the time of a compile
// grows with the number of operations, no faster.
//
// RUN: test-compiled-graphs %s --shape batch=17 --range x=0.1:0.9,y=1:2 | FileCheck %s
// RUN: test-compiled-graphs %s --f64 --shape batch=17 --range x=0.1:0.9,y=1:2 | FileCheck %s
// CHECK: transcendental agrees
module @transcendental {
  blocks.graph @g(%x: tensor<?x5xf32> {blocks.source = "x"}, %y: tensor<?x5xf32> {blocks.source = "y"}) {
    %exp = math.exp %x : tensor<?x5xf32>
    blocks.output %exp "exp" : tensor<?x5xf32>
    %expm1 = math.expm1 %x : tensor<?x5xf32>
    blocks.output %expm1 "expm1" : tensor<?x5xf32>
    %exp2 = math.exp2 %x : tensor<?x5xf32>
    blocks.output %exp2 "exp2" : tensor<?x5xf32>
    %log = math.log %x : tensor<?x5xf32>
    blocks.output %log "log" : tensor<?x5xf32>
    %log1p = math.log1p %x : tensor<?x5xf32>
    blocks.output %log1p "log1p" : tensor<?x5xf32>
    %sqrt = math.sqrt %x : tensor<?x5xf32>
    blocks.output %sqrt "sqrt" : tensor<?x5xf32>
    %rsqrt = math.rsqrt %x : tensor<?x5xf32>
    blocks.output %rsqrt "rsqrt" : tensor<?x5xf32>
    %tanh = math.tanh %x : tensor<?x5xf32>
    blocks.output %tanh "tanh" : tensor<?x5xf32>
    %sin = math.sin %x : tensor<?x5xf32>
    blocks.output %sin "sin" : tensor<?x5xf32>
    %cos = math.cos %x : tensor<?x5xf32>
    blocks.output %cos "cos" : tensor<?x5xf32>
    %tan = math.tan %x : tensor<?x5xf32>
    blocks.output %tan "tan" : tensor<?x5xf32>
    %sinh = math.sinh %x : tensor<?x5xf32>
    blocks.output %sinh "sinh" : tensor<?x5xf32>
    %cosh = math.cosh %x : tensor<?x5xf32>
    blocks.output %cosh "cosh" : tensor<?x5xf32>
    %erf = math.erf %x : tensor<?x5xf32>
    blocks.output %erf "erf" : tensor<?x5xf32>
    %erfc = math.erfc %x : tensor<?x5xf32>
    blocks.output %erfc "erfc" : tensor<?x5xf32>
    %log2 = math.log2 %x : tensor<?x5xf32>
    blocks.output %log2 "log2" : tensor<?x5xf32>
    %log10 = math.log10 %x : tensor<?x5xf32>
    blocks.output %log10 "log10" : tensor<?x5xf32>
    %atan = math.atan %x : tensor<?x5xf32>
    blocks.output %atan "atan" : tensor<?x5xf32>
    %cbrt = math.cbrt %x : tensor<?x5xf32>
    blocks.output %cbrt "cbrt" : tensor<?x5xf32>
    %asin = math.asin %x : tensor<?x5xf32>
    blocks.output %asin "asin" : tensor<?x5xf32>
    %acos = math.acos %x : tensor<?x5xf32>
    blocks.output %acos "acos" : tensor<?x5xf32>
    %asinh = math.asinh %x : tensor<?x5xf32>
    blocks.output %asinh "asinh" : tensor<?x5xf32>
    %acosh = math.acosh %x : tensor<?x5xf32>
    blocks.output %acosh "acosh" : tensor<?x5xf32>
    %atanh = math.atanh %x : tensor<?x5xf32>
    blocks.output %atanh "atanh" : tensor<?x5xf32>
    %absf = math.absf %x : tensor<?x5xf32>
    blocks.output %absf "absf" : tensor<?x5xf32>
    %floor = math.floor %x : tensor<?x5xf32>
    blocks.output %floor "floor" : tensor<?x5xf32>
    %ceil = math.ceil %x : tensor<?x5xf32>
    blocks.output %ceil "ceil" : tensor<?x5xf32>
    %round = math.round %x : tensor<?x5xf32>
    blocks.output %round "round" : tensor<?x5xf32>
    %roundeven = math.roundeven %x : tensor<?x5xf32>
    blocks.output %roundeven "roundeven" : tensor<?x5xf32>
    %trunc = math.trunc %x : tensor<?x5xf32>
    blocks.output %trunc "trunc" : tensor<?x5xf32>
    %powf = math.powf %x, %y : tensor<?x5xf32>
    blocks.output %powf "powf" : tensor<?x5xf32>
    %atan2 = math.atan2 %x, %y : tensor<?x5xf32>
    blocks.output %atan2 "atan2" : tensor<?x5xf32>
    %remf = arith.remf %x, %y : tensor<?x5xf32>
    blocks.output %remf "remf" : tensor<?x5xf32>
    %copysign = math.copysign %x, %y : tensor<?x5xf32>
    blocks.output %copysign "copysign" : tensor<?x5xf32>
  }
}
