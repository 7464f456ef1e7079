//===- ReverseMode.h - Gradients of a block's values ----------------------===//
//
// Visits the operations of a block from the last to the first and gives each
// value the sum of what its users send back. The loop over time has its own
// visit (ScanGradient.h), which uses one ReverseMode for its body.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_AUTODIFF_REVERSEMODE_H
#define LIB_AUTODIFF_REVERSEMODE_H

#include "lib/Autodiff/Activity.h"

#include <llvm/ADT/MapVector.h>

namespace blocks {

class ReverseMode {
public:
  /// Builds at `builder`'s place, which must come after the visited block's
  /// operations (or, for a scan's body, in the body of the backward scan).
  ReverseMode(mlir::OpBuilder &builder, const Activity &activity)
      : builder(builder), activity(activity) {}

  /// Called before operand `i` of `op`, with the results' gradients; true means
  /// that the caller takes care of that operand.
  using Hook = std::function<bool(mlir::Operation *op, unsigned operand,
                                  mlir::Value resultGradient)>;
  void setHook(Hook hook) { this->hook = std::move(hook); }

  /// Called when a forward value was replaced: a loop by one that gives more.
  using Replaced = std::function<void(mlir::Value old, mlir::Value fresh)>;
  void setReplaced(Replaced replaced) { this->replaced = std::move(replaced); }
  void replace(mlir::Value old, mlir::Value fresh) {
    gradients.erase(old);
    if (replaced)
      replaced(old, fresh);
  }

  /// Adds to a value's gradient; null adds nothing.
  void add(mlir::Value value, mlir::Value gradient);
  /// The gradient so far; null for zero.
  mlir::Value gradient(mlir::Value value) const {
    return gradients.lookup(value);
  }
  /// The gradient of the last one of a scan's stacked states, which is not part
  /// of the stack's; null for zero.
  mlir::Value lastGradient(mlir::Value stacked) const {
    return lastGradients.lookup(stacked);
  }
  /// All values with a gradient, in the order in which they got it.
  const llvm::MapVector<mlir::Value, mlir::Value> &all() const {
    return gradients;
  }
  /// Visits the operations of `block` from `last` on, backwards.
  llvm::LogicalResult visit(mlir::Block &block);

  mlir::OpBuilder &getBuilder() { return builder; }
  const Activity &getActivity() const { return activity; }

private:
  llvm::LogicalResult visit(mlir::Operation *op);
  void addTo(mlir::Value &sum, mlir::Value value, mlir::Value gradient);

  mlir::OpBuilder &builder;
  const Activity &activity;
  Hook hook;
  Replaced replaced;
  llvm::MapVector<mlir::Value, mlir::Value> gradients, lastGradients;
};

} // namespace blocks

#endif
