//===- PrintParameters.cpp - The pass print-parameters --------------------===//
//
// One line a parameter, in the order of definition, and the number of elements.
//
//===----------------------------------------------------------------------===//
#include "dialects/Blocks/Blocks.h"
#include "lib/Inspect/Expanded.h"
#include "lib/Inspect/Passes.h"

using namespace mlir;

namespace blocks {

#define GEN_PASS_DEF_PRINTPARAMETERS
#include "lib/Inspect/Passes.h.inc"

namespace {

class PrintParametersPass
    : public impl::PrintParametersBase<PrintParametersPass> {
  void runOnOperation() override {
    OwningOpRef<ModuleOp> model = expandedCopy(getOperation(), false);
    if (!model)
      return signalPassFailure();
    int64_t elements = 0;
    raw_ostream &out = llvm::outs();
    model->walk([&](ParameterOp parameter) {
      elements += parameter.getTensorType().getNumElements();
      out << parameter.getPath() << " " << shapeText(parameter.getType()) << " "
          << parameter.getTensorType().getElementType() << " [";
      llvm::interleaveComma(parameter.getRoles().getValue(), out,
                            [&](Role role) { out << stringifyRole(role); });
      out << "] " << parameter.getInit() << "\n";
    });
    out << elements << " elements\n";
  }
};

} // namespace
} // namespace blocks
