// RUN: blocks-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{argument 0 names no source; add {blocks.source = "features"}}}
blocks.graph @g(%x: tensor<?x3xf32>) {
}

// -----

// expected-error @+1 {{names source "x" twice}}
blocks.graph @g(%x: tensor<?x3xf32> {blocks.source = "x"}, %y: tensor<?x3xf32> {blocks.source = "x"}) {
}

// -----

// expected-error @+1 {{source "x" has rank 2, but blocks.axes names 1 axes}}
blocks.graph @g(%x: tensor<?x3xf32> {blocks.source = "x", blocks.axes = ["batch"]}) {
}

// -----

blocks.graph @g(%x: tensor<f32> {blocks.source = "x"}) {
  blocks.output %x "a" : tensor<f32>
  // expected-error @+1 {{graph @g has two outputs named "a"}}
  blocks.output %x "a" : tensor<f32>
}

// -----

blocks.graph @g(%x: tensor<?x3xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{cost "c" must be a scalar; found ?x3; reduce it to its mean first}}
  blocks.output %x "c" roles [cost] : tensor<?x3xf32>
}

// -----

blocks.graph @g(%x: tensor<?x3xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{"c" is aggregated by mean, so it must be a scalar; found ?x3}}
  blocks.output %x "c" aggregate mean : tensor<?x3xf32>
}

// -----

blocks.graph @g(%x: tensor<f32> {blocks.source = "x"}) {
  // expected-error @+1 {{needs a name without control characters or invalid UTF-8, such as "cost"}}
  blocks.output %x "a\0Ab" : tensor<f32>
}

// -----

// expected-error @+1 {{argument 0 names a source with control characters or invalid UTF-8}}
blocks.graph @g(%x: tensor<f32> {blocks.source = "a\FFb"}) {
}
