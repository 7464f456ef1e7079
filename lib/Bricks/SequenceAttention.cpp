//===- SequenceAttention.cpp - Content-based and plain attention ----------===//
//
// SequenceContentAttention compares states with each position of a sequence and
// gives the average of the positions, weighted by how well they match.
// SimpleSequenceAttention looks at one position after the other.
//
// What does not depend on the state stands before the loop: the product with U
// by `preprocess`, and the turning around of the attended sequence by
// blocks-hoist-scan-products.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/Attention.h"
#include "lib/Bricks/NamedCall.h"
#include "lib/Bricks/TensorHelpers.h"

using namespace mlir;

namespace blocks {
namespace {

constexpr StringLiteral stateTrans = "state_trans";
constexpr StringLiteral energyComp = "energy_comp";

Value transposed(ApplicationBuilder &builder, Value value,
                 ArrayRef<int64_t> permutation) {
  return TransposeOp::create(builder.ops, builder.getLoc(), value, permutation);
}

/// e_j = v·tanh(U·h_j + b + Σ W_s·s); α = softmax of e over the positions that
/// the mask leaves; the glimpse is Σ α_j·h_j.
class SequenceContentAttention : public AttentionBrick {
  StringRef getName() const override { return "SequenceContentAttention"; }
  std::vector<StringRef> getSettings() const override {
    return {"match_dim",       "state_names",       "state_dims",
            "attended_dim",    "state_transformer", "attended_transformer",
            "energy_computer", weightsInit,         biasesInit};
  }

  //===--- Declaring ------------------------------------------------------===//

  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<int64_t> match = brick.config.positive("match_dim");
    FailureOr<int64_t> attended = brick.config.positive("attended_dim");
    FailureOr<ArrayAttr> names = brick.config.list("state_names");
    FailureOr<SmallVector<int64_t>> dims = brick.config.positives("state_dims");
    if (failed(match) || failed(attended) || failed(names) || failed(dims))
      return failure();
    for (Attribute name : *names)
      if (!isa<StringAttr>(name))
        return brick.config.wrong("state_names", "a list of names");
    return failure(failed(declareStates(brick, *names, *match)) ||
                   failed(declareAttended(brick, *attended, *match)) ||
                   failed(declareEnergy(brick, *match)));
  }

  /// The kind and settings of the setting `key`, or a Linear.
  static FailureOr<BrickDeclaration::ChildSpec>
  transformer(BrickDeclaration &brick, StringRef key) {
    Attribute text = brick.config.get(key);
    return brick.childSpec(
        key, text ? text : brick.getBuilder().getStringAttr("Linear"));
  }

  static LogicalResult declareStates(BrickDeclaration &brick, ArrayAttr names,
                                     int64_t match) {
    Builder &builder = brick.getBuilder();
    NamedAttrList settings;
    settings.set("input_names", names);
    settings.set("input_dims", brick.config.get("state_dims"));
    settings.set("output_dims", builder.getI64ArrayAttr(
                                    SmallVector<int64_t>(names.size(), match)));
    if (Attribute prototype = brick.config.get("state_transformer"))
      settings.set("prototype", prototype);
    else
      settings.set("use_bias", builder.getBoolAttr(false));
    return brick.child(stateTrans, "Parallel",
                       settings.getDictionary(builder.getContext()));
  }

  static LogicalResult declareAttended(BrickDeclaration &brick,
                                       int64_t attended, int64_t match) {
    Builder &builder = brick.getBuilder();
    auto spec = transformer(brick, "attended_transformer");
    if (failed(spec))
      return failure();
    NamedAttrList settings(spec->settings);
    StringRef setting = "attended_transformer";
    if (spec->kind == "Linear" &&
        (failed(brick.fix(settings, setting, "input_dim",
                          builder.getI64IntegerAttr(attended))) ||
         failed(brick.fix(settings, setting, "output_dim",
                          builder.getI64IntegerAttr(match)))))
      return failure();
    return brick.child("preprocess", spec->kind,
                       settings.getDictionary(builder.getContext()));
  }

