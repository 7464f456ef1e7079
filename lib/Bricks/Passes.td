//===- Passes.td - Passes from bricks to one graph of tensor operations ---===//
#ifndef LIB_BRICKS_PASSES_TD
#define LIB_BRICKS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandBricks : Pass<"blocks-expand-bricks", "::mlir::ModuleOp"> {
  let summary = "library bricks become parameters, children and applications";
  let description = [{
    Every brick with a kind gets the body that its configuration asks for, and an
    application for each signature that it is called with. Afterwards library
    bricks and bricks written by hand have the same form.
  }];
}

def InlineApplications : Pass<"blocks-inline-applications", "::mlir::ModuleOp"> {
  let summary = "applications become tensor operations with annotated values";
  let description = [{
    Replaces each `blocks.apply` in a graph by the application's body. Arguments
    and results become `blocks.tag`s with roles INPUT and OUTPUT. Each parameter
    has one `blocks.get` in a graph, at its top, however often it is used.
  }];
}

def FuseSoftmaxCost : Pass<"blocks-fuse-softmax-cost", "::mlir::ModuleOp"> {
  let summary = "cross-entropy of a softmax's output → softmax_cross_entropy";
  let description = [{
    The cross-entropy of probabilities that come straight from a softmax is
    rewritten to the fused operation on logits: log(softmax(x)) overflows where
    the fused form does not.
  }];
}

def FuseLogisticCost : Pass<"blocks-fuse-logistic-cost", "::mlir::ModuleOp"> {
  let summary = "binary cross-entropy of a logistic's output → one of logits";
  let description = [{
    The binary cross-entropy of probabilities that come straight from a logistic
    function is rewritten to max(x, 0) - x·y + log(1 + e^-|x|) of its input:
    probabilities that round to 0 or 1 would have a cost without digits, or an
    infinite one.
  }];
}

#endif
