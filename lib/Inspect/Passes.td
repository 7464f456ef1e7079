//===- Passes.td - Passes that show a model to people ---------------------===//
#ifndef LIB_INSPECT_PASSES_TD
#define LIB_INSPECT_PASSES_TD

include "mlir/Pass/PassBase.td"

def PrintBrickTree : Pass<"print-brick-tree", "::mlir::ModuleOp"> {
  let summary = "prints the bricks, their parameters and applications as a tree";
}
def PrintParameters : Pass<"print-parameters", "::mlir::ModuleOp"> {
  let summary = "prints path, shape, roles and initializer of each parameter";
}
def PrintRoles : Pass<"print-roles", "::mlir::ModuleOp"> {
  let summary = "prints every annotated value of each graph";
  let options = [Option<"where", "where", "std::string", "", "Only what this filter matches">];
}
def Dot : Pass<"dot", "::mlir::ModuleOp"> {
  let summary = "prints the bricks' calls of each graph for Graphviz";
}

#endif
