//===- Dot.cpp - The pass dot ---------------------------------------------===//
//
// Draws each graph for Graphviz (`dot -Tsvg`): operations are nodes, with the
// names that tags give them, and edges are values with their shapes.
//
//===----------------------------------------------------------------------===//
#include "lib/Inspect/Expanded.h"
#include "lib/Inspect/Passes.h"
#include "lib/Roles/RoleFilter.h"
#include "lib/Roles/TaggedValues.h"

#include <llvm/ADT/MapVector.h>

using namespace mlir;

namespace blocks {

#define GEN_PASS_DEF_DOT
#include "lib/Inspect/Passes.h.inc"

namespace {

/// Draws one graph; nodes are numbered in program order.
class Drawing {
public:
  explicit Drawing(raw_ostream &out) : out(out) {}

  void draw(GraphOp graph) {
    out << "digraph \"" << graph.getSymName() << "\" {\n  rankdir=TB;\n";
    for (auto [i, argument] : llvm::enumerate(graph.getArguments()))
      node(argument.getAsOpaquePointer(), graph.getSourceName(i), "box");
    graph.walk([&](Operation *op) {
      if (op != graph && !isa<TagOp, YieldOp>(op))
        drawOperation(op);
    });
    out << "}\n";
  }

private:
  void drawOperation(Operation *op) {
    std::string label = op->getName().getStringRef().str();
    if (auto output = dyn_cast<OutputOp>(op))
      label = "output " + output.getName().str();
    if (auto get = dyn_cast<GetOp>(op))
      label = parameterPath(get.getParameter());
    for (Value result : op->getResults())
      appendNames(result, label);
    node(op, label, isa<OutputOp, GetOp>(op) ? "box" : "ellipse");
    for (Value operand : op->getOperands())
      edge(operand, op);
  }

  /// A line for each annotation of the value.
  static void appendNames(Value value, std::string &label) {
    for (Operation *user : value.getUsers())
      if (auto tag = dyn_cast<TagOp>(user)) {
        if (!tag.getAnnotation().getApplication().empty())
          label += "\\n" + annotationPath(tag.getAnnotation());
        appendNames(tag, label);
      }
  }

  void node(const void *key, StringRef label, StringRef shape) {
    out << "  n" << number(key) << " [shape=" << shape << ", label=\"" << label
        << "\"];\n";
  }

  void edge(Value operand, Operation *user) {
    Value value = underlyingValue(operand);
    // What enters a scan's body comes from the scan.
    const void *from = value.getDefiningOp();
    if (auto argument = dyn_cast<BlockArgument>(value))
      from = isa<GraphOp>(argument.getOwner()->getParentOp())
                 ? argument.getAsOpaquePointer()
                 : argument.getOwner()->getParentOp();
    out << "  n" << number(from) << " -> n" << number(user) << " [label=\""
        << shapeText(value.getType()) << "\"];\n";
  }

  unsigned number(const void *key) {
    return numbers.insert({key, numbers.size()}).first->second;
  }

  raw_ostream &out;
  llvm::DenseMap<const void *, unsigned> numbers;
};

class DotPass : public impl::DotBase<DotPass> {
  void runOnOperation() override {
    OwningOpRef<ModuleOp> model = expandedCopy(getOperation(), true);
    if (!model)
      return signalPassFailure();
    for (auto graph : model->getOps<GraphOp>())
      Drawing(llvm::outs()).draw(graph);
  }
};

} // namespace
} // namespace blocks
