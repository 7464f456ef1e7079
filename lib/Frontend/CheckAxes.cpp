//===- CheckAxes.cpp - Axes of different names are not one ----------------===//
#include "lib/Frontend/AxisLabels.h"
#include "lib/Frontend/Passes.h"

using namespace mlir;

namespace blocks {

#define GEN_PASS_DEF_CHECKAXES
#include "lib/Frontend/Passes.h.inc"

namespace {

struct CheckAxesPass : impl::CheckAxesBase<CheckAxesPass> {
  void runOnOperation() override {
    for (GraphOp graph : getOperation().getOps<GraphOp>())
      if (failed(AxisLabels().follow(graph)))
        return signalPassFailure();
  }
};

} // namespace
} // namespace blocks
