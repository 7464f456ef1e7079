//===- Gather.h - The lowering of gather and scatter_add ------------------===//
#ifndef LIB_CONVERSION_BLOCKSTOLINALG_GATHER_H
#define LIB_CONVERSION_BLOCKSTOLINALG_GATHER_H

#include "lib/Conversion/BlocksToLinalg/Lowering.h"

namespace blocks {

mlir::LogicalResult lowerGather(GatherOp op, Lowering &lowering);
mlir::LogicalResult lowerScatterAdd(ScatterAddOp op, Lowering &lowering);

} // namespace blocks

#endif
