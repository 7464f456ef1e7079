//===- Destinations.h - Operations that write where their result belongs --===//
#ifndef LIB_CONVERSION_BLOCKSTOLINALG_DESTINATIONS_H
#define LIB_CONVERSION_BLOCKSTOLINALG_DESTINATIONS_H

#include <mlir/Dialect/Func/IR/FuncOps.h>

namespace blocks {

/// Gives elementwise operations destinations: the state that they update, else
/// an operand of the same type that only they use.
void chooseDestinations(mlir::func::FuncOp function);

} // namespace blocks

#endif
