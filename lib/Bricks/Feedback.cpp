//===- Feedback.cpp - From outputs back to the generator ------------------===//
//
// `feedback(outputs)` makes features of what was generated: the outputs
// themselves, or rows of a table.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/BrickLibrary.h"
#include "lib/Bricks/NamedCall.h"

using namespace mlir;

namespace blocks {
namespace {

class TrivialFeedback : public BrickKind {
  StringRef getName() const override { return "TrivialFeedback"; }
  std::vector<StringRef> getSettings() const override { return {"output_dim"}; }
  std::vector<StringRef> getApplications() const override {
    return {"feedback"};
  }
  LogicalResult declare(BrickDeclaration &brick) const override {
    return failure(failed(brick.config.positive("output_dim")));
  }

  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"outputs"})))
      return failure();
    RankedTensorType type = builder.floats(0, 2);
    int64_t dim = *builder.config.positive("output_dim");
    if (!type ||
        failed(builder.expectExtent(0, type.getRank() - 1, dim, "features")))
      return failure();
    builder.result(builder.argument(0), "feedback");
    return success();
  }
};

class LookupFeedback : public BrickKind {
  StringRef getName() const override { return "LookupFeedback"; }
  std::vector<StringRef> getSettings() const override {
    return {"num_outputs", "feedback_dim", weightsInit, biasesInit};
  }
  std::vector<StringRef> getApplications() const override {
    return {"feedback"};
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<int64_t> outputs = brick.config.positive("num_outputs");
    FailureOr<int64_t> dim = brick.config.positive("feedback_dim");
    if (failed(outputs) || failed(dim))
      return failure();
    Builder &builder = brick.getBuilder();
    return brick.child(
        table, "LookupTable",
        builder.getDictionaryAttr(
            {builder.getNamedAttr("dim", builder.getI64IntegerAttr(*dim)),
             builder.getNamedAttr("length",
                                  builder.getI64IntegerAttr(*outputs))}));
  }

  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"outputs"})))
      return failure();
    auto rows = builder.applyChild(table, builder.argument(0));
    if (failed(rows))
      return failure();
    builder.result(*rows, "feedback");
    return success();
  }

  static constexpr StringLiteral table = "lookuptable";
};

} // namespace

void addFeedbacks(BrickLibrary &library) {
  library.add(std::make_unique<TrivialFeedback>());
  library.add(std::make_unique<LookupFeedback>());
}

} // namespace blocks
