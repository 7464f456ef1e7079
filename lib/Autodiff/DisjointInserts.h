//===- DisjointInserts.h - Sums of gradients of slices --------------------===//
#ifndef LIB_AUTODIFF_DISJOINTINSERTS_H
#define LIB_AUTODIFF_DISJOINTINSERTS_H

#include "dialects/Blocks/Blocks.h"

namespace blocks {

/// The sum of `sum`, values inserted into zeros, and `next`, one more value
/// inserted into zeros beside them: one insertion after the other, without an
/// addition. Null if they may overlap, or are something else.
mlir::Value addDisjointInserts(mlir::OpBuilder &builder, mlir::Value sum,
                               mlir::Value next);

} // namespace blocks

#endif
