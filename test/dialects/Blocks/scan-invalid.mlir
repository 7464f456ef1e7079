// The labels are those of ScanOp.td.
// RUN: blocks-opt %s -split-input-file -verify-diagnostics

blocks.graph @scan_c1(%h0: tensor<?x8xf32> {blocks.source = "h"}) {
  // expected-error @+1 {{C1: needs at least one sequence}}
  %hs = blocks.scan states(%h0) : (tensor<?x8xf32>) -> tensor<?x?x8xf32> {
  ^bb0(%t: index, %h: tensor<?x8xf32>):
    blocks.yield states(%h : tensor<?x8xf32>)
  }
}

// -----

blocks.graph @scan_c2(%xs: tensor<?x?x8xf32> {blocks.source = "x"}, %h0: tensor<?x8xf32> {blocks.source = "h"}) {
  // expected-error @+1 {{C2: the body takes ('index', 'tensor<?x8xf32>'), expected ('index', 'tensor<?x8xf32>', 'tensor<?x8xf32>')}}
  %hs = blocks.scan sequences(%xs) states(%h0) : (tensor<?x?x8xf32>, tensor<?x8xf32>) -> tensor<?x?x8xf32> {
  ^bb0(%t: index, %h: tensor<?x8xf32>):
    blocks.yield states(%h : tensor<?x8xf32>)
  }
}

// -----

blocks.graph @scan_c3(%xs: tensor<?x?x8xf32> {blocks.source = "x"}, %h0: tensor<?x4xf32> {blocks.source = "h"}) {
  // expected-error @+1 {{C3: yields states ('tensor<?x8xf32>'), expected ('tensor<?x4xf32>')}}
  %hs = blocks.scan sequences(%xs) states(%h0) : (tensor<?x?x8xf32>, tensor<?x4xf32>) -> tensor<?x?x8xf32> {
  ^bb0(%t: index, %x: tensor<?x8xf32>, %h: tensor<?x4xf32>):
    blocks.yield states(%x : tensor<?x8xf32>)
  }
}

// -----

blocks.graph @scan_c4(%xs: tensor<?x?x8xf32> {blocks.source = "x"}, %h0: tensor<?x8xf32> {blocks.source = "h"}) {
  // expected-error @+1 {{C4: result 0 is 'tensor<?x?x4xf32>', but each step yields 'tensor<?x8xf32>'}}
  %hs = blocks.scan sequences(%xs) states(%h0) : (tensor<?x?x8xf32>, tensor<?x8xf32>) -> tensor<?x?x4xf32> {
  ^bb0(%t: index, %x: tensor<?x8xf32>, %h: tensor<?x8xf32>):
    blocks.yield states(%h : tensor<?x8xf32>)
  }
}
