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
/// Of each row its maximum and log Σ exp(x - max).
struct RowTotals {
  mlir::Value max, logTotal;
};
RowTotals rowTotals(Lowering &lowering, mlir::Location loc, const Rows &rows);

/// The larger of two energies, in a body. A row with a NaN comes out as NaN
/// whatever its maximum, so the maximum need not say so.
mlir::Value energyMax(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value a, mlir::Value b);
/// exp(a - b) of the first two arguments, in a body.
mlir::Value expDifference(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::ValueRange arguments);
/// The logarithm of one value for each row.
mlir::Value logOf(Lowering &lowering, mlir::Location loc, const Rows &rows,
                  mlir::Value perRow);

/// x - max - logTotal: of one element, in a body; and of all.
mlir::Value logProbability(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value energy, mlir::Value max,
                           mlir::Value logTotal);
mlir::Value logSoftmax(Lowering &lowering, mlir::Location loc, const Rows &rows,
                       const RowTotals &totals);

} // namespace blocks

#endif
