//===- SavedValues.h - What a backward scan needs of the forward one ------===//
//
// A backward step uses values that the forward step computed. Some are at hand
// already (slices of the sequences, stacked results), some are cheaper to
// compute again than to read, the rest is saved as further stacked outputs of
// the forward scan. The state before the step is saved as an output that yields
// the body's argument: the same buffer one slice earlier, so it costs nothing.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_AUTODIFF_SAVEDVALUES_H
#define LIB_AUTODIFF_SAVEDVALUES_H

#include "lib/Autodiff/ScanShapes.h"

#include <llvm/ADT/MapVector.h>

namespace blocks {

/// On a scan: the backward scan computes again whatever it needs but the states
/// before each step, instead of reading saved values.
constexpr llvm::StringLiteral recomputeAttribute = "blocks.recompute";

/// A tensor stacked over time, by where it comes from: the forward scan is
/// rebuilt only when all that is saved is known.
struct Stacked {
  enum Kind { Sequence, Result } kind;
  unsigned index;
};

class SavedValues {
public:
  explicit SavedValues(ScanOp forward);

  /// True if the value is computed in the forward body.
  bool isInside(mlir::Value value) const {
    return forward.getBody().isAncestor(value.getParentRegion());
  }
  /// A loop in the forward body was replaced; `old` is one of its results.
  void replace(mlir::Value old, mlir::Value fresh);
  /// The values of all steps of `value`, which is computed in the forward body;
  /// it is saved if it is not stacked already.
  Stacked stack(mlir::Value value);
  /// The type of one step of saved value number `i`.
  mlir::Type savedType(unsigned i) const { return saved[i].getType(); }
  /// Replaces every use of a forward value in `backward` by a slice or by a
  /// recomputation. `slice` gives the backward body's argument for a stacked
  /// tensor; `position` is the backward body's position.
  void resolveUses(mlir::Block &backward, mlir::Value position,
                   llvm::function_ref<mlir::Value(Stacked)> slice);
  /// Replaces the forward scan by one that also yields what is saved.
  ScanOp rebuild();

private:
  bool isAtHand(mlir::Value value);
  bool isExpansion(mlir::Value value);
  bool mustBeSaved(mlir::Value value);
  bool isRecomputable(mlir::Value value);
  bool isRecomputable(mlir::Operation *op);
  /// What to use in the place of an operand of which only the shape matters.
  mlir::Value shapeSource(mlir::Value value);

  mutable ScanOp forward;
  mlir::Block &body;
  YieldOp yield;
  bool recomputesAll;
  /// Made when the forward body is complete: until then, loops in it change.
  std::optional<ScanShapes> shapes;
  llvm::SmallVector<mlir::Value> saved;
  llvm::DenseMap<mlir::Operation *, bool> recomputable, expansions;
};

} // namespace blocks

#endif