  static LogicalResult declareEnergy(BrickDeclaration &brick, int64_t match) {
    Builder &builder = brick.getBuilder();
    if (Attribute given = brick.config.get("energy_computer")) {
      auto spec = brick.childSpec("energy_computer", given);
      return failed(spec) ? failure()
                          : brick.child(energyComp, spec->kind, spec->settings);
    }
    auto entry = [&](StringRef key, Attribute value) {
      return builder.getNamedAttr(key, value);
    };
    Attribute linear = builder.getDictionaryAttr(
        {entry("input_dim", builder.getI64IntegerAttr(match)),
         entry("kind", builder.getStringAttr("Linear")),
         entry("output_dim", builder.getI64IntegerAttr(1)),
         entry("use_bias", builder.getBoolAttr(false))});
    return brick.child(
        energyComp, "FeedforwardSequence",
        builder.getDictionaryAttr(entry(
            "application_methods",
            builder.getArrayAttr({builder.getStringAttr("Tanh"), linear}))));
  }

  //===--- Names ----------------------------------------------------------===//

  std::vector<StepValue> getStates(BrickOp brick) const override {
    BrickConfig config(brick);
    std::vector<StepValue> states;
    for (auto [name, dim] : llvm::zip(*config.list("state_names"),
                                      *config.positives("state_dims")))
      states.push_back({cast<StringAttr>(name).str(), dim});
    return states;
  }
  std::vector<StepValue> getGlimpses(BrickOp brick) const override {
    return {{"weighted_averages", getAttendedDim(brick)},
            {"weights", onePerPosition}};
  }

  int64_t getPreparedDim(BrickOp brick) const override {
    return *BrickConfig(brick).positive("match_dim");
  }

  //===--- Applications ---------------------------------------------------===//

  FailureOr<Value> preprocess(ApplicationBuilder &builder,
                              Value attended) const override {
    return builder.applyChild("preprocess", attended);
  }

  LogicalResult takeGlimpses(ApplicationBuilder &builder,
                             const NamedValues &values) const override {
    OpBuilder &ops = builder.ops;
    Location loc = builder.getLoc();
    FailureOr<Value> energies = buildEnergies(builder, values);
    if (failed(energies))
      return failure();
    Value mask;
    if (Value given = values["attended_mask"]) {
      Value turned = transposed(builder, given, {1, 0});
      mask = arith::CmpFOp::create(ops, loc, arith::CmpFPredicate::ONE, turned,
                                   splatLike(ops, loc, 0.0, turned));
    }
    Value weights = SoftmaxOp::create(ops, loc, *energies, mask);
    Value sequence = transposed(builder, values["attended"], {1, 0, 2});
    Value averages = BatchMatmulOp::create(
        ops, loc, insertUnitAxis(ops, loc, weights, 1), sequence);
    builder.result(mergeAxes(ops, loc, averages, 0, 1), "weighted_averages");
    builder.result(weights, "weights");
    return success();
  }

  static int64_t getMatchDim(ApplicationBuilder &builder) {
    return *builder.config.positive("match_dim");
  }

  /// Reports what a child that the user chose made of another shape than the
  /// attention can use.
  static LogicalResult checkPart(ApplicationBuilder &builder, StringRef setting,
                                 Value value, StringRef expected, int64_t rank,
                                 int64_t last) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (type && type.getRank() == rank && type.getDimSize(rank - 1) == last)
      return success();
    return builder.error() << "needs from its " << setting
                           << " a tensor of shape " << expected << ", found "
                           << value.getType();
  }

