//===- ScanShapes.h - Which values of a scan's body have one shape --------===//
//
// Broadcasts and random operations use a value only for its shape. When such a
// value would have to be saved for the backward scan, another one of the same
// shape, which is at hand, does as well.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_AUTODIFF_SCANSHAPES_H
#define LIB_AUTODIFF_SCANSHAPES_H

#include "dialects/Blocks/Blocks.h"

#include <llvm/ADT/IntEqClasses.h>
#include <llvm/ADT/MapVector.h>

namespace blocks {

class ScanShapes {
public:
  explicit ScanShapes(ScanOp scan);

  bool isInside(mlir::Value value) const;
  /// The first value, in program order, with the shape of `value` for which
  /// `usable` holds; null if there is none. Values from outside come first.
  mlir::Value find(mlir::Value value,
                   llvm::function_ref<bool(mlir::Value)> usable);

private:
  void add(mlir::Value value);
  void join(mlir::Value a, mlir::Value b);
  void joinStates();
  void joinOperation(mlir::Operation &op);

  ScanOp scan;
  /// Each value's number, and the classes over these numbers.
  llvm::MapVector<mlir::Value, unsigned> numbers;
  llvm::IntEqClasses classes;
};

/// True if the operation works on one element at a time.
bool isElementwise(mlir::Operation *op);
/// True if the operation uses this operand for its shape alone.
bool isShapeOnly(mlir::OpOperand &operand);
/// The value without its annotations.
mlir::Value withoutTags(mlir::Value value);

} // namespace blocks

#endif
