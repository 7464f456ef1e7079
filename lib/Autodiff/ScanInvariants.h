//===- ScanInvariants.h - Values of a scan that need no loop --------------===//
#ifndef LIB_AUTODIFF_SCANINVARIANTS_H
#define LIB_AUTODIFF_SCANINVARIANTS_H

#include "dialects/Blocks/Blocks.h"

namespace blocks {

/// Moves before each scan in `root` the pure operations of its body that use
/// only values from outside: parameters, what is computed from them, masks that
/// are the same at each step. Broadcasts stay, they are cheaper in the loop.
void hoistScanInvariants(mlir::Operation *root);

} // namespace blocks

#endif
