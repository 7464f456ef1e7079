//===- Attention.h - Mechanisms that look at a sequence -------------------===//
//
// What AttentionRecurrent and SequenceGenerator know of an attention brick:
// which states it reads, which glimpses it gives, and which of them it wants
// back in the next step. Its applications are Blocks': `preprocess(attended)`
// once before the loop, `take_glimpses` in each step, `initial_glimpses`.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_BRICKS_ATTENTION_H
#define LIB_BRICKS_ATTENTION_H

#include "lib/Bricks/RecurrentBrick.h"

namespace blocks {

constexpr llvm::StringLiteral preprocessedAttended = "preprocessed_attended";

/// The dimension of a glimpse that has one number for each attended position.
constexpr int64_t onePerPosition = -1;

class AttentionBrick : public BrickKind {
public:
  /// The states that take_glimpses reads.
  virtual std::vector<StepValue> getStates(BrickOp brick) const = 0;
  /// What take_glimpses gives; the first one is what is distributed.
  virtual std::vector<StepValue> getGlimpses(BrickOp brick) const = 0;
  /// True if take_glimpses reads this glimpse of the step before.
  virtual bool isFedBack(llvm::StringRef glimpse) const { return false; }
  /// The features of an attended position.
  int64_t getAttendedDim(BrickOp brick) const {
    return *BrickConfig(brick).positive("attended_dim");
  }

  /// The features of a prepared position, or 0 if any will do.
  virtual int64_t getPreparedDim(BrickOp brick) const { return 0; }

  std::vector<llvm::StringRef> getApplications() const override {
    return {"take_glimpses", "preprocess", "initial_glimpses"};
  }
  std::vector<llvm::StringRef> getOptions(llvm::StringRef) const override {
    return {"arguments"};
  }
  mlir::LogicalResult build(llvm::StringRef application,
                            ApplicationBuilder &builder) const override;
  const AttentionBrick *asAttention() const override { return this; }

protected:
  /// `values` holds what take_glimpses was given; its shapes were checked.
  virtual mlir::LogicalResult takeGlimpses(ApplicationBuilder &builder,
                                           const NamedValues &values) const = 0;
  virtual mlir::FailureOr<mlir::Value>
  preprocess(ApplicationBuilder &builder, mlir::Value attended) const = 0;

private:
  mlir::LogicalResult buildGlimpses(ApplicationBuilder &builder) const;
  mlir::LogicalResult buildInitial(ApplicationBuilder &builder) const;
};

/// Zeros for what the first step is given as the glimpse `glimpse`; `attended`
/// may be null unless there is one number for each position. `dim` 0 is a whole
/// number.
mlir::Value initialGlimpse(ApplicationBuilder &builder,
                           const StepValue &glimpse, mlir::Value like,
                           int64_t batchAxis, mlir::Value attended);

/// Checks that `attended` is (time, batch, dim) and the mask, if any, (time,
/// batch).
mlir::LogicalResult checkAttended(ApplicationBuilder &builder,
                                  mlir::Value attended, mlir::Value mask,
                                  int64_t dim);

} // namespace blocks

#endif
