// Elementwise operations on floating-point tensors.
// Written by test/golden/reference_ops.py.
// RUN: blocks-interpret --quiet %s

blocks.graph @arith_negf_f64() {
  %c0 = arith.constant dense<[[1.078125, -1.921875, 0.53125], [1.0, -0.0, -1.09375]]> : tensor<2x3xf64>
  %y0 = arith.negf %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[-1.078125, 1.921875, -0.53125], [-1.0, 0.0, 1.09375]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_absf_f64() {
  %c0 = arith.constant dense<[[-1.953125, 0.0, -0.015625], [-1.46875, -1.4375, -1.125]]> : tensor<2x3xf64>
  %y0 = math.absf %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[1.953125, 0.0, 0.015625], [1.46875, 1.4375, 1.125]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_ceil_f64() {
  %c0 = arith.constant dense<[[-1.953125, 0.0, -0.015625], [-1.46875, -1.4375, -1.125]]> : tensor<2x3xf64>
  %y0 = math.ceil %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[-1.0, 0.0, -0.0], [-1.0, -1.0, -1.0]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_floor_f64() {
  %c0 = arith.constant dense<[[1.078125, -1.921875, 0.53125], [1.0, -0.0, -1.09375]]> : tensor<2x3xf64>
  %y0 = math.floor %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[1.0, -2.0, 0.0], [1.0, -0.0, -2.0]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_roundeven_f64() {
  %c0 = arith.constant dense<[[0.0625, 1.09375, 1.484375], [-1.96875, -0.765625, 1.828125]]> : tensor<2x3xf64>
  %y0 = math.roundeven %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[0.0, 1.0, 1.0], [-2.0, -1.0, 2.0]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_trunc_f64() {
  %c0 = arith.constant dense<[[1.078125, -1.921875, 0.53125], [1.0, -0.0, -1.09375]]> : tensor<2x3xf64>
  %y0 = math.trunc %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[1.0, -1.0, 0.0], [1.0, -0.0, -1.0]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_exp_f64() {
  %c0 = arith.constant dense<[[1.5, 1.875, 1.484375], [0.125, -1.0625, -1.953125]]> : tensor<2x3xf64>
  %y0 = math.exp %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[4.481689070338065, 6.5208191203301125, 4.412206921513906], [1.1331484530668263, 0.3455907525769745, 0.14183015908734253]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_exp2_f64() {
  %c0 = arith.constant dense<[[-1.953125, 0.0, -0.015625], [-1.46875, -1.4375, -1.125]]> : tensor<2x3xf64>
  %y0 = math.exp2 %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[0.2582562197553071, 1.0, 0.9892280131939756], [0.36129520174426166, 0.36920653648487484, 0.4585020216023356]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_expm1_f64() {
  %c0 = arith.constant dense<[[1.078125, -1.921875, 0.53125], [1.0, -0.0, -1.09375]]> : tensor<2x3xf64>
  %y0 = math.expm1 %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[1.9391634498681936, -0.8536676683770854, 0.7010573018484006], [1.7182818284590453, -0.0, -0.6650419570747051]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_sin_f64() {
  %c0 = arith.constant dense<[[1.5, 1.875, 1.484375], [0.125, -1.0625, -1.953125]]> : tensor<2x3xf64>
  %y0 = math.sin %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[0.9974949866040544, 0.9540857816096939, 0.9962680007535026], [0.12467473338522769, -0.8735749351670711, -0.9277983658563156]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_cos_f64() {
  %c0 = arith.constant dense<[[1.5, 1.875, 1.484375], [0.125, -1.0625, -1.953125]]> : tensor<2x3xf64>
  %y0 = math.cos %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[0.0707372016677029, -0.2995335061895742, 0.08631379191426318], [0.9921976672293288, 0.4866896677019633, -0.3730820182136233]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_tan_f64() {
  %c0 = arith.constant dense<[[1.5, 1.875, 1.484375], [0.125, -1.0625, -1.953125]]> : tensor<2x3xf64>
  %y0 = math.tan %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[14.10141994717172, -3.185238919501229, 11.542396396431188], [0.12565513657513094, -1.7949321572654109, 2.486848254704859]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_atan_f64() {
  %c0 = arith.constant dense<[[-1.953125, 0.0, -0.015625], [-1.46875, -1.4375, -1.125]]> : tensor<2x3xf64>
  %y0 = math.atan %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[-1.0975948683564933, 0.0, -0.015623728620476831], [-0.9730379352018146, -0.9629943306809362, -0.8441539861131709]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_sinh_f64() {
  %c0 = arith.constant dense<[[-1.953125, 0.0, -0.015625], [-1.46875, -1.4375, -1.125]]> : tensor<2x3xf64>
  %y0 = math.sinh %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[-3.454428212866285, 0.0, -0.01562563579063867], [-2.0567944609068403, -1.9863182185242512, -1.3777821907798407]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_cosh_f64() {
  %c0 = arith.constant dense<[[-1.953125, 0.0, -0.015625], [-1.46875, -1.4375, -1.125]]> : tensor<2x3xf64>
  %y0 = math.cosh %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[3.5962583719536276, 1.0, 1.0001220727960471], [2.2870075326542016, 2.2238390376197095, 1.7024346581381904]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_tanh_f64() {
  %c0 = arith.constant dense<[[-1.953125, 0.0, -0.015625], [-1.46875, -1.4375, -1.125]]> : tensor<2x3xf64>
  %y0 = math.tanh %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[-0.9605617437853069, 0.0, -0.015623728558408866], [-0.8993387348050462, -0.8931933404003515, -0.809301070201781]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_asinh_f64() {
  %c0 = arith.constant dense<[[1.078125, -1.921875, 0.53125], [1.0, -0.0, -1.09375]]> : tensor<2x3xf64>
  %y0 = math.asinh %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[0.9355517654604603, -1.4081408780240539, 0.5089865937361525], [0.881373587019543, -0.0, -0.9461361775625206]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_erf_f64() {
  %c0 = arith.constant dense<[[1.5, 1.875, 1.484375], [0.125, -1.0625, -1.953125]]> : tensor<2x3xf64>
  %y0 = math.erf %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[0.9661051464753108, 0.9919900576701199, 0.9642027751924157], [0.1403162048013338, -0.8670582694349528, -0.994257542299925]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_cbrt_f64() {
  %c0 = arith.constant dense<[[-1.953125, 0.0, -0.015625], [-1.46875, -1.4375, -1.125]]> : tensor<2x3xf64>
  %y0 = math.cbrt %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[-1.25, 0.0, -0.25], [-1.136708985944086, -1.1285893588685003, -1.040041911525952]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_log_f64() {
  %c0 = arith.constant dense<[[3.5, 3.875, 3.484375], [2.171875, 1.0, 0.140625]]> : tensor<2x3xf64>
  %y0 = math.log %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[1.252762968495368, 1.3545456628053103, 1.248288688100447], [0.7755908497710199, 0.0, -1.9616585060234524]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_log1p_f64() {
  %c0 = arith.constant dense<[[3.109375, 0.1875, 2.578125], [3.015625, 2.046875, 0.984375]]> : tensor<2x3xf64>
  %y0 = math.log1p %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[1.4132709488180926, 0.17185025692665923, 1.2748389201945678], [1.390193001535548, 1.1141164752040749, 0.6853040030989194]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_log2_f64() {
  %c0 = arith.constant dense<[[0.140625, 2.0625, 2.03125], [0.625, 0.65625, 0.953125]]> : tensor<2x3xf64>
  %y0 = math.log2 %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[-2.830074998557688, 1.0443941193584534, 1.0223678130284546], [-0.6780719051126376, -0.6076825772212398, -0.06926266243711372]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_log10_f64() {
  %c0 = arith.constant dense<[[3.109375, 0.1875, 2.578125], [3.015625, 2.046875, 0.984375]]> : tensor<2x3xf64>
  %y0 = math.log10 %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[0.4926731024258195, -0.7269987279362623, 0.41130397023001913], [0.4793773350238866, 0.3110913216718771, -0.0068394245303054655]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_sqrt_f64() {
  %c0 = arith.constant dense<[[0.140625, 2.0625, 2.03125], [0.625, 0.65625, 0.953125]]> : tensor<2x3xf64>
  %y0 = math.sqrt %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[0.375, 1.4361406616345072, 1.4252192813739224], [0.7905694150420949, 0.8100925873009825, 0.9762812094883317]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_rsqrt_f64() {
  %c0 = arith.constant dense<[[3.109375, 0.1875, 2.578125], [3.015625, 2.046875, 0.984375]]> : tensor<2x3xf64>
  %y0 = math.rsqrt %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[0.5671049640066687, 2.3094010767585034, 0.6227991553292184], [0.5758526005989556, 0.6989632453288304, 1.0079052613579391]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_asin_f64() {
  %c0 = arith.constant dense<[[-0.875, 0.0, -0.0], [-0.65625, -0.640625, -0.5]]> : tensor<2x3xf64>
  %y0 = math.asin %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[-1.0654358165107394, 0.0, -0.0], [-0.7158380602251112, -0.6953119464567681, -0.5235987755982989]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_acos_f64() {
  %c0 = arith.constant dense<[[-0.875, 0.0, -0.0], [-0.65625, -0.640625, -0.5]]> : tensor<2x3xf64>
  %y0 = math.acos %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[2.636232143305636, 1.5707963267948966, 1.5707963267948966], [2.286634387020008, 2.266108273251665, 2.0943951023931957]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_atanh_f64() {
  %c0 = arith.constant dense<[[0.484375, -0.859375, 0.234375], [0.453125, -0.0, -0.5]]> : tensor<2x3xf64>
  %y0 = math.atanh %c0 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[0.5286846650670303, -1.290949457887655, 0.23881377717819743], [0.4886257158319211, -0.0, -0.5493061443340549]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @arith_addf_f64() {
  %c0 = arith.constant dense<[[1.078125, -1.921875, 0.53125], [1.0, -0.0, -1.09375]]> : tensor<2x3xf64>
  %c1 = arith.constant dense<[[-1.28125, -1.921875, -0.140625], [0.90625, -0.3125, -0.0625]]> : tensor<2x3xf64>
  %y0 = arith.addf %c0, %c1 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[-0.203125, -3.84375, 0.390625], [1.90625, -0.3125, -1.15625]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @arith_subf_f64() {
  %c0 = arith.constant dense<[[1.078125, -1.921875, 0.53125], [1.0, -0.0, -1.09375]]> : tensor<2x3xf64>
  %c1 = arith.constant dense<[[-1.28125, -1.921875, -0.140625], [0.90625, -0.3125, -0.0625]]> : tensor<2x3xf64>
  %y0 = arith.subf %c0, %c1 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[2.359375, 0.0, 0.671875], [0.09375, 0.3125, -1.03125]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @arith_mulf_f64() {
  %c0 = arith.constant dense<[[1.078125, -1.921875, 0.53125], [1.0, -0.0, -1.09375]]> : tensor<2x3xf64>
  %c1 = arith.constant dense<[[-1.28125, -1.921875, -0.140625], [0.90625, -0.3125, -0.0625]]> : tensor<2x3xf64>
  %y0 = arith.mulf %c0, %c1 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[-1.38134765625, 3.693603515625, -0.07470703125], [0.90625, 0.0, 0.068359375]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @arith_divf_f64() {
  %c0 = arith.constant dense<[[1.078125, -1.921875, 0.53125], [1.0, -0.0, -1.09375]]> : tensor<2x3xf64>
  %c1 = arith.constant dense<[[-1.28125, -1.921875, -0.140625], [0.90625, -0.3125, -0.0625]]> : tensor<2x3xf64>
  %y0 = arith.divf %c0, %c1 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[-0.8414634146341463, 1.0, -3.7777777777777777], [1.103448275862069, 0.0, 17.5]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @arith_remf_f64() {
  %c0 = arith.constant dense<[[1.078125, -1.921875, 0.53125], [1.0, -0.0, -1.09375]]> : tensor<2x3xf64>
  %c1 = arith.constant dense<[[-1.28125, -1.921875, -0.140625], [0.90625, -0.3125, -0.0625]]> : tensor<2x3xf64>
  %y0 = arith.remf %c0, %c1 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[1.078125, -0.0, 0.109375], [0.09375, -0.0, -0.03125]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @arith_maximumf_f64() {
  %c0 = arith.constant dense<[[0.0625, 1.09375, 1.484375], [-1.96875, -0.765625, 1.828125]]> : tensor<2x3xf64>
  %c1 = arith.constant dense<[[1.390625, -1.28125, -1.78125], [-0.546875, -0.890625, 0.125]]> : tensor<2x3xf64>
  %y0 = arith.maximumf %c0, %c1 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[1.390625, 1.09375, 1.484375], [-0.546875, -0.765625, 1.828125]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @arith_minimumf_f64() {
  %c0 = arith.constant dense<[[0.0625, 1.09375, 1.484375], [-1.96875, -0.765625, 1.828125]]> : tensor<2x3xf64>
  %c1 = arith.constant dense<[[1.390625, -1.28125, -1.78125], [-0.546875, -0.890625, 0.125]]> : tensor<2x3xf64>
  %y0 = arith.minimumf %c0, %c1 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[0.0625, -1.28125, -1.78125], [-1.96875, -0.890625, 0.125]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @arith_maxnumf_f64() {
  %c0 = arith.constant dense<[[1.109375, -1.046875, 1.296875], [1.859375, 1.890625, -0.1875]]> : tensor<2x3xf64>
  %c1 = arith.constant dense<[[0.0625, 1.09375, 1.484375], [-1.96875, -0.765625, 1.828125]]> : tensor<2x3xf64>
  %y0 = arith.maxnumf %c0, %c1 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[1.109375, 1.09375, 1.484375], [1.859375, 1.890625, 1.828125]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @arith_minnumf_f64() {
  %c0 = arith.constant dense<[[1.109375, -1.046875, 1.296875], [1.859375, 1.890625, -0.1875]]> : tensor<2x3xf64>
  %c1 = arith.constant dense<[[0.0625, 1.09375, 1.484375], [-1.96875, -0.765625, 1.828125]]> : tensor<2x3xf64>
  %y0 = arith.minnumf %c0, %c1 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[0.0625, -1.046875, 1.296875], [-1.96875, -0.765625, -0.1875]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_atan2_f64() {
  %c0 = arith.constant dense<[[1.078125, -1.921875, 0.53125], [1.0, -0.0, -1.09375]]> : tensor<2x3xf64>
  %c1 = arith.constant dense<[[-1.28125, -1.921875, -0.140625], [0.90625, -0.3125, -0.0625]]> : tensor<2x3xf64>
  %y0 = math.atan2 %c0, %c1 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[2.4420754412533294, -2.356194490192345, 1.8295672187585943], [0.8345388978134683, -3.141592653589793, -1.6278771092011612]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @math_copysign_f64() {
  %c0 = arith.constant dense<[[1.109375, -1.046875, 1.296875], [1.859375, 1.890625, -0.1875]]> : tensor<2x3xf64>
  %c1 = arith.constant dense<[[0.0625, 1.09375, 1.484375], [-1.96875, -0.765625, 1.828125]]> : tensor<2x3xf64>
  %y0 = math.copysign %c0, %c1 : tensor<2x3xf64>
  "check.close"(%y0) {expected = dense<[[1.109375, 1.046875, 1.296875], [-1.859375, -1.890625, 0.1875]]> : tensor<2x3xf64>, tolerance = 1.0e-13} : (tensor<2x3xf64>) -> ()
}

blocks.graph @powf_f64() {
  %c0 = arith.constant dense<[0.984375, 1.515625, 0.25, 0.78125, 0.5, 0.40625]> : tensor<6xf64>
  %c1 = arith.constant dense<[-0.25, -1.890625, 0.203125, -0.265625, -0.3125, -0.671875]> : tensor<6xf64>
  %y0 = math.powf %c0, %c1 : tensor<6xf64>
  "check.close"(%y0) {expected = dense<[1.0039448497591585, 0.4555842516167087, 0.7545822137967114, 1.067769836268367, 1.241857812073484, 1.8316477290926012]> : tensor<6xf64>, tolerance = 1.0e-13} : (tensor<6xf64>) -> ()
}

blocks.graph @cmpf_oeq_f64() {
  %c0 = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %c1 = arith.constant dense<[1.0, 3.0, 2.0]> : tensor<3xf64>
  %y0 = arith.cmpf oeq, %c0, %c1 : tensor<3xf64>
  "check.close"(%y0) {expected = dense<[true, false, false]> : tensor<3xi1>, tolerance = 0.0} : (tensor<3xi1>) -> ()
}

blocks.graph @cmpf_one_f64() {
  %c0 = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %c1 = arith.constant dense<[1.0, 3.0, 2.0]> : tensor<3xf64>
  %y0 = arith.cmpf one, %c0, %c1 : tensor<3xf64>
  "check.close"(%y0) {expected = dense<[false, true, true]> : tensor<3xi1>, tolerance = 0.0} : (tensor<3xi1>) -> ()
}

blocks.graph @cmpf_olt_f64() {
  %c0 = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %c1 = arith.constant dense<[1.0, 3.0, 2.0]> : tensor<3xf64>
  %y0 = arith.cmpf olt, %c0, %c1 : tensor<3xf64>
  "check.close"(%y0) {expected = dense<[false, true, false]> : tensor<3xi1>, tolerance = 0.0} : (tensor<3xi1>) -> ()
}

blocks.graph @cmpf_ole_f64() {
  %c0 = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %c1 = arith.constant dense<[1.0, 3.0, 2.0]> : tensor<3xf64>
  %y0 = arith.cmpf ole, %c0, %c1 : tensor<3xf64>
  "check.close"(%y0) {expected = dense<[true, true, false]> : tensor<3xi1>, tolerance = 0.0} : (tensor<3xi1>) -> ()
}

blocks.graph @cmpf_ogt_f64() {
  %c0 = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %c1 = arith.constant dense<[1.0, 3.0, 2.0]> : tensor<3xf64>
  %y0 = arith.cmpf ogt, %c0, %c1 : tensor<3xf64>
  "check.close"(%y0) {expected = dense<[false, false, true]> : tensor<3xi1>, tolerance = 0.0} : (tensor<3xi1>) -> ()
}

blocks.graph @cmpf_oge_f64() {
  %c0 = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %c1 = arith.constant dense<[1.0, 3.0, 2.0]> : tensor<3xf64>
  %y0 = arith.cmpf oge, %c0, %c1 : tensor<3xf64>
  "check.close"(%y0) {expected = dense<[true, false, true]> : tensor<3xi1>, tolerance = 0.0} : (tensor<3xi1>) -> ()
}

blocks.graph @select_f64() {
  %c0 = arith.constant dense<[true, false, true, false]> : tensor<4xi1>
  %c1 = arith.constant dense<[0.203125, 0.828125, -0.84375, 0.046875]> : tensor<4xf64>
  %c2 = arith.constant dense<[1.875, 0.1875, 1.890625, 0.859375]> : tensor<4xf64>
  %y0 = arith.select %c0, %c1, %c2 : tensor<4xi1>, tensor<4xf64>
  "check.close"(%y0) {expected = dense<[0.203125, 0.1875, -0.84375, 0.859375]> : tensor<4xf64>, tolerance = 1.0e-13} : (tensor<4xf64>) -> ()
}

blocks.graph @rectifier_f64() {
  %c0 = arith.constant dense<[[-1.109375, 1.484375, -1.171875, 1.671875, -0.046875], [0.453125, 1.0625, 0.078125, -0.8125, -1.25]]> : tensor<2x5xf64>
  %y0 = blocks.rectifier %c0 : tensor<2x5xf64>
  "check.close"(%y0) {expected = dense<[[0.0, 1.484375, 0.0, 1.671875, 0.0], [0.453125, 1.0625, 0.078125, 0.0, 0.0]]> : tensor<2x5xf64>, tolerance = 1.0e-13} : (tensor<2x5xf64>) -> ()
}

blocks.graph @leaky_rectifier_f64() {
  %c0 = arith.constant dense<[[-1.109375, 1.484375, -1.171875, 1.671875, -0.046875], [0.453125, 1.0625, 0.078125, -0.8125, -1.25]]> : tensor<2x5xf64>
  %y0 = blocks.rectifier %c0 leak 0.25 : tensor<2x5xf64>
  "check.close"(%y0) {expected = dense<[[-0.27734375, 1.484375, -0.29296875, 1.671875, -0.01171875], [0.453125, 1.0625, 0.078125, -0.203125, -0.3125]]> : tensor<2x5xf64>, tolerance = 1.0e-13} : (tensor<2x5xf64>) -> ()
}

blocks.graph @logistic_f64() {
  %c0 = arith.constant dense<[[-1.109375, 1.484375, -1.171875, 1.671875, -0.046875], [0.453125, 1.0625, 0.078125, -0.8125, -1.25]]> : tensor<2x5xf64>
  %y0 = blocks.logistic %c0 : tensor<2x5xf64>
  "check.close"(%y0) {expected = dense<[[0.24798742624020273, 0.8152324893520001, 0.2365162364457076, 0.8418256472515682, 0.48828339529583464], [0.6113819732941511, 0.7431680086124811, 0.5195213219520929, 0.30735801686526387, 0.22270013882530884]]> : tensor<2x5xf64>, tolerance = 1.0e-13} : (tensor<2x5xf64>) -> ()
}

blocks.graph @arith_negf_f32() {
  %c0 = arith.constant dense<[[1.078125, -1.921875, 0.53125], [1.0, -0.0, -1.09375]]> : tensor<2x3xf32>
  %y0 = arith.negf %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[-1.078125, 1.921875, -0.53125], [-1.0, 0.0, 1.09375]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_absf_f32() {
  %c0 = arith.constant dense<[[-1.953125, 0.0, -0.015625], [-1.46875, -1.4375, -1.125]]> : tensor<2x3xf32>
  %y0 = math.absf %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[1.953125, 0.0, 0.015625], [1.46875, 1.4375, 1.125]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_ceil_f32() {
  %c0 = arith.constant dense<[[-1.953125, 0.0, -0.015625], [-1.46875, -1.4375, -1.125]]> : tensor<2x3xf32>
  %y0 = math.ceil %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[-1.0, 0.0, -0.0], [-1.0, -1.0, -1.0]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_floor_f32() {
  %c0 = arith.constant dense<[[1.078125, -1.921875, 0.53125], [1.0, -0.0, -1.09375]]> : tensor<2x3xf32>
  %y0 = math.floor %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[1.0, -2.0, 0.0], [1.0, -0.0, -2.0]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_roundeven_f32() {
  %c0 = arith.constant dense<[[0.0625, 1.09375, 1.484375], [-1.96875, -0.765625, 1.828125]]> : tensor<2x3xf32>
  %y0 = math.roundeven %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[0.0, 1.0, 1.0], [-2.0, -1.0, 2.0]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_trunc_f32() {
  %c0 = arith.constant dense<[[1.078125, -1.921875, 0.53125], [1.0, -0.0, -1.09375]]> : tensor<2x3xf32>
  %y0 = math.trunc %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[1.0, -1.0, 0.0], [1.0, -0.0, -1.0]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_exp_f32() {
  %c0 = arith.constant dense<[[1.5, 1.875, 1.484375], [0.125, -1.0625, -1.953125]]> : tensor<2x3xf32>
  %y0 = math.exp %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[4.481688976287842, 6.520819187164307, 4.412207126617432], [1.133148431777954, 0.345590740442276, 0.14183016121387482]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_exp2_f32() {
  %c0 = arith.constant dense<[[-1.953125, 0.0, -0.015625], [-1.46875, -1.4375, -1.125]]> : tensor<2x3xf32>
  %y0 = math.exp2 %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[0.2582562267780304, 1.0, 0.9892280101776123], [0.3612951934337616, 0.3692065477371216, 0.45850202441215515]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_expm1_f32() {
  %c0 = arith.constant dense<[[1.078125, -1.921875, 0.53125], [1.0, -0.0, -1.09375]]> : tensor<2x3xf32>
  %y0 = math.expm1 %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[1.9391634464263916, -0.853667676448822, 0.7010573148727417], [1.718281865119934, -0.0, -0.665041983127594]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_sin_f32() {
  %c0 = arith.constant dense<[[1.5, 1.875, 1.484375], [0.125, -1.0625, -1.953125]]> : tensor<2x3xf32>
  %y0 = math.sin %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[0.9974949955940247, 0.9540857672691345, 0.9962679743766785], [0.1246747300028801, -0.8735749125480652, -0.9277983903884888]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_cos_f32() {
  %c0 = arith.constant dense<[[1.5, 1.875, 1.484375], [0.125, -1.0625, -1.953125]]> : tensor<2x3xf32>
  %y0 = math.cos %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[0.07073719799518585, -0.29953351616859436, 0.08631379157304764], [0.9921976923942566, 0.48668965697288513, -0.3730820119380951]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_tan_f32() {
  %c0 = arith.constant dense<[[1.5, 1.875, 1.484375], [0.125, -1.0625, -1.953125]]> : tensor<2x3xf32>
  %y0 = math.tan %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[14.101420402526855, -3.185238838195801, 11.542396545410156], [0.1256551295518875, -1.7949321269989014, 2.4868483543395996]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_atan_f32() {
  %c0 = arith.constant dense<[[-1.953125, 0.0, -0.015625], [-1.46875, -1.4375, -1.125]]> : tensor<2x3xf32>
  %y0 = math.atan %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[-1.0975948572158813, 0.0, -0.01562372874468565], [-0.9730379581451416, -0.9629943370819092, -0.8441540002822876]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_sinh_f32() {
  %c0 = arith.constant dense<[[-1.953125, 0.0, -0.015625], [-1.46875, -1.4375, -1.125]]> : tensor<2x3xf32>
  %y0 = math.sinh %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[-3.454428195953369, 0.0, -0.015625635161995888], [-2.0567944049835205, -1.9863182306289673, -1.3777822256088257]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_cosh_f32() {
  %c0 = arith.constant dense<[[-1.953125, 0.0, -0.015625], [-1.46875, -1.4375, -1.125]]> : tensor<2x3xf32>
  %y0 = math.cosh %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[3.5962584018707275, 1.0, 1.0001220703125], [2.2870075702667236, 2.223839044570923, 1.7024346590042114]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_tanh_f32() {
  %c0 = arith.constant dense<[[-1.953125, 0.0, -0.015625], [-1.46875, -1.4375, -1.125]]> : tensor<2x3xf32>
  %y0 = math.tanh %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[-0.9605617523193359, 0.0, -0.01562372874468565], [-0.8993387222290039, -0.8931933641433716, -0.8093010783195496]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_asinh_f32() {
  %c0 = arith.constant dense<[[1.078125, -1.921875, 0.53125], [1.0, -0.0, -1.09375]]> : tensor<2x3xf32>
  %y0 = math.asinh %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[0.9355517625808716, -1.4081408977508545, 0.5089865922927856], [0.8813735842704773, -0.0, -0.9461361765861511]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_erf_f32() {
  %c0 = arith.constant dense<[[1.5, 1.875, 1.484375], [0.125, -1.0625, -1.953125]]> : tensor<2x3xf32>
  %y0 = math.erf %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[0.9661051630973816, 0.9919900298118591, 0.9642027616500854], [0.1403162032365799, -0.867058277130127, -0.9942575693130493]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_cbrt_f32() {
  %c0 = arith.constant dense<[[-1.953125, 0.0, -0.015625], [-1.46875, -1.4375, -1.125]]> : tensor<2x3xf32>
  %y0 = math.cbrt %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[-1.25, 0.0, -0.25], [-1.1367089748382568, -1.128589391708374, -1.0400419235229492]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_log_f32() {
  %c0 = arith.constant dense<[[3.5, 3.875, 3.484375], [2.171875, 1.0, 0.140625]]> : tensor<2x3xf32>
  %y0 = math.log %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[1.2527629137039185, 1.3545457124710083, 1.248288631439209], [0.7755908370018005, 0.0, -1.9616584777832031]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_log1p_f32() {
  %c0 = arith.constant dense<[[3.109375, 0.1875, 2.578125], [3.015625, 2.046875, 0.984375]]> : tensor<2x3xf32>
  %y0 = math.log1p %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[1.4132709503173828, 0.1718502640724182, 1.274838924407959], [1.390192985534668, 1.1141164302825928, 0.6853039860725403]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_log2_f32() {
  %c0 = arith.constant dense<[[0.140625, 2.0625, 2.03125], [0.625, 0.65625, 0.953125]]> : tensor<2x3xf32>
  %y0 = math.log2 %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[-2.8300750255584717, 1.0443941354751587, 1.0223678350448608], [-0.678071916103363, -0.6076825857162476, -0.06926266103982925]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_log10_f32() {
  %c0 = arith.constant dense<[[3.109375, 0.1875, 2.578125], [3.015625, 2.046875, 0.984375]]> : tensor<2x3xf32>
  %y0 = math.log10 %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[0.4926730990409851, -0.7269987463951111, 0.41130396723747253], [0.4793773293495178, 0.3110913336277008, -0.00683942437171936]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_sqrt_f32() {
  %c0 = arith.constant dense<[[0.140625, 2.0625, 2.03125], [0.625, 0.65625, 0.953125]]> : tensor<2x3xf32>
  %y0 = math.sqrt %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[0.375, 1.4361406564712524, 1.4252192974090576], [0.7905694246292114, 0.810092568397522, 0.9762812256813049]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_rsqrt_f32() {
  %c0 = arith.constant dense<[[3.109375, 0.1875, 2.578125], [3.015625, 2.046875, 0.984375]]> : tensor<2x3xf32>
  %y0 = math.rsqrt %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[0.5671049356460571, 2.309401035308838, 0.6227991580963135], [0.5758525729179382, 0.6989632248878479, 1.0079052448272705]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_asin_f32() {
  %c0 = arith.constant dense<[[-0.875, 0.0, -0.0], [-0.65625, -0.640625, -0.5]]> : tensor<2x3xf32>
  %y0 = math.asin %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[-1.065435767173767, 0.0, -0.0], [-0.7158380746841431, -0.695311963558197, -0.5235987901687622]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_acos_f32() {
  %c0 = arith.constant dense<[[-0.875, 0.0, -0.0], [-0.65625, -0.640625, -0.5]]> : tensor<2x3xf32>
  %y0 = math.acos %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[2.6362321376800537, 1.5707963705062866, 1.5707963705062866], [2.2866344451904297, 2.266108274459839, 2.094395160675049]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_atanh_f32() {
  %c0 = arith.constant dense<[[0.484375, -0.859375, 0.234375], [0.453125, -0.0, -0.5]]> : tensor<2x3xf32>
  %y0 = math.atanh %c0 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[0.528684675693512, -1.2909494638442993, 0.23881377279758453], [0.488625705242157, -0.0, -0.5493061542510986]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @arith_addf_f32() {
  %c0 = arith.constant dense<[[1.078125, -1.921875, 0.53125], [1.0, -0.0, -1.09375]]> : tensor<2x3xf32>
  %c1 = arith.constant dense<[[-1.28125, -1.921875, -0.140625], [0.90625, -0.3125, -0.0625]]> : tensor<2x3xf32>
  %y0 = arith.addf %c0, %c1 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[-0.203125, -3.84375, 0.390625], [1.90625, -0.3125, -1.15625]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @arith_subf_f32() {
  %c0 = arith.constant dense<[[1.078125, -1.921875, 0.53125], [1.0, -0.0, -1.09375]]> : tensor<2x3xf32>
  %c1 = arith.constant dense<[[-1.28125, -1.921875, -0.140625], [0.90625, -0.3125, -0.0625]]> : tensor<2x3xf32>
  %y0 = arith.subf %c0, %c1 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[2.359375, 0.0, 0.671875], [0.09375, 0.3125, -1.03125]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @arith_mulf_f32() {
  %c0 = arith.constant dense<[[1.078125, -1.921875, 0.53125], [1.0, -0.0, -1.09375]]> : tensor<2x3xf32>
  %c1 = arith.constant dense<[[-1.28125, -1.921875, -0.140625], [0.90625, -0.3125, -0.0625]]> : tensor<2x3xf32>
  %y0 = arith.mulf %c0, %c1 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[-1.38134765625, 3.693603515625, -0.07470703125], [0.90625, 0.0, 0.068359375]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @arith_divf_f32() {
  %c0 = arith.constant dense<[[1.078125, -1.921875, 0.53125], [1.0, -0.0, -1.09375]]> : tensor<2x3xf32>
  %c1 = arith.constant dense<[[-1.28125, -1.921875, -0.140625], [0.90625, -0.3125, -0.0625]]> : tensor<2x3xf32>
  %y0 = arith.divf %c0, %c1 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[-0.8414633870124817, 1.0, -3.777777671813965], [1.1034482717514038, 0.0, 17.5]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @arith_remf_f32() {
  %c0 = arith.constant dense<[[1.078125, -1.921875, 0.53125], [1.0, -0.0, -1.09375]]> : tensor<2x3xf32>
  %c1 = arith.constant dense<[[-1.28125, -1.921875, -0.140625], [0.90625, -0.3125, -0.0625]]> : tensor<2x3xf32>
  %y0 = arith.remf %c0, %c1 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[1.078125, -0.0, 0.109375], [0.09375, -0.0, -0.03125]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @arith_maximumf_f32() {
  %c0 = arith.constant dense<[[0.0625, 1.09375, 1.484375], [-1.96875, -0.765625, 1.828125]]> : tensor<2x3xf32>
  %c1 = arith.constant dense<[[1.390625, -1.28125, -1.78125], [-0.546875, -0.890625, 0.125]]> : tensor<2x3xf32>
  %y0 = arith.maximumf %c0, %c1 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[1.390625, 1.09375, 1.484375], [-0.546875, -0.765625, 1.828125]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @arith_minimumf_f32() {
  %c0 = arith.constant dense<[[0.0625, 1.09375, 1.484375], [-1.96875, -0.765625, 1.828125]]> : tensor<2x3xf32>
  %c1 = arith.constant dense<[[1.390625, -1.28125, -1.78125], [-0.546875, -0.890625, 0.125]]> : tensor<2x3xf32>
  %y0 = arith.minimumf %c0, %c1 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[0.0625, -1.28125, -1.78125], [-1.96875, -0.890625, 0.125]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @arith_maxnumf_f32() {
  %c0 = arith.constant dense<[[1.109375, -1.046875, 1.296875], [1.859375, 1.890625, -0.1875]]> : tensor<2x3xf32>
  %c1 = arith.constant dense<[[0.0625, 1.09375, 1.484375], [-1.96875, -0.765625, 1.828125]]> : tensor<2x3xf32>
  %y0 = arith.maxnumf %c0, %c1 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[1.109375, 1.09375, 1.484375], [1.859375, 1.890625, 1.828125]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @arith_minnumf_f32() {
  %c0 = arith.constant dense<[[1.109375, -1.046875, 1.296875], [1.859375, 1.890625, -0.1875]]> : tensor<2x3xf32>
  %c1 = arith.constant dense<[[0.0625, 1.09375, 1.484375], [-1.96875, -0.765625, 1.828125]]> : tensor<2x3xf32>
  %y0 = arith.minnumf %c0, %c1 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[0.0625, -1.046875, 1.296875], [-1.96875, -0.765625, -0.1875]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_atan2_f32() {
  %c0 = arith.constant dense<[[1.078125, -1.921875, 0.53125], [1.0, -0.0, -1.09375]]> : tensor<2x3xf32>
  %c1 = arith.constant dense<[[-1.28125, -1.921875, -0.140625], [0.90625, -0.3125, -0.0625]]> : tensor<2x3xf32>
  %y0 = math.atan2 %c0, %c1 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[2.442075490951538, -2.356194496154785, 1.8295671939849854], [0.8345388770103455, -3.1415927410125732, -1.627877116203308]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @math_copysign_f32() {
  %c0 = arith.constant dense<[[1.109375, -1.046875, 1.296875], [1.859375, 1.890625, -0.1875]]> : tensor<2x3xf32>
  %c1 = arith.constant dense<[[0.0625, 1.09375, 1.484375], [-1.96875, -0.765625, 1.828125]]> : tensor<2x3xf32>
  %y0 = math.copysign %c0, %c1 : tensor<2x3xf32>
  "check.close"(%y0) {expected = dense<[[1.109375, 1.046875, 1.296875], [-1.859375, -1.890625, 0.1875]]> : tensor<2x3xf64>, tolerance = 1.0e-06} : (tensor<2x3xf32>) -> ()
}

blocks.graph @powf_f32() {
  %c0 = arith.constant dense<[0.984375, 1.515625, 0.25, 0.78125, 0.5, 0.40625]> : tensor<6xf32>
  %c1 = arith.constant dense<[-0.25, -1.890625, 0.203125, -0.265625, -0.3125, -0.671875]> : tensor<6xf32>
  %y0 = math.powf %c0, %c1 : tensor<6xf32>
  "check.close"(%y0) {expected = dense<[1.0039448738098145, 0.45558425784111023, 0.7545822262763977, 1.0677698850631714, 1.2418577671051025, 1.8316477537155151]> : tensor<6xf64>, tolerance = 1.0e-06} : (tensor<6xf32>) -> ()
}

blocks.graph @cmpf_oeq_f32() {
  %c0 = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %c1 = arith.constant dense<[1.0, 3.0, 2.0]> : tensor<3xf32>
  %y0 = arith.cmpf oeq, %c0, %c1 : tensor<3xf32>
  "check.close"(%y0) {expected = dense<[true, false, false]> : tensor<3xi1>, tolerance = 0.0} : (tensor<3xi1>) -> ()
}

blocks.graph @cmpf_one_f32() {
  %c0 = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %c1 = arith.constant dense<[1.0, 3.0, 2.0]> : tensor<3xf32>
  %y0 = arith.cmpf one, %c0, %c1 : tensor<3xf32>
  "check.close"(%y0) {expected = dense<[false, true, true]> : tensor<3xi1>, tolerance = 0.0} : (tensor<3xi1>) -> ()
}

blocks.graph @cmpf_olt_f32() {
  %c0 = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %c1 = arith.constant dense<[1.0, 3.0, 2.0]> : tensor<3xf32>
  %y0 = arith.cmpf olt, %c0, %c1 : tensor<3xf32>
  "check.close"(%y0) {expected = dense<[false, true, false]> : tensor<3xi1>, tolerance = 0.0} : (tensor<3xi1>) -> ()
}

blocks.graph @cmpf_ole_f32() {
  %c0 = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %c1 = arith.constant dense<[1.0, 3.0, 2.0]> : tensor<3xf32>
  %y0 = arith.cmpf ole, %c0, %c1 : tensor<3xf32>
  "check.close"(%y0) {expected = dense<[true, true, false]> : tensor<3xi1>, tolerance = 0.0} : (tensor<3xi1>) -> ()
}

blocks.graph @cmpf_ogt_f32() {
  %c0 = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %c1 = arith.constant dense<[1.0, 3.0, 2.0]> : tensor<3xf32>
  %y0 = arith.cmpf ogt, %c0, %c1 : tensor<3xf32>
  "check.close"(%y0) {expected = dense<[false, false, true]> : tensor<3xi1>, tolerance = 0.0} : (tensor<3xi1>) -> ()
}

blocks.graph @cmpf_oge_f32() {
  %c0 = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %c1 = arith.constant dense<[1.0, 3.0, 2.0]> : tensor<3xf32>
  %y0 = arith.cmpf oge, %c0, %c1 : tensor<3xf32>
  "check.close"(%y0) {expected = dense<[true, false, true]> : tensor<3xi1>, tolerance = 0.0} : (tensor<3xi1>) -> ()
}

blocks.graph @select_f32() {
  %c0 = arith.constant dense<[true, false, true, false]> : tensor<4xi1>
  %c1 = arith.constant dense<[0.203125, 0.828125, -0.84375, 0.046875]> : tensor<4xf32>
  %c2 = arith.constant dense<[1.875, 0.1875, 1.890625, 0.859375]> : tensor<4xf32>
  %y0 = arith.select %c0, %c1, %c2 : tensor<4xi1>, tensor<4xf32>
  "check.close"(%y0) {expected = dense<[0.203125, 0.1875, -0.84375, 0.859375]> : tensor<4xf64>, tolerance = 1.0e-06} : (tensor<4xf32>) -> ()
}

blocks.graph @rectifier_f32() {
  %c0 = arith.constant dense<[[-1.109375, 1.484375, -1.171875, 1.671875, -0.046875], [0.453125, 1.0625, 0.078125, -0.8125, -1.25]]> : tensor<2x5xf32>
  %y0 = blocks.rectifier %c0 : tensor<2x5xf32>
  "check.close"(%y0) {expected = dense<[[0.0, 1.484375, 0.0, 1.671875, 0.0], [0.453125, 1.0625, 0.078125, 0.0, 0.0]]> : tensor<2x5xf64>, tolerance = 1.0e-06} : (tensor<2x5xf32>) -> ()
}

blocks.graph @leaky_rectifier_f32() {
  %c0 = arith.constant dense<[[-1.109375, 1.484375, -1.171875, 1.671875, -0.046875], [0.453125, 1.0625, 0.078125, -0.8125, -1.25]]> : tensor<2x5xf32>
  %y0 = blocks.rectifier %c0 leak 0.25 : tensor<2x5xf32>
  "check.close"(%y0) {expected = dense<[[-0.27734375, 1.484375, -0.29296875, 1.671875, -0.01171875], [0.453125, 1.0625, 0.078125, -0.203125, -0.3125]]> : tensor<2x5xf64>, tolerance = 1.0e-06} : (tensor<2x5xf32>) -> ()
}

blocks.graph @logistic_f32() {
  %c0 = arith.constant dense<[[-1.109375, 1.484375, -1.171875, 1.671875, -0.046875], [0.453125, 1.0625, 0.078125, -0.8125, -1.25]]> : tensor<2x5xf32>
  %y0 = blocks.logistic %c0 : tensor<2x5xf32>
  "check.close"(%y0) {expected = dense<[[0.24798741936683655, 0.815232515335083, 0.23651623725891113, 0.8418256640434265, 0.4882833957672119], [0.6113819479942322, 0.7431679964065552, 0.5195212960243225, 0.3073580265045166, 0.22270013391971588]]> : tensor<2x5xf64>, tolerance = 1.0e-06} : (tensor<2x5xf32>) -> ()
}

blocks.graph @rectifier_special() {
  %c0 = arith.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0]> : tensor<5xf64>
  %y0 = blocks.rectifier %c0 : tensor<5xf64>
  "check.close"(%y0) {expected = dense<[0x7FF8000000000000, 0x7FF0000000000000, 0.0, 0.0, 0.0]> : tensor<5xf64>, tolerance = 1.0e-13} : (tensor<5xf64>) -> ()
}

blocks.graph @logistic_special() {
  %c0 = arith.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0]> : tensor<5xf64>
  %y0 = blocks.logistic %c0 : tensor<5xf64>
  "check.close"(%y0) {expected = dense<[0x7FF8000000000000, 1.0, 0.0, 0.5, 0.5]> : tensor<5xf64>, tolerance = 1.0e-13} : (tensor<5xf64>) -> ()
}

blocks.graph @maximum_of_nan() {
  %c0 = arith.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0]> : tensor<5xf64>
  %c1 = arith.constant dense<[1.0, 1.0, 1.0, 1.0, 1.0]> : tensor<5xf64>
  %y0 = arith.maximumf %c0, %c1 : tensor<5xf64>
  "check.close"(%y0) {expected = dense<[0x7FF8000000000000, 0x7FF0000000000000, 1.0, 1.0, 1.0]> : tensor<5xf64>, tolerance = 1.0e-13} : (tensor<5xf64>) -> ()
}

blocks.graph @maxnum_of_nan() {
  %c0 = arith.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0]> : tensor<5xf64>
  %c1 = arith.constant dense<[1.0, 1.0, 1.0, 1.0, 1.0]> : tensor<5xf64>
  %y0 = arith.maxnumf %c0, %c1 : tensor<5xf64>
  "check.close"(%y0) {expected = dense<[1.0, 0x7FF0000000000000, 1.0, 1.0, 1.0]> : tensor<5xf64>, tolerance = 1.0e-13} : (tensor<5xf64>) -> ()
}

blocks.graph @unordered_compare() {
  %c0 = arith.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0]> : tensor<5xf64>
  %y0 = arith.cmpf une, %c0, %c0 : tensor<5xf64>
  "check.close"(%y0) {expected = dense<[true, false, false, false, false]> : tensor<5xi1>, tolerance = 0.0} : (tensor<5xi1>) -> ()
}
