//===- RecurrentBrick.h - Bricks that step over sequences -----------------===//
//
// The base of all transitions. A brick says which sequences, states, contexts
// and outputs its step has, and builds one step; this class makes of it Blocks'
// applications `apply` (over sequences, or one step with iterate = false) and
// `initial_states`. Loops that hold several bricks (stacks, attention,
// generators) call `apply` with iterate = false in a loop of their own
// (RecurrentLoop.h).
//
//===----------------------------------------------------------------------===//
#ifndef LIB_BRICKS_RECURRENTBRICK_H
#define LIB_BRICKS_RECURRENTBRICK_H

#include "lib/Bricks/BrickLibrary.h"
#include "lib/Bricks/RecurrentLoop.h"

namespace blocks {

/// Whether transitions have a parameter for what they start from.
constexpr llvm::StringLiteral trainedInitialStates = "trained_initial_states";

/// How a call without sequences says how many steps and examples there are: by
/// a number, or by a tensor whose axis 0 has that extent.
constexpr llvm::StringLiteral nStepsOption = "n_steps",
                              batchSizeOption = "batch_size",
                              stepsArgument = "steps", batchArgument = "batch";

/// A name of a step and its number of features; 0 is one number an example.
struct StepValue {
  std::string name;
  int64_t dim;
  bool optional = false;
};

/// What Blocks' `recurrent` decorator says of a step.
struct StepSignature {
  std::vector<StepValue> sequences, states, contexts;
  /// What the step gives, in order. What is named like a state is its next
  /// value; each state must be there.
  std::vector<StepValue> outputs;
};

class RecurrentBrick : public BrickKind {
public:
  /// The names of the step of `brick`, whose configuration was checked.
  virtual StepSignature getSignature(BrickOp brick,
                                     const BrickLibrary &library) const = 0;
  /// Builds one step; gives the outputs in order.
  virtual mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  buildStep(ApplicationBuilder &builder, const NamedValues &values) const = 0;
  /// The initial values of all states, in order, for the batch, which is axis
  /// `batchAxis` of `like`.
  virtual mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  buildInitialStates(ApplicationBuilder &builder, mlir::Value like,
                     int64_t batchAxis) const = 0;

  std::vector<llvm::StringRef> getApplications() const override {
    return {"apply", "initial_states"};
  }
  std::vector<llvm::StringRef>
  getOptions(llvm::StringRef application) const override;
  mlir::LogicalResult build(llvm::StringRef application,
                            ApplicationBuilder &builder) const override;
  const RecurrentBrick *asRecurrent() const override { return this; }

protected:
  /// Adds contexts that are computed once, before the loop.
  virtual mlir::LogicalResult prepareContexts(ApplicationBuilder &,
                                              NamedValues &) const {
    return mlir::success();
  }
  /// What stands before the first step of an output that is no state, with
  /// return_initial_states; null if nothing does.
  virtual mlir::Value initialOutput(ApplicationBuilder &, llvm::StringRef,
                                    const NamedValues &) const {
    return {};
  }
  /// `apply` over sequences.
  virtual mlir::LogicalResult buildIterated(ApplicationBuilder &builder) const;
  mlir::LogicalResult buildOneStep(ApplicationBuilder &builder) const;
  mlir::LogicalResult buildStart(ApplicationBuilder &builder) const;
};

/// The result of `apply` that has the values of `state` before each step, which
/// the option `return_previous_states` adds.
std::string previousName(llvm::StringRef state);
/// The result that has the value of `state` after the last step, which the
/// option `return_final_states` adds; Blocks' name of it.
std::string finalName(llvm::StringRef state);

/// True if the call says how many steps there are.
bool isCounted(ApplicationBuilder &builder);
/// The number of steps of such a call, an index. Failures have been reported.
mlir::FailureOr<mlir::Value> countedSteps(ApplicationBuilder &builder,
                                          const NamedValues &values);
/// A tensor whose one axis is the batch that the call asks for.
mlir::FailureOr<mlir::Value> countedRows(ApplicationBuilder &builder,
                                         const NamedValues &values);

/// Checks an argument of `apply`: its shape is (time, batch, dim), or without
/// time and features as they do not apply. States and sequences of features are
/// floats of one element type.
mlir::LogicalResult checkStepValue(ApplicationBuilder &builder,
                                   const StepValue &expected, mlir::Value found,
                                   bool hasTime);

/// The arguments of `apply`; of one step if `oneStep`, without sequences if the
/// steps are `counted`.
std::vector<ArgumentName> stepArguments(const StepSignature &signature,
                                        bool oneStep, bool counted = false);

/// Declares what a transition starts from: a trained parameter `name` of `dim`
/// numbers with role INITIAL_STATE, first 0; nothing if the setting
/// `trained_initial_states` is false.
mlir::LogicalResult declareInitialState(BrickDeclaration &brick,
                                        llvm::StringRef name, int64_t dim);
/// What it declared, for each row of the batch; without a parameter, zeros.
mlir::Value initialState(ApplicationBuilder &builder, llvm::StringRef name,
                         int64_t dim, mlir::Value like, int64_t batchAxis);

/// A child for the setting `key` (a kind, or a dictionary), `otherwise` if it
/// is not there; when a sibling has its name already, it is called `key`.
mlir::LogicalResult declareActivation(BrickDeclaration &brick,
                                      llvm::StringRef key,
                                      llvm::StringRef otherwise);

} // namespace blocks

#endif
