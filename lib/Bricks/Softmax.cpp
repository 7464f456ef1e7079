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

/// Over the last axis of any number of axes; `extra_ndim` says how many there
/// are beside rows and columns, and then only those are taken.
class Softmax : public BrickKind {
public:
  Softmax(StringRef name, bool takesExtra)
      : name(name), takesExtra(takesExtra) {}

private:
  StringRef getName() const override { return name; }
  std::vector<StringRef> getSettings() const override {
    return takesExtra ? std::vector<StringRef>{extraNdim}
                      : std::vector<StringRef>{};
  }
  LogicalResult declare(BrickDeclaration &brick) const override {
    return failure(failed(rankOf(brick.config)));
  }

  /// The number of axes that are taken; 0 for any.
  FailureOr<int64_t> rankOf(const BrickConfig &config) const {
    if (!takesExtra)
      return 0;
    FailureOr<double> extra = config.number(extraNdim, 0);
    if (failed(extra))
      return failure();
    if (*extra < 0 || *extra != double(int64_t(*extra)))
      return config.wrong(extraNdim, "a number of axes, 0 or more");
    return int64_t(*extra) + 2;
  }

  LogicalResult checkRank(ApplicationBuilder &builder,
                          RankedTensorType type) const {
    int64_t rank = *rankOf(builder.config);
    if (rank == 0 || type.getRank() == rank)
      return success();
    return builder.error() << "has extra_ndim = " << rank - 2
                           << ", so it takes " << rank << " axes, found"
                           << builder.originText() << " shape "
                           << shapeText(type);
  }

  std::vector<StringRef> getApplications() const override {
    return {"apply", "log_probabilities", "categorical_cross_entropy"};
  }

  LogicalResult build(StringRef application,
                      ApplicationBuilder &builder) const override {
    if (application == "categorical_cross_entropy")
      return buildCost(builder);
    if (failed(builder.takes({"input_"})))
      return failure();
    RankedTensorType type = builder.floats(0, 1);
    if (!type || failed(checkRank(builder, type)))
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

  LogicalResult buildCost(ApplicationBuilder &builder) const {
    if (failed(builder.takes({"y", "x"})))
      return failure();
    RankedTensorType type = builder.floats(1, 1);
    if (!type || failed(checkRank(builder, type)))
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

  static constexpr StringLiteral extraNdim = "extra_ndim";
  StringRef name;
  bool takesExtra;
};

} // namespace

void addSoftmaxBricks(BrickLibrary &library) {
  library.add(std::make_unique<Softmax>("Softmax", false));
  library.add(std::make_unique<Softmax>("NDimensionalSoftmax", true));
}

} // namespace blocks
