//===- Passes.td - Passes about whole entries -----------------------------===//
#ifndef LIB_PIPELINES_PASSES
#define LIB_PIPELINES_PASSES

include "mlir/Pass/PassBase.td"

def SelectEntries : Pass<"blocks-select-entries", "::mlir::ModuleOp"> {
  let summary = "keep only the named graphs";
  let description = [{
    What a compile was not asked for is not lowered. A name without a graph is an
    error that lists those that there are.
  }];
  let options = [ListOption<"entries", "entries", "std::string", "names of the graphs to keep">];
}

#endif
