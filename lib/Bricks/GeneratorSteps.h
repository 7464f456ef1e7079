//===- GeneratorSteps.h - The pieces of a generator's step ----------------===//
//
// What cost_matrix, generate and search share: the children of a
// SequenceGenerator and the calls that make up its step. Values go by name:
// states, glimpses, contexts, "feedback", "outputs".
//
//===----------------------------------------------------------------------===//
#ifndef LIB_BRICKS_GENERATORSTEPS_H
#define LIB_BRICKS_GENERATORSTEPS_H

#include "lib/Bricks/AttentionRecurrent.h"

namespace blocks {

/// The children's names.
constexpr llvm::StringLiteral readoutChild = "readout";
constexpr llvm::StringLiteral forkChild = "fork";

/// A generator's own names beside those of its transition.
constexpr llvm::StringLiteral costs = "costs", feedback = "feedback",
                              mask = "mask", outputs = "outputs";

/// Declares a generator's children.
mlir::LogicalResult declareGenerator(BrickDeclaration &brick);

/// What a generator's transition works on.
struct GeneratorNames {
  GeneratorNames(BrickOp generator, const BrickLibrary &library);

  std::string transition; ///< The child's name.
  std::string attention;  ///< The child of the transition, or empty.
  /// Readouts see the glimpses of the step before, not ones of their own.
  bool transitionFirst = false;
  StepSignature signature;
  std::vector<StepValue> states;   ///< The transition's own.
  std::vector<StepValue> glimpses; ///< All.
  std::vector<StepValue> fedBack;  ///< Those that are states as well.
  std::vector<StepValue> contexts; ///< Those of the whole sequence.
  std::vector<StepValue> given;    ///< Those that the readout alone reads.
};

class GeneratorSteps {
public:
  explicit GeneratorSteps(ApplicationBuilder &builder);

  const GeneratorNames names;

  /// Adds the contexts that are computed once.
  mlir::LogicalResult prepare(NamedValues &values);
  /// Adds the states (and glimpses that are fed back, or all of them if the
  /// transition comes first) which were not given.
  mlir::LogicalResult addInitialStates(NamedValues &values, mlir::Value like,
                                       int64_t batchAxis);
  /// Adds the glimpses that the readout sees: those of the states, unless the
  /// transition comes first.
  mlir::LogicalResult addGlimpses(NamedValues &values);
  /// The readouts of states, glimpses and feedback.
  mlir::FailureOr<mlir::Value> readouts(const NamedValues &values);
  /// The sequences that the fork makes of the feedback.
  mlir::LogicalResult addInputs(NamedValues &values, mlir::Value feedback);
  /// The transition's next states, by name, from states, glimpses and the
  /// feedback of the new outputs; and their glimpses if it comes first.
  mlir::FailureOr<NamedValues> nextStates(NamedValues values,
                                          mlir::Value feedback);

  /// An application of the readout to values in order.
  mlir::FailureOr<mlir::Value> ask(llvm::StringRef application,
                                   mlir::ValueRange arguments);

private:
  mlir::FailureOr<NamedValues> glimpsesOf(const NamedValues &values);
  mlir::Value attendedOf(const NamedValues &values);

  ApplicationBuilder &builder;
};

} // namespace blocks

#endif
