//===- RecurrentLSTM.cpp - LSTM -------------------------------------------===//
//
// A transition without input weights: `inputs` has 4·dim features, the in,
// forget, cell and out parts one after the other, so that one product before
// the loop makes them for all steps. Peepholes are diagonal, and the out gate's
// sees the new cells.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/RecurrentBrick.h"

using namespace mlir;

namespace blocks {
namespace {

/// a = h·W_state + x
/// i = σ(a₀ + c⊙p_in), f = σ(a₁ + c⊙p_forget), c' = f⊙c + i⊙tanh(a₂)
/// o = σ(a₃ + c'⊙p_out), h' = o⊙tanh(c')
class LSTM : public RecurrentBrick {
  StringRef getName() const override { return "LSTM"; }
  std::vector<StringRef> getSettings() const override {
    return {"dim",       "activation",     "gate_activation",
            "peepholes", "peepholes_init", trainedInitialStates,
            weightsInit};
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<int64_t> dim = brick.config.positive("dim");
    FailureOr<bool> peepholes = brick.config.flag("peepholes", true);
    if (failed(dim) || failed(peepholes) ||
        failed(brick.parameter("W_state", {*dim, 4 * *dim}, Role::Weight,
                               weightsInit)))
      return failure();
    if (*peepholes)
      for (StringRef gate : {"in", "forget", "out"})
        if (failed(brick.parameter(("W_cell_to_" + gate).str(), {*dim},
                                   Role::Weight, peepholesInit(brick))))
          return failure();
    for (StringRef name : {"initial_state", "initial_cells"})
      if (failed(declareInitialState(brick, name, *dim)))
        return failure();
    return failure(
        failed(declareActivation(brick, "activation", "Tanh")) ||
        failed(declareActivation(brick, "gate_activation", "Logistic")));
  }

  /// Peepholes are vectors, which weights_init may not fit: then they start at
  /// 0, as they do when nothing is said.
  static StringRef peepholesInit(BrickDeclaration &brick) {
    if (!brick.config.get("peepholes_init") &&
        isa_and_nonnull<ConstantInitAttr, IsotropicGaussianInitAttr,
                        UniformInitAttr>(brick.config.get(weightsInit)))
      return weightsInit;
    return "peepholes_init";
  }

  StepSignature getSignature(BrickOp brick,
                             const BrickLibrary &) const override {
    int64_t dim = *BrickConfig(brick).positive("dim");
    std::vector<StepValue> states = {{"states", dim}, {"cells", dim}};
    return {{{"inputs", 4 * dim}, {"mask", 0, true}}, states, {}, states};
  }

  FailureOr<SmallVector<Value>>
  buildInitialStates(ApplicationBuilder &builder, Value like,
                     int64_t batchAxis) const override {
    int64_t dim = *builder.config.positive("dim");
    return SmallVector<Value>{
        initialState(builder, "initial_state", dim, like, batchAxis),
        initialState(builder, "initial_cells", dim, like, batchAxis)};
  }

  FailureOr<SmallVector<Value>>
  buildStep(ApplicationBuilder &builder,
            const NamedValues &values) const override {
    Location loc = builder.getLoc();
    OpBuilder &ops = builder.ops;
    Value h = values["states"], c = values["cells"];
    Value product =
        MatmulOp::create(ops, loc, builder.auxiliary(h, "previous_states"),
                         builder.parameter("W_state"));
    Value all = arith::AddFOp::create(ops, loc, product, values["inputs"]);
    auto in = gate(builder, all, 0, c, "in");
    auto forget = gate(builder, all, 1, c, "forget");
    auto candidate = activate(builder, 0, part(builder, all, 2));
    if (failed(in) || failed(forget) || failed(candidate))
      return failure();
    Value kept = arith::MulFOp::create(ops, loc, *forget, c);
    Value taken = arith::MulFOp::create(ops, loc, *in, *candidate);
    Value cells = arith::AddFOp::create(ops, loc, kept, taken);
    auto out = gate(builder, all, 3, cells, "out");
    auto squashed = activate(builder, 0, cells);
    if (failed(out) || failed(squashed))
      return failure();
    Value states = arith::MulFOp::create(ops, loc, *out, *squashed);
    Value mask = values["mask"];
    return SmallVector<Value>{maskedState(ops, loc, mask, states, h),
                              maskedState(ops, loc, mask, cells, c)};
  }

  /// Part `i` of (batch, 4·dim).
  static Value part(ApplicationBuilder &builder, Value all, int64_t i) {
    int64_t dim = *builder.config.positive("dim");
    return columns(builder.ops, builder.getLoc(), all, i * dim, dim);
  }

  /// The activation (child 0) or the gates' (child 1).
  static FailureOr<Value> activate(ApplicationBuilder &builder, unsigned child,
                                   Value value) {
    return builder.applyActivation(builder.children()[child].getSymName(),
                                   value);
  }

  static FailureOr<Value> gate(ApplicationBuilder &builder, Value all,
                               int64_t i, Value cells, StringRef name) {
    Location loc = builder.getLoc();
    Value sum = part(builder, all, i);
    if (*builder.config.flag("peepholes", true)) {
      Value weights = BroadcastOp::create(
          builder.ops, loc, builder.parameter(("W_cell_to_" + name).str()),
          cells, ArrayRef<int64_t>{1});
      Value seen = arith::MulFOp::create(builder.ops, loc, cells, weights);
      sum = arith::AddFOp::create(builder.ops, loc, sum, seen);
    }
    return activate(builder, 1, sum);
  }
};

} // namespace

void addLSTM(BrickLibrary &library) { library.add(std::make_unique<LSTM>()); }

} // namespace blocks
