// How partial results of a structured operation's reductions are combined: what
// each thread starts with, and the operation that joins two.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOGPU_REDUCTIONS_H
#define BLOCKS_LIB_CONVERSION_LINALGTOGPU_REDUCTIONS_H

#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <optional>

namespace blocks {

/// One or more results that are reduced together.
struct Reduction {
  llvm::SmallVector<mlir::OpOperand *> results;
  llvm::SmallVector<mlir::TypedAttr> neutral;
  /// The operation that adds a value; of an argmax its comparison, with the
  /// element first.
  mlir::Operation *combiner = nullptr;
  bool isArgmax = false;

  /// Joins two partial results. Of equal maxima the one with the smaller index
  /// stays, whichever side it is on.
  llvm::SmallVector<mlir::Value> combine(mlir::OpBuilder &builder,
                                         mlir::Location loc, mlir::ValueRange a,
                                         mlir::ValueRange b) const;
};

/// The reductions that compute these results, or none if one of them is of a
/// form that cannot be split among threads.
std::optional<llvm::SmallVector<Reduction>>
findReductions(mlir::linalg::LinalgOp op,
               llvm::ArrayRef<mlir::OpOperand *> results);

} // namespace blocks
#endif
