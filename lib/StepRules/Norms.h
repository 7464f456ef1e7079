//===- Norms.h - What training can tell of its steps ----------------------===//
//
// Outputs of the training graph that the step rules add where they are asked
// for. No brick of a model is called @algorithm, so they meet no other output.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_STEPRULES_NORMS_H
#define LIB_STEPRULES_NORMS_H

#include <llvm/ADT/StringRef.h>

namespace blocks {

/// The Euclidean norm of all gradients together.
constexpr llvm::StringLiteral totalGradientNorm =
    "/algorithm.total_gradient_norm";
/// The same of what is subtracted from the parameters.
constexpr llvm::StringLiteral totalStepNorm = "/algorithm.total_step_norm";

} // namespace blocks

#endif
