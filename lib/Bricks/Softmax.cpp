//===- Softmax.cpp - Softmax and its cross-entropy ------------------------===//
//
// The cross-entropy takes logits, not probabilities: fused and stable, one cost
// per row, with the log-probabilities as an auxiliary value.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/BrickLibrary.h"
#include "lib/Bricks/Labels.h"

using namespace mlir;

namespace blocks {
namespace {

class Softmax : public BrickKind {
  StringRef getName() const override { return "Softmax"; }
  std::vector<StringRef> getApplications() const override {
    return {"apply", "log_probabilities", "categorical_cross_entropy"};
  }

  LogicalResult build(StringRef application,
                      ApplicationBuilder &builder) const override {
    if (application == "categorical_cross_entropy")
      return buildCost(builder);
    if (failed(builder.takes({"input_"})) || !builder.floats(0, 1))
      return failure();
    Value x = builder.argument(0);
    if (application == "apply")
      builder.result(SoftmaxOp::create(builder.ops, builder.getLoc(), x),
                     "output");
    else
      builder.result(LogSoftmaxOp::create(builder.ops, builder.getLoc(), x),
                     "output");
    return success();
  }

  static LogicalResult buildCost(ApplicationBuilder &builder) {
    if (failed(builder.takes({"y", "x"})) || !builder.floats(1, 1))
      return failure();
    Value labels = labelsForRows(builder, 0, 1, /*distributions=*/true);
    if (!labels)
      return failure();
    auto cost = SoftmaxCrossEntropyOp::create(builder.ops, builder.getLoc(),
                                              builder.argument(1), labels,
                                              builder.getPath());
    builder.auxiliary(cost.getLogProbabilities(), "log_probabilities");
    builder.result(cost.getCost(), "output", Role::Cost);
    return success();
  }
};

} // namespace

void addSoftmaxBricks(BrickLibrary &library) {
  library.add(std::make_unique<Softmax>());
}

} // namespace blocks
