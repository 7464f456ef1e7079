//===- Recurrent.cpp - SimpleRecurrent, and the family's list -------------===//
//
// The simplest transition. Its siblings are in files of their own; what they
// share is in RecurrentBrick and RecurrentLoop.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/RecurrentBrick.h"

using namespace mlir;

namespace blocks {

void addLSTM(BrickLibrary &library);
void addGatedRecurrent(BrickLibrary &library);
void addBidirectional(BrickLibrary &library);
void addRecurrentStack(BrickLibrary &library);

namespace {

/// h' = activation(x + h·W); with a mask m, h' = m·new + (1 - m)·old.
class SimpleRecurrent : public RecurrentBrick {
  StringRef getName() const override { return "SimpleRecurrent"; }
  std::vector<StringRef> getSettings() const override {
    return {"dim", "activation", trainedInitialStates, weightsInit};
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    if (!brick.config.get("activation"))
      return brick.config.error()
             << "needs the setting 'activation', such as \"Tanh\"";
    FailureOr<int64_t> dim = brick.config.positive("dim");
    return failure(
        failed(dim) ||
        failed(brick.parameter("W", {*dim, *dim}, Role::Weight, weightsInit)) ||
        failed(declareInitialState(brick, "initial_state", *dim)) ||
        failed(declareActivation(brick, "activation", "")));
  }

  StepSignature getSignature(BrickOp brick,
                             const BrickLibrary &) const override {
    int64_t dim = *BrickConfig(brick).positive("dim");
    std::vector<StepValue> states = {{"states", dim}};
    return {{{"inputs", dim}, {"mask", 0, true}}, states, {}, states};
  }

  FailureOr<SmallVector<Value>>
  buildInitialStates(ApplicationBuilder &builder, Value like,
                     int64_t batchAxis) const override {
    int64_t dim = *builder.config.positive("dim");
    return SmallVector<Value>{
        initialState(builder, "initial_state", dim, like, batchAxis)};
  }

  FailureOr<SmallVector<Value>>
  buildStep(ApplicationBuilder &builder,
            const NamedValues &values) const override {
    Location loc = builder.getLoc();
    OpBuilder &ops = builder.ops;
    Value h = values["states"];
    Value product =
        MatmulOp::create(ops, loc, builder.auxiliary(h, "previous_states"),
                         builder.parameter("W"));
    Value sum = arith::AddFOp::create(ops, loc, product, values["inputs"]);
    FailureOr<Value> next =
        builder.applyActivation(builder.children().front().getSymName(), sum);
    if (failed(next))
      return failure();
    return SmallVector<Value>{maskedState(ops, loc, values["mask"], *next, h)};
  }
};

} // namespace

void addRecurrentBricks(BrickLibrary &library) {
  library.add(std::make_unique<SimpleRecurrent>());
  addLSTM(library);
  addGatedRecurrent(library);
  addBidirectional(library);
  addRecurrentStack(library);
}

} // namespace blocks
