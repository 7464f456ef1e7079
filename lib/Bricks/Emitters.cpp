//===- Emitters.cpp - From readouts to outputs, and their cost ------------===//
//
// What ends a generator's step: `emit` makes an output of a readout, `cost`
// says what an output costs, `initial_outputs` stands before the first. The
// softmax emitter draws by the Gumbel trick: the largest of logit - log(-log
// u), with u uniform, is a sample of the softmax, and needs no sum over
// probabilities.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/BrickLibrary.h"
#include "lib/Bricks/NamedCall.h"
#include "lib/Bricks/RandomSites.h"
#include "lib/Bricks/RecurrentLoop.h"
#include "lib/Bricks/TensorHelpers.h"

#include <mlir/Dialect/Math/IR/Math.h>

using namespace mlir;

namespace blocks {
namespace {

/// Classes by number; readouts are logits.
class SoftmaxEmitter : public BrickKind {
  StringRef getName() const override { return "SoftmaxEmitter"; }
  std::vector<StringRef> getSettings() const override {
    return {"initial_output", "readout_dim"};
  }
  std::vector<StringRef> getApplications() const override {
    return {"probs", "emit", "cost", "costs", "initial_outputs"};
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<double> first = brick.config.number("initial_output", 0);
    if (failed(first) || (brick.config.get("readout_dim") &&
                          failed(brick.config.positive("readout_dim"))))
      return failure();
    if (*first != double(int64_t(*first)))
      return brick.config.wrong("initial_output", "the number of a class");
    return brick.child(softmax, "Softmax",
                       DictionaryAttr::get(brick.getBuilder().getContext()));
  }

  LogicalResult build(StringRef application,
                      ApplicationBuilder &builder) const override {
    if (application == "initial_outputs")
      return buildInitial(builder);
    if (application == "cost")
      return buildCost(builder);
    if (failed(builder.takes({"readouts"})) || !builder.floats(0, 2))
      return failure();
    if (application == "emit")
      return buildSample(builder);
    return application == "probs" ? buildProbabilities(builder)
                                  : buildCosts(builder);
  }

  LogicalResult buildProbabilities(ApplicationBuilder &builder) const {
    auto probabilities =
        callOne(builder, softmax, "apply", builder.argument(0));
    if (failed(probabilities))
      return failure();
    builder.result(*probabilities, "probs");
    return success();
  }

  /// What each class would cost.
  LogicalResult buildCosts(ApplicationBuilder &builder) const {
    auto logs =
        callOne(builder, softmax, "log_probabilities", builder.argument(0));
    if (failed(logs))
      return failure();
    builder.result(arith::NegFOp::create(builder.ops, builder.getLoc(), *logs),
                   "costs");
    return success();
  }

  LogicalResult buildSample(ApplicationBuilder &builder) const {
    OpBuilder &ops = builder.ops;
    Location loc = builder.getLoc();
    Value readouts = builder.argument(0);
    Value u = drawLike(ops, loc, RandomKind::Uniform, readouts, "emit");
    Value waiting =
        arith::NegFOp::create(ops, loc, math::LogOp::create(ops, loc, u));
    Value scores = arith::SubFOp::create(
        ops, loc, readouts, math::LogOp::create(ops, loc, waiting));
    ArrayRef<int64_t> rows =
        cast<RankedTensorType>(scores.getType()).getShape().drop_back();
    builder.result(
        ArgmaxOp::create(ops, loc,
                         RankedTensorType::get(rows, ops.getI64Type()), scores),
        "outputs");
    return success();
  }

  LogicalResult buildCost(ApplicationBuilder &builder) const {
    if (failed(builder.takes({"readouts", "outputs"})) || !builder.floats(0, 2))
      return failure();
    auto cost = callOne(builder, softmax, "categorical_cross_entropy",
                        {builder.argument(1), builder.argument(0)});
    if (failed(cost))
      return failure();
    builder.result(*cost, "cost");
    return success();
  }

  LogicalResult buildInitial(ApplicationBuilder &builder) const {
    if (failed(builder.takes({"batch"})))
      return failure();
    OpBuilder &ops = builder.ops;
    auto first = DenseElementsAttr::get(
        RankedTensorType::get({}, ops.getI64Type()),
        int64_t(*builder.config.number("initial_output", 0)));
    Value number = arith::ConstantOp::create(ops, builder.getLoc(), first);
    builder.result(
        forEachRow(ops, builder.getLoc(), number, builder.argument(0), 0),
        "initial_outputs");
    return success();
  }

  static constexpr StringLiteral softmax = "ndimensionalsoftmax";
};

/// Readouts are the outputs, which cost nothing, or the squares of what given
/// outputs differ by.
class TrivialEmitter : public BrickKind {
  StringRef getName() const override { return "TrivialEmitter"; }
  std::vector<StringRef> getSettings() const override {
    return {"readout_dim", "cost"};
  }
  std::vector<StringRef> getApplications() const override {
    return {"emit", "cost", "initial_outputs"};
  }
  LogicalResult declare(BrickDeclaration &brick) const override {
    return failure(failed(brick.config.positive("readout_dim")) ||
                   failed(brick.config.choice("cost", costs)));
  }

  LogicalResult build(StringRef application,
                      ApplicationBuilder &builder) const override {
    if (application == "emit") {
      if (failed(builder.takes({"readouts"})))
        return failure();
      builder.result(builder.argument(0), "outputs");
      return success();
    }
    return application == "initial_outputs" ? buildInitial(builder)
                                            : buildCost(builder);
  }

  LogicalResult buildInitial(ApplicationBuilder &builder) const {
    if (failed(builder.takes({"batch"})))
      return failure();
    OpBuilder &ops = builder.ops;
    Value zeros =
        zeroRows(ops, builder.getLoc(), *builder.config.positive("readout_dim"),
                 *builder.config.elementType(), builder.argument(0), 0);
    builder.result(zeros, "initial_outputs");
    return success();
  }

  LogicalResult buildCost(ApplicationBuilder &builder) const {
    if (failed(builder.takes({"readouts", "outputs"})))
      return failure();
    RankedTensorType type = builder.floats(0, 2);
    if (!type)
      return failure();
    OpBuilder &ops = builder.ops;
    Location loc = builder.getLoc();
    Value readouts = builder.argument(0), outputs = builder.argument(1);
    bool squared = *builder.config.choice("cost", costs) == "squared_error";
    if (squared && outputs.getType() != type)
      return builder.error()
             << "compares readouts of type " << type << " with outputs of type "
             << outputs.getType() << "; they must be equal";
    Value terms = readouts;
    if (squared) {
      terms = arith::SubFOp::create(ops, loc, readouts, outputs);
      terms = arith::MulFOp::create(ops, loc, terms, terms);
    }
    Value rows = ReduceOp::create(ops, loc, ReduceKind::Sum, terms,
                                  ArrayRef<int64_t>{type.getRank() - 1});
    builder.result(squared ? rows : splatLike(ops, loc, 0.0, rows), "cost");
    return success();
  }

  static constexpr StringRef costs[] = {"none", "squared_error"};
};

} // namespace

void addEmitters(BrickLibrary &library) {
  library.add(std::make_unique<SoftmaxEmitter>());
  library.add(std::make_unique<TrivialEmitter>());
}

} // namespace blocks
