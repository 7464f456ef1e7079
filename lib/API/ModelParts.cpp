//===- ModelParts.cpp - Fingerprints of a model's text --------------------===//
//
// See the header. The generic form is hashed, since it has neither locations
// nor names of values, and does not change when our syntax is polished.
//
//===----------------------------------------------------------------------===//
#include "lib/API/ModelParts.h"

#include "dialects/Blocks/Blocks.h"
#include "runtime/Base/Sha256.h"

using namespace mlir;

namespace blocks {

/// The lines on which a kernel's source stands are no part of it.
static std::string canonicalText(Operation *op) {
  std::string text;
  if (auto kernel = dyn_cast<KernelOp>(op); kernel && kernel.getCudaLines()) {
    OwningOpRef<KernelOp> copy = kernel.clone();
    copy->removeCudaLinesAttr();
    return canonicalText(copy->getOperation());
  }
  llvm::raw_string_ostream stream(text);
  op->print(stream, OpPrintingFlags().useLocalScope().printGenericOpForm());
  return text;
}

static bool hasOutput(GraphOp graph, StringRef name) {
  bool found = false;
  graph.walk([&](OutputOp output) { found |= output.getName() == name; });
  return found;
}

std::vector<ModelPart> modelParts(ModuleOp module, StringRef cost) {
  std::vector<ModelPart> parts;
  for (Operation &op : *module.getBody()) {
    auto graph = dyn_cast<GraphOp>(op);
    if (graph && !hasOutput(graph, cost))
      continue;
    auto name = op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    std::string kind = graph               ? "graph"
                       : isa<BrickOp>(op)  ? "brick"
                       : isa<KernelOp>(op) ? "kernel"
                                           : "symbol";
    parts.push_back({kind + " @" + (name ? name.str() : ""),
                     Sha256::hexOf(canonicalText(&op))});
  }
  return parts;
}

} // namespace blocks
