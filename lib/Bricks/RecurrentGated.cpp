//===- RecurrentGated.cpp - GatedRecurrent --------------------------------===//
//
// The gated recurrent unit in two forms, which share parameters' shapes but not
// their meaning. Blocks': the reset gate acts before the product, the update
// gate multiplies the candidate, gates stand as (update, reset). The form of
// cuDNN and PyTorch: the reset gate acts on the product (with a bias of its
// own), the update gate multiplies the old state, gates stand as (reset,
// update), as in their stored weights.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/RecurrentBrick.h"
#include "lib/Bricks/TensorHelpers.h"

using namespace mlir;

namespace blocks {
namespace {

/// "blocks": [z, r] = σ(h·G + g), n = tanh((h⊙r)·S + x), h' = z⊙n + (1-z)⊙h.
/// "cudnn": [r, z] = σ(h·G + g), n = tanh(r⊙(h·S + b) + x), h' = (1-z)⊙n + z⊙h.
class GatedRecurrent : public RecurrentBrick {
  StringRef getName() const override { return "GatedRecurrent"; }
  std::vector<StringRef> getSettings() const override {
    return {"dim",     "activation",         "gate_activation",
            "variant", trainedInitialStates, weightsInit,
            biasesInit};
  }

  static FailureOr<bool> isBlocksForm(const BrickConfig &config) {
    FailureOr<StringRef> variant =
        config.choice("variant", {"blocks", "cudnn"});
    if (failed(variant))
      return failure();
    return *variant == "blocks";
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<int64_t> dim = brick.config.positive("dim");
    FailureOr<bool> blocksForm = isBlocksForm(brick.config);
    if (failed(dim) || failed(blocksForm) ||
        failed(brick.parameter("state_to_state", {*dim, *dim}, Role::Weight,
                               weightsInit)) ||
        failed(brick.parameter("state_to_gates", {*dim, 2 * *dim}, Role::Weight,
                               weightsInit)))
      return failure();
    if (!*blocksForm &&
        failed(brick.parameter("state_bias", {*dim}, Role::Bias, biasesInit)))
      return failure();
    return failure(
        failed(declareInitialState(brick, "initial_state", *dim)) ||
        failed(declareActivation(brick, "activation", "Tanh")) ||
        failed(declareActivation(brick, "gate_activation", "Logistic")));
  }

  StepSignature getSignature(BrickOp brick,
                             const BrickLibrary &) const override {
    int64_t dim = *BrickConfig(brick).positive("dim");
    std::vector<StepValue> states = {{"states", dim}};
    return {{{"inputs", dim}, {"gate_inputs", 2 * dim}, {"mask", 0, true}},
            states,
            {},
            states};
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
    Value old = values["states"];
    Value h = builder.auxiliary(old, "previous_states");
    auto gates = buildGates(builder, h, values["gate_inputs"]);
    if (failed(gates))
      return failure();
    bool blocksForm = *isBlocksForm(builder.config);
    int64_t dim = *builder.config.positive("dim");
    Value first = columns(ops, loc, *gates, 0, dim);
    Value second = columns(ops, loc, *gates, dim, dim);
    Value sum = arith::AddFOp::create(
        ops, loc,
        blocksForm
            ? product(builder, arith::MulFOp::create(ops, loc, h, second))
            : resetProduct(builder, h, first),
        values["inputs"]);
    auto candidate =
        builder.applyActivation(builder.children()[0].getSymName(), sum);
    if (failed(candidate))
      return failure();
    Value next = blocksForm ? mix(ops, loc, first, *candidate, old)
                            : mix(ops, loc, second, old, *candidate);
    return SmallVector<Value>{maskedState(ops, loc, values["mask"], next, old)};
  }

  /// Both gates, (batch, 2·dim).
  static FailureOr<Value> buildGates(ApplicationBuilder &builder, Value h,
                                     Value inputs) {
    Location loc = builder.getLoc();
    Value gates = MatmulOp::create(builder.ops, loc, h,
                                   builder.parameter("state_to_gates"));
    Value sum = arith::AddFOp::create(builder.ops, loc, gates, inputs);
    return builder.applyActivation(builder.children()[1].getSymName(), sum);
  }

  static Value product(ApplicationBuilder &builder, Value h) {
    return MatmulOp::create(builder.ops, builder.getLoc(), h,
                            builder.parameter("state_to_state"));
  }

  /// r⊙(h·S + b).
  static Value resetProduct(ApplicationBuilder &builder, Value h, Value reset) {
    Location loc = builder.getLoc();
    OpBuilder &ops = builder.ops;
    Value state = product(builder, h);
    Value bias = BroadcastOp::create(ops, loc, builder.parameter("state_bias"),
                                     state, ArrayRef<int64_t>{1});
    Value biased = arith::AddFOp::create(ops, loc, state, bias);
    return arith::MulFOp::create(ops, loc, reset, biased);
  }

  /// z⊙a + (1 - z)⊙b.
  static Value mix(OpBuilder &ops, Location loc, Value z, Value a, Value b) {
    Value one = splatLike(ops, loc, 1.0, z);
    Value rest = arith::SubFOp::create(ops, loc, one, z);
    Value left = arith::MulFOp::create(ops, loc, z, a);
    Value right = arith::MulFOp::create(ops, loc, rest, b);
    return arith::AddFOp::create(ops, loc, left, right);
  }
};

} // namespace

void addGatedRecurrent(BrickLibrary &library) {
  library.add(std::make_unique<GatedRecurrent>());
}

} // namespace blocks
