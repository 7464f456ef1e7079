//===- Activity.h - Which values depend on what is differentiated ---------===//
//
// A value is active if a differentiated one (a parameter) flows into it through
// floating-point values. Gradients are built for active values only, so data
// and masks cost nothing.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_AUTODIFF_ACTIVITY_H
#define LIB_AUTODIFF_ACTIVITY_H

#include "dialects/Blocks/Blocks.h"

#include <llvm/ADT/DenseSet.h>

namespace blocks {

class Activity {
public:
  /// Declares `value` to be differentiated.
  void add(mlir::Value value) { active.insert(value); }
  bool contains(mlir::Value value) const { return active.contains(value); }
  /// Follows the active values through a block and the scans in it.
  void propagate(mlir::Block &block);

private:
  void propagateScan(ScanOp scan);
  bool link(mlir::Value from, mlir::Value to);

  llvm::DenseSet<mlir::Value> active;
};

/// True for tensors of floating-point numbers.
bool isFloatTensor(mlir::Type type);

} // namespace blocks

#endif
