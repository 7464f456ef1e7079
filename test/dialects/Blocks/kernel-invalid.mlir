// RUN: blocks-opt %s --split-input-file --verify-diagnostics

gpu.module @b {
  // expected-error @+1 {{C1: stands at the module's top, beside bricks and graphs}}
  blocks.kernel @kernel_c1(%x: tensor<f32>) -> tensor<f32> {
    blocks.return %x : tensor<f32>
  }
}

// -----

// expected-error @+1 {{C2: argument 0 is 'tensor<4xf16>'; expected a tensor of f32, f64 or integers of 8 to 64 bits}}
blocks.kernel @kernel_c2(%x: tensor<4xf16>) -> tensor<4xf16> {
  blocks.return %x : tensor<4xf16>
}

// -----

// expected-error @+1 {{C2: has no result}}
blocks.kernel @kernel_c2_result(%x: tensor<4xf32>) {
  blocks.return
}

// -----

// expected-error @+1 {{C3: axis 0 of argument 0 (?x4) is dynamic and has no name; add {blocks.axes = ["n", …]}}}
blocks.kernel @kernel_c3(%x: tensor<?x4xf32>) -> tensor<4xf32> {
  %y = blocks.reduce sum %x dims [0] : tensor<?x4xf32> to tensor<4xf32>
  blocks.return %y : tensor<4xf32>
}

// -----

// expected-error @+1 {{C3: blocks.axes of argument 0 must be an array of 2 strings, one for each axis of ?x4}}
blocks.kernel @kernel_c3_count(%x: tensor<?x4xf32> {blocks.axes = ["n"]}) -> tensor<4xf32> {
  %y = blocks.reduce sum %x dims [0] : tensor<?x4xf32> to tensor<4xf32>
  blocks.return %y : tensor<4xf32>
}

// -----

// expected-error @+1 {{C4: axis 'm' of result 0 is none of the arguments', so its extent is not known}}
blocks.kernel @kernel_c4(%x: tensor<?xf32> {blocks.axes = ["n"]}) -> (tensor<?xf32> {blocks.axes = ["m"]}) {
  blocks.return %x : tensor<?xf32>
}

// -----

// expected-error @+1 {{C4: axis 'n' has extent 5 in argument 1 and 4 before}}
blocks.kernel @kernel_c4_extent(%x: tensor<4xf32> {blocks.axes = ["n"]}, %y: tensor<5xf32> {blocks.axes = ["n"]}) -> tensor<4xf32> {
  blocks.return %x : tensor<4xf32>
}

// -----

blocks.brick @p {
  blocks.parameter @a : tensor<4xf32> roles [parameter] init #blocks.constant<0.0>
}
blocks.kernel @kernel_c5(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{C5: cannot stand in the body of kernel @kernel_c5, which holds pure tensor operations; hand what it gives to the kernel as an argument}}
  %a = blocks.get @p::@a : tensor<4xf32>
  %y = arith.addf %x, %a : tensor<4xf32>
  blocks.return %y : tensor<4xf32>
}

// -----

blocks.kernel @kernel_c5_return(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
  // expected-error @+1 {{returns ('tensor<4xf32>'), but kernel kernel_c5_return declares ('tensor<4xf32>', 'tensor<f32>')}}
  blocks.return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{C6: blocks of 2048 threads; expected 1 to 1024}}
blocks.kernel @kernel_c6(%x: tensor<4xf32>) -> tensor<4xf32> attributes {cuda = ["// kernel_c6"], block = 2048 : i64} {
  blocks.return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{C6: the grid spans axis 'm', which no argument has}}
blocks.kernel @kernel_c6_grid(%x: tensor<?xf32> {blocks.axes = ["n"]}) -> (tensor<?xf32> {blocks.axes = ["n"]})
    attributes {cuda = ["// kernel_c6"], grid = ["m"]} {
  blocks.return %x : tensor<?xf32>
}

