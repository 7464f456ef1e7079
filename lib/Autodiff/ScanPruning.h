//===- ScanPruning.h - Drops what a scan computes for nobody --------------===//
#ifndef LIB_AUTODIFF_SCANPRUNING_H
#define LIB_AUTODIFF_SCANPRUNING_H

#include "dialects/Blocks/Blocks.h"

namespace blocks {

/// Erases operations of `block` whose results nothing uses, also within scans;
/// and of scans the outputs, states and sequences that nothing needs.
void eraseDeadOperations(mlir::Block &block);
/// The second part for one scan, which may be replaced by a smaller one.
void pruneScan(ScanOp scan);

} // namespace blocks

#endif
