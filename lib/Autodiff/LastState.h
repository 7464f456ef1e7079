//===- LastState.h - The state that a loop ends with ----------------------===//
//
// A slice of a scan's stacked states at the step that was made last. Without
// steps it is the initial state, so its gradient goes to the loop as a whole:
// it is what the backward loop starts from.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_AUTODIFF_LASTSTATE_H
#define LIB_AUTODIFF_LASTSTATE_H

#include "dialects/Blocks/Blocks.h"

namespace blocks {

/// The stacked states of which `slice` is the last; null if it is no such.
mlir::OpResult stackOfLastState(mlir::tensor::ExtractSliceOp slice);

} // namespace blocks

#endif
