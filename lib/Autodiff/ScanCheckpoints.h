//===- ScanCheckpoints.h - Loops cut into segments ------------------------===//
#ifndef LIB_AUTODIFF_SCANCHECKPOINTS_H
#define LIB_AUTODIFF_SCANCHECKPOINTS_H

#include "dialects/Blocks/Blocks.h"

namespace blocks {

/// On a scan: cut it into about as many segments as each has steps.
constexpr llvm::StringLiteral checkpointAttribute = "blocks.checkpoint";

/// Rewrites every scan with the attribute `blocks.checkpoint` in `root` as a
/// loop over segments around a loop over the steps of one: the gradient keeps
/// the states between segments and computes one segment at a time again.
/// The number of steps may be known by the run alone; a rest of less than one
/// segment has a loop of its own.
void checkpointScans(mlir::Operation *root);

} // namespace blocks

#endif
