//===- Passes.td - Passes of automatic differentiation ---------------------===//
#ifndef LIB_AUTODIFF_PASSES
#define LIB_AUTODIFF_PASSES

include "mlir/Pass/PassBase.td"

def Prune : Pass<"blocks-prune", "::mlir::ModuleOp"> {
  let summary = "drop outputs that nobody asked for, and what only they used";
  let description = [{
    Keeps of each graph the outputs named by the option (all when it is empty),
    and in the training graph also those with role COST. Then dead operations go,
    annotations without users, results of scans, and sources that nothing reads.
  }];
  let options = [
    ListOption<"outputs", "outputs", "std::string", "names of the outputs to keep; all if empty">
  ];
  let dependentDialects = ["::blocks::BlocksDialect"];
}

def Differentiate : Pass<"blocks-differentiate", "::mlir::ModuleOp"> {
  let summary = "append the gradient of the cost for each parameter";
  let description = [{
    Reverse mode, through scans, on the training graph (variant "train", or the
    graph named by the option). Each parameter with role PARAMETER gets its
    gradient, annotated with role GRADIENT, and a blocks.step. Makes the brick
    @algorithm with seed and step; the step is incremented by an assignment.
  }];
  let options = [
    Option<"cost", "cost", "std::string", "\"cost\"", "name of the output to differentiate">,
    Option<"graph", "graph", "std::string", "\"\"", "name of the graph; the training graph if empty">
  ];
  let dependentDialects = ["::blocks::BlocksDialect"];
}

def HoistScanProducts : Pass<"blocks-hoist-scan-products", "::mlir::ModuleOp"> {
  let summary = "move products that do not depend on the state out of scans";
  let description = [{
    A product of a sequence's slice with a matrix from outside is the same for
    all steps at once: one product over time and batch before the loop, whose
    slices the loop reads. Values that need only outer values leave the loop too.
  }];
  let dependentDialects = ["::blocks::BlocksDialect"];
}

def ConvertToF64 : Pass<"blocks-convert-to-f64", "::mlir::ModuleOp"> {
  let summary = "turn every f32 of a module into f64 (for gradient checks)";
  let description = [{ Types of sources, parameters, constants and values. }];
}

#endif
