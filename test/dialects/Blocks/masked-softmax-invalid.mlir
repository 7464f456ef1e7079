// RUN: blocks-opt %s --split-input-file --verify-diagnostics

// A mask for every position, not one a row.
blocks.graph @softmax_c2(%x: tensor<4x3xf32> {blocks.source = "x"}, %m: tensor<4xi1> {blocks.source = "m"}) {
  // expected-error @+1 {{C2: the mask has shape 4, expected that of the input, 4x3}}
  %0 = blocks.softmax %x masked %m : tensor<4x3xf32>, tensor<4xi1>
}
