//===- Evaluate.h - From an operation to the function that computes it ----===//
//
// Pure operations only: what depends on the running step (parameters, random
// numbers, scan, outputs) is in Interpreter.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_REFERENCE_EVALUATE_H
#define LIB_REFERENCE_EVALUATE_H

#include "lib/Reference/Ops.h"

namespace blocks::reference {

/// The results of `op` for these operands. Reports on the operation when it is
/// unknown, or when extents that were dynamic do not fit.
mlir::FailureOr<llvm::SmallVector<Tensor, 2>> evaluate(mlir::Operation *op,
                                                       Operands in);

/// Checks that `tensor` is a value of `type`; reports on `op`, calling the
/// tensor `what`.
mlir::LogicalResult checkValue(mlir::Operation *op, const llvm::Twine &what,
                               const Tensor &tensor, mlir::Type type);

} // namespace blocks::reference

#endif
