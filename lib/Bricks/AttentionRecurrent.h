//===- AttentionRecurrent.h - Transitions that attend ---------------------===//
//
// What SequenceGenerator knows of its transition, an AttentionRecurrent or a
// plain one behind the same applications (`with_fake_attention`).
//
//===----------------------------------------------------------------------===//
#ifndef LIB_BRICKS_ATTENTIONRECURRENT_H
#define LIB_BRICKS_ATTENTIONRECURRENT_H

#include "lib/Bricks/Attention.h"

namespace blocks {

/// A child brick with the description of its kind.
struct RecurrentChild {
  mutable BrickOp brick;
  const RecurrentBrick *kind;
  StepSignature signature;
};
struct AttentionChild {
  mutable BrickOp brick;
  const AttentionBrick *kind;
};

/// The transition of an (attending) brick; it was declared.
RecurrentChild transitionOf(BrickOp brick, const BrickLibrary &library);
/// Its attention, if it has one.
std::optional<AttentionChild> attentionOf(BrickOp brick,
                                          const BrickLibrary &library);

/// The setting that says what comes first in a step: the glimpses (of the
/// states before it), as in Blocks, or the transition (on the glimpses of the
/// step before), as in Blocks-extras' `attention2`.
constexpr llvm::StringLiteral orderSetting = "order";
/// Whether the transition of an attending brick comes first.
bool isTransitionFirst(BrickOp brick);

/// Declares the child transition that the setting `transition` describes, at
/// once, so that its names are known.
mlir::LogicalResult declareTransition(BrickDeclaration &brick);

/// All sequences of a step that are not masks.
std::vector<StepValue> fedSequences(const StepSignature &signature);

} // namespace blocks

#endif