// -----

// expected-error @+1 {{C7: has 'entry', but no source; add cuda = ["…"] or cuda_file = "….cu"}}
blocks.kernel @kernel_c7(%x: tensor<4xf32>) -> tensor<4xf32> attributes {entry = "f"} {
  blocks.return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{C8: there is no kernel @nowhere for the gradient}}
blocks.kernel @kernel_c8(%x: tensor<4xf32>) -> tensor<4xf32> attributes {gradient = @nowhere} {
  blocks.return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{C8: the gradient @gradient is '(tensor<4xf32>) -> tensor<4xf32>'; expected inputs, results and gradients of floating-point results to gradients of floating-point inputs: '(tensor<4xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>'}}
blocks.kernel @kernel_c8_types(%x: tensor<4xf32>, %i: tensor<4xi32>) -> tensor<4xf32> attributes {gradient = @gradient} {
  blocks.return %x : tensor<4xf32>
}
// expected-note @+1 {{the gradient is here}}
blocks.kernel @gradient(%x: tensor<4xf32>) -> tensor<4xf32> {
  blocks.return %x : tensor<4xf32>
}

// -----

blocks.graph @call_kernel_c1(%x: tensor<4xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{C1: there is no kernel @nowhere}}
  %y = blocks.call_kernel @nowhere(%x) : (tensor<4xf32>) -> tensor<4xf32>
}

// -----

// expected-note @+1 {{the kernel is here}}
blocks.kernel @k(%x: tensor<?x4xf32> {blocks.axes = ["n", ""]}) -> (tensor<?x4xf32> {blocks.axes = ["n", ""]}) {
  blocks.return %x : tensor<?x4xf32>
}
blocks.graph @call_kernel_c2(%x: tensor<3x5xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{C2: input 0 is 'tensor<3x5xf32>', but kernel @k takes 'tensor<?x4xf32>'}}
  %y = blocks.call_kernel @k(%x) : (tensor<3x5xf32>) -> tensor<3x5xf32>
}

// -----

// expected-note @+1 {{the kernel is here}}
blocks.kernel @k(%x: tensor<?xf32> {blocks.axes = ["n"]}, %z: tensor<?xf32> {blocks.axes = ["n"]}) -> (tensor<?xf32> {blocks.axes = ["n"]}) {
  %y = arith.addf %x, %z : tensor<?xf32>
  blocks.return %y : tensor<?xf32>
}
blocks.graph @call_kernel_c3(%x: tensor<3xf32> {blocks.source = "x"}, %z: tensor<5xf32> {blocks.source = "z"}) {
  // expected-error @+1 {{C3: axis 'n' of kernel @k has extent 5 in input 1 (5) and 3 in another}}
  %y = blocks.call_kernel @k(%x, %z) : (tensor<3xf32>, tensor<5xf32>) -> tensor<3xf32>
}

// -----

// expected-note @+1 {{the kernel is here}}
blocks.kernel @k(%x: tensor<?xf32> {blocks.axes = ["n"]}) -> (tensor<?xf32> {blocks.axes = ["n"]}) {
  blocks.return %x : tensor<?xf32>
}
blocks.graph @call_kernel_c4(%x: tensor<3xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{C4: result 0 of kernel @k is 'tensor<3xf32>' here, found 'tensor<?xf32>'}}
  %y = blocks.call_kernel @k(%x) : (tensor<3xf32>) -> tensor<?xf32>
}

// -----

// expected-note @+1 {{the kernel is here}}
blocks.kernel @k(%x: tensor<?xf32> {blocks.axes = ["n"]}) -> (tensor<?xf32> {blocks.axes = ["n"]}) {
  blocks.return %x : tensor<?xf32>
}
blocks.graph @call_kernel_c4_count(%x: tensor<3xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{C4: has 2 results, but kernel @k has 1}}
  %y:2 = blocks.call_kernel @k(%x) : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
}
