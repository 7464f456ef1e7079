//===- Passes.td - From a model's graphs to entries -----------------------===//
#ifndef LIB_FRONTEND_PASSES_TD
#define LIB_FRONTEND_PASSES_TD

include "mlir/Pass/PassBase.td"

def DeriveEntries : Pass<"blocks-derive-entries", "::mlir::ModuleOp"> {
  let summary = "the graph that holds the cost becomes @train and @eval";
  let description = [{
    Clones the graph that has the output named `cost`, which must have role
    COST, into `@train` (where regularizers act) and `@eval` (where they don't).
    Their attribute `variant` says which is which, and `blocks.cost` names the
    cost. Assignments of the model, such as states that it carries from batch to
    batch, are training's: `@eval` has none. The original graph goes; other graphs
    stay.
  }];
  let options = [Option<"cost", "cost", "std::string", "\"cost\"",
                        "The output to train on">];
}

def Watch : Pass<"blocks-watch", "::mlir::ModuleOp"> {
  let summary = "named values inside bricks become outputs";
  let description = [{
    Each of `values` is a path, `/mlp/linear_0.W_norm`: the brick and the short name
    of a value of one of its applications, or of a parameter. In every graph that has
    it, it becomes an output of that name; a scalar that depends on the data is averaged
    over batches. The second application of a brick is `/mlp/linear_0.output#1`. Runs
    right after blocks-inline-applications, before what nobody asked for goes:
    Blocks' auxiliary values cost nothing unless they are watched.
  }];
  let options = [ListOption<"values", "values", "std::string", "paths of values">];
}

def FoldEqualOperands : Pass<"blocks-fold-equal-operands", "::mlir::ModuleOp"> {
  let summary = "x xor x and comparisons of x with x become a number everywhere";
  let description = [{
    For tensors with a dynamic extent. Canonicalization would fold them into
    constants that have no shape.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def CheckAxes : Pass<"blocks-check-axes", "::mlir::ModuleOp"> {
  let summary = "refuses operations that combine axes of different names";
  let description = [{
    Sources may name their axes (`blocks.axes`). The names are followed through
    the operations of each graph; where an operation wants two axes to be one
    (arithmetic, products, rows and their labels, sequences of one scan) and both
    have names, they must be equal. Parameters have no names, a merged axis has
    none. A scan over an axis named "batch" is refused, too: its sequences are
    time-first.
  }];
}

def InlineKernels : Pass<"blocks-inline-kernels", "::mlir::ModuleOp"> {
  let summary = "the body of a kernel takes the place of its calls";
  let description = [{
    A kernel with CUDA C++ source stays a call where `keep-sources` says so: for a GPU.
    With `keep-gradients`, before the differentiation, one with a gradient of its own
    stays a call, too. Kernels that nothing calls any more are erased after the
    differentiation, when no gradient can call them.
  }];
  let options = [
    Option<"keepSources", "keep-sources", "bool", "false", "keep calls of kernels with CUDA C++ source">,
    Option<"keepGradients", "keep-gradients", "bool", "false", "keep calls of kernels with a gradient, and all kernels">
  ];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

#endif
