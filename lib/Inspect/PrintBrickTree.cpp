//===- PrintBrickTree.cpp - The pass print-brick-tree ---------------------===//
//
// One line a brick, indented below its parent, with its own parameters.
//
//===----------------------------------------------------------------------===//
#include "dialects/Blocks/Blocks.h"
#include "lib/Inspect/Expanded.h"
#include "lib/Inspect/Passes.h"

using namespace mlir;

namespace blocks {

#define GEN_PASS_DEF_PRINTBRICKTREE
#include "lib/Inspect/Passes.h.inc"

namespace {

void printBrick(BrickOp brick, unsigned depth, raw_ostream &out) {
  out.indent(2 * depth) << brick.getSymName();
  if (brick.getKind())
    out << ": " << *brick.getKind();
  out << "\n";
  Block &body = brick.getBodyBlock();
  for (auto parameter : body.getOps<ParameterOp>())
    out.indent(2 * depth + 2)
        << "." << parameter.getSymName() << " "
        << shapeText(parameter.getType()) << " "
        << parameter.getTensorType().getElementType() << "\n";
  for (auto child : body.getOps<BrickOp>())
    printBrick(child, depth + 1, out);
}

class PrintBrickTreePass : public impl::PrintBrickTreeBase<PrintBrickTreePass> {
  void runOnOperation() override {
    OwningOpRef<ModuleOp> model = expandedCopy(getOperation(), false);
    if (!model)
      return signalPassFailure();
    for (auto brick : model->getOps<BrickOp>())
      printBrick(brick, 0, llvm::outs());
  }
};

} // namespace
} // namespace blocks
