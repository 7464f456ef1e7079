//===- RecurrentLoop.h - A scan around one step ---------------------------===//
//
// Makes a blocks.scan from a step over named values, as Blocks' `recurrent`
// does: the step is given the slices of the sequences and the states, and gives
// its outputs in order; those that are named like a state are its next states.
// Contexts are values from outside that the step uses.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_BRICKS_RECURRENTLOOP_H
#define LIB_BRICKS_RECURRENTLOOP_H

#include "lib/Bricks/ApplicationBuilder.h"
#include "lib/Bricks/NamedValues.h"

#include <functional>

namespace blocks {

/// What a loop runs over.
struct Loop {
  NamedValues sequences;            ///< (time, batch, …)
  NamedValues states;               ///< Their initial values, (batch, …).
  std::vector<std::string> outputs; ///< What the step gives, in order.
  mlir::Value steps = {};           ///< An index, for loops without sequences.
  bool reverse = false;
  bool recompute =
      false; ///< Gradients compute steps again, see docs/bricks.md.
  bool checkpoint = false;    ///< Gradients compute segments of steps again.
  bool keepsPrevious = false; ///< Gives the states before each step as well.
};

/// One step, built in the loop's body (`builder.ops` stands there).
using LoopStep = std::function<mlir::FailureOr<llvm::SmallVector<mlir::Value>>(
    const NamedValues &)>;

struct LoopResults {
  /// The outputs of all steps, each at its position, also in reverse.
  NamedValues outputs;
  /// The states before each step: for what needs h[t-1] beside h[t], at no
  /// cost.
  NamedValues previous;
};

/// Builds the loop where `builder` stands. Failures have been reported.
mlir::FailureOr<LoopResults> buildLoop(ApplicationBuilder &builder,
                                       const Loop &loop, const LoopStep &step);

/// `value`, of shape (dim) or a scalar, for each row of the batch, which is
/// axis `batchAxis` of `like`.
mlir::Value forEachRow(mlir::OpBuilder &ops, mlir::Location loc,
                       mlir::Value value, mlir::Value like, int64_t batchAxis);

/// `dim` zeros of type `element` for each row of the batch, as above.
mlir::Value zeroRows(mlir::OpBuilder &ops, mlir::Location loc, int64_t dim,
                     mlir::Type element, mlir::Value like, int64_t batchAxis);

/// A tensor without values whose one axis is the batch, axis `batchAxis` of
/// `like`.
mlir::Value batchOf(mlir::OpBuilder &ops, mlir::Location loc, mlir::Value like,
                    int64_t batchAxis);

/// Tensors of one shape but for their last axis, joined along it.
mlir::Value joinFeatures(mlir::OpBuilder &ops, mlir::Location loc,
                         llvm::ArrayRef<mlir::Value> parts);

/// The stacked states of a loop with the initial one before the first step that
/// was made (at the end, in reverse): T+1 along time.
mlir::Value withInitialState(mlir::OpBuilder &ops, mlir::Location loc,
                             mlir::Value stacked, mlir::Value initial,
                             bool reverse);

/// m·next + (1 - m)·old for each example; `next` if there is no mask.
mlir::Value maskedState(mlir::OpBuilder &ops, mlir::Location loc,
                        mlir::Value mask, mlir::Value next, mlir::Value old);

/// `count` columns of (batch, features) from `first` on.
mlir::Value columns(mlir::OpBuilder &ops, mlir::Location loc, mlir::Value value,
                    int64_t first, int64_t count);

} // namespace blocks

#endif
