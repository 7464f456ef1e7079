// RUN: blocks-opt --stop-after=expand-bricks %s | FileCheck %s --check-prefix=BRICKS
// RUN: blocks-opt --stop-after=step-rules %s | FileCheck %s --check-prefix=RULES
// RUN: not blocks-opt --stop-after=linalg %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// BRICKS: blocks.parameter @W : tensor<4x2xf32>
// BRICKS: blocks.apply @linear::@apply
// RULES: blocks.graph @train
// RULES: blocks.assign @linear::@W
// UNKNOWN: there is no stage 'linalg'; the stages are expand-bricks

blocks.brick @linear = "Linear" {input_dim = 4, output_dim = 2}
blocks.graph @cost(%x: tensor<?x4xf32> {blocks.source = "x"}) {
  %y = blocks.apply @linear::@apply(%x) : (tensor<?x4xf32>) -> tensor<?x2xf32>
  %s = blocks.reduce sum %y dims [0, 1] : tensor<?x2xf32> to tensor<f32>
  blocks.output %s "cost" roles [cost] : tensor<f32>
}
