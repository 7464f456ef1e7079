//===- Maxout.cpp - Maxout, LinearMaxout ----------------------------------===//
#include "lib/Bricks/BrickLibrary.h"
#include "lib/Bricks/TensorHelpers.h"

using namespace mlir;

namespace blocks {
namespace {

constexpr StringLiteral pieces = "num_pieces";

/// The largest of each `num_pieces` consecutive elements of the last axis.
class Maxout : public BrickKind {
  StringRef getName() const override { return "Maxout"; }
  std::vector<StringRef> getSettings() const override { return {pieces}; }
  LogicalResult declare(BrickDeclaration &brick) const override {
    return failure(failed(brick.config.positive(pieces)));
  }

  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"input_"})))
      return failure();
    RankedTensorType type = builder.floats(0, 1);
    if (!type)
      return failure();
    int64_t count = *builder.config.positive(pieces), last = type.getRank() - 1;
    if (type.isDynamicDim(last) || type.getDimSize(last) % count != 0)
      return builder.error()
             << "takes the largest of each " << count
             << " features, so their number must be a multiple of it; its input"
             << builder.originText() << " has shape " << shapeText(type);
    Location loc = builder.getLoc();
    Value split = splitLastAxis(builder.ops, loc, builder.argument(0), count);
    builder.result(ReduceOp::create(builder.ops, loc, ReduceKind::Max, split,
                                    ArrayRef<int64_t>{last + 1}),
                   "output");
    return success();
  }
};

/// Linear to output_dim·num_pieces features, then maxout.
class LinearMaxout : public BrickKind {
  StringRef getName() const override { return "LinearMaxout"; }
  std::vector<StringRef> getSettings() const override {
    return {"input_dim", "output_dim", pieces,
            "use_bias",  weightsInit,  biasesInit};
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<int64_t> input = brick.config.positive("input_dim");
    FailureOr<int64_t> output = brick.config.positive("output_dim");
    FailureOr<int64_t> count = brick.config.positive(pieces);
    if (failed(input) || failed(output) || failed(count))
      return failure();
    if (*output > largestCount / *count)
      return brick.config.error()
             << "needs " << *output << " times " << *count
             << " features between its parts, more than a machine can "
                "address; make output_dim or num_pieces smaller";
    Builder &builder = brick.getBuilder();
    NamedAttrList linear, maxout;
    linear.set("input_dim", builder.getI64IntegerAttr(*input));
    linear.set("output_dim", builder.getI64IntegerAttr(*output * *count));
    if (Attribute useBias = brick.config.get("use_bias"))
      linear.set("use_bias", useBias);
    maxout.set(pieces, builder.getI64IntegerAttr(*count));
    if (failed(brick.child("linear", "Linear",
                           linear.getDictionary(builder.getContext()))))
      return failure();
    return brick.child("maxout", "Maxout",
                       maxout.getDictionary(builder.getContext()));
  }

  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"input_"})))
      return failure();
    FailureOr<Value> linear = builder.applyChild("linear", builder.argument(0));
    if (failed(linear))
      return failure();
    FailureOr<Value> output = builder.applyChild("maxout", *linear);
    if (failed(output))
      return failure();
    builder.result(*output, "output");
    return success();
  }
};

} // namespace

void addMaxoutBricks(BrickLibrary &library) {
  library.add(std::make_unique<Maxout>());
  library.add(std::make_unique<LinearMaxout>());
}

} // namespace blocks
