//===- ScanInvariants.cpp - Values of a scan that need no loop ------------===//
#include "lib/Autodiff/ScanInvariants.h"

using namespace mlir;

namespace blocks {

static bool isInvariant(Operation &op, ScanOp scan) {
  if (!isPure(&op) || op.getNumRegions() != 0 || isa<BroadcastOp, YieldOp>(op))
    return false;
  return llvm::none_of(op.getOperands(), [&](Value operand) {
    return scan.getBody().isAncestor(operand.getParentRegion());
  });
}

/// Inner scans first, so that a value may leave several loops.
void hoistScanInvariants(Operation *root) {
  root->walk([](ScanOp scan) {
    for (Operation &op : llvm::make_early_inc_range(scan.getBody().front()))
      if (isInvariant(op, scan))
        op.moveBefore(scan);
  });
}

} // namespace blocks