  /// (batch, time). The prepared sequence is turned around, too, so that each
  /// example of the batch has its positions together, as the softmax needs
  /// them.
  FailureOr<Value> buildEnergies(ApplicationBuilder &builder,
                                 const NamedValues &values) const {
    OpBuilder &ops = builder.ops;
    Location loc = builder.getLoc();
    SmallVector<Value> states;
    for (const StepValue &state : getStates(builder.getBrick()))
      states.push_back(values[state.name]);
    auto projected = builder.apply(
        nestedReference(builder.getReference(), stateTrans), "apply", states);
    if (failed(projected))
      return failure();
    Value prepared = values[preprocessedAttended];
    if (failed(checkPart(builder, "attended_transformer", prepared,
                         "(time, batch, match_dim)", 3, getMatchDim(builder))))
      return failure();
    Value sum;
    for (Value part : projected->getResults()) {
      if (failed(checkPart(builder, "state_transformer", part,
                           "(batch, match_dim)", 2, getMatchDim(builder))))
        return failure();
      sum = sum ? Value(arith::AddFOp::create(ops, loc, sum, part)) : part;
    }
    prepared = transposed(builder, prepared, {1, 0, 2});
    Value spread =
        BroadcastOp::create(ops, loc, sum, prepared, ArrayRef<int64_t>{0, 2});
    Value match = arith::AddFOp::create(ops, loc, prepared, spread);
    FailureOr<Value> energies = builder.applyChild(energyComp, match);
    if (failed(energies) ||
        failed(checkPart(builder, "energy_computer", *energies,
                         "(batch, time, 1), one energy for each position", 3,
                         1)))
      return failure();
    return builder.auxiliary(mergeAxes(ops, loc, *energies, 1, 2), "energies");
  }
};

/// The glimpse of step t is the attended position t; `step` counts.
class SimpleSequenceAttention : public AttentionBrick {
  StringRef getName() const override { return "SimpleSequenceAttention"; }
  std::vector<StringRef> getSettings() const override {
    return {"state_names", "state_dims", "attended_dim"};
  }
  LogicalResult declare(BrickDeclaration &brick) const override {
    return failure(failed(brick.config.positive("attended_dim")));
  }

  std::vector<StepValue> getStates(BrickOp) const override { return {}; }
  std::vector<StepValue> getGlimpses(BrickOp brick) const override {
    return {{"glimpses", getAttendedDim(brick)}, {"step", 0}};
  }
  bool isFedBack(StringRef glimpse) const override { return glimpse == "step"; }

  FailureOr<Value> preprocess(ApplicationBuilder &,
                              Value attended) const override {
    return attended;
  }

  /// attended[step[b], b, :], as a pick from the turned (batch, features,
  /// time).
  LogicalResult takeGlimpses(ApplicationBuilder &builder,
                             const NamedValues &values) const override {
    OpBuilder &ops = builder.ops;
    Location loc = builder.getLoc();
    Value step = values["step"];
    auto type = dyn_cast<RankedTensorType>(step.getType());
    if (!type || type.getRank() != 1 || !type.getElementType().isInteger(64))
      return builder.error() << "takes 'step' of i64 and shape (batch), found "
                             << step.getType();
    Value sequence = transposed(builder, values["attended"], {1, 2, 0});
    auto turned = cast<RankedTensorType>(sequence.getType());
    auto rows = RankedTensorType::get(turned.getShape().drop_back(),
                                      turned.getElementType());
    Value like = ReduceOp::create(ops, loc, ReduceKind::Sum, sequence,
                                  ArrayRef<int64_t>{2});
    Value positions =
        BroadcastOp::create(ops, loc, step, like, ArrayRef<int64_t>{0});
    Value seen =
        PickOp::create(ops, loc, rows, sequence, positions, builder.getPath());
    builder.result(seen, "glimpses");
    auto one = DenseElementsAttr::get(
        RankedTensorType::get({}, ops.getI64Type()), int64_t(1));
    Value ones =
        BroadcastOp::create(ops, loc, arith::ConstantOp::create(ops, loc, one),
                            step, ArrayRef<int64_t>());
    builder.result(arith::AddIOp::create(ops, loc, step, ones), "step");
    return success();
  }
};

} // namespace

void addAttentionRecurrent(BrickLibrary &library);

void addAttentionBricks(BrickLibrary &library) {
  library.add(std::make_unique<SequenceContentAttention>());
  library.add(std::make_unique<SimpleSequenceAttention>());
  addAttentionRecurrent(library);
}

} // namespace blocks
