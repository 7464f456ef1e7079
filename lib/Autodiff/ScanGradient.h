//===- ScanGradient.h - The gradient of the loop over time ----------------===//
#ifndef LIB_AUTODIFF_SCANGRADIENT_H
#define LIB_AUTODIFF_SCANGRADIENT_H

#include "lib/Autodiff/ReverseMode.h"

namespace blocks {

/// Builds the backward scan of `scan` at the place of `outer` and adds the
/// gradients of its sequences, initial states and captured values to `outer`.
/// The forward scan may be replaced by one with more outputs.
llvm::LogicalResult differentiateScan(ScanOp scan, ReverseMode &outer);

} // namespace blocks

#endif
