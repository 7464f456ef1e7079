//===- Softmax.h - Steps that the softmax family shares -------------------===//
#ifndef LIB_CONVERSION_BLOCKSTOLINALG_SOFTMAX_H
#define LIB_CONVERSION_BLOCKSTOLINALG_SOFTMAX_H

#include "lib/Conversion/BlocksToLinalg/Generic.h"

namespace blocks {

/// A tensor seen as rows along its last axis.
struct Rows {
  mlir::Value tensor;
  SymbolicShape shape;
  unsigned rank() const { return shape.size(); }
  int64_t lastAxis() const { return int64_t(shape.size()) - 1; }
  SymbolicShape perRow() const { return shapeWithout(shape, {lastAxis()}); }
};

/// Σ over each row of body(inputs…); loops are those of `rows`.
mlir::Value rowSum(Lowering &lowering, mlir::Location loc, const Rows &rows,
                   llvm::ArrayRef<Operand> inputs, GenericBody body);
/// x - max - log Σ exp(x - max), row by row.
mlir::Value logSoftmax(Lowering &lowering, mlir::Location loc,
                       const Rows &rows);

} // namespace blocks

#endif
