//===- Lookup.cpp - LookupTable -------------------------------------------===//
#include "lib/Bricks/BrickLibrary.h"

using namespace mlir;

namespace blocks {
namespace {

/// Rows of W by number: integers of any shape, one more axis in the output.
class LookupTable : public BrickKind {
  StringRef getName() const override { return "LookupTable"; }
  std::vector<StringRef> getSettings() const override {
    return {"length", "dim", weightsInit};
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<int64_t> length = brick.config.positive("length");
    FailureOr<int64_t> dim = brick.config.positive("dim");
    if (failed(length) || failed(dim))
      return failure();
    return brick.parameter("W", {*length, *dim}, Role::Weight, weightsInit);
  }

  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"indices"})))
      return failure();
    Value indices = builder.argument(0);
    auto type = dyn_cast<RankedTensorType>(indices.getType());
    if (!type || !type.getElementType().isInteger())
      return builder.error()
             << "takes integers, the numbers of rows, found an input"
             << builder.originText() << " of type " << indices.getType()
             << "; convert it with blocks.cast before the brick";
    builder.result(GatherOp::create(builder.ops, builder.getLoc(),
                                    builder.parameter("W"), indices,
                                    builder.getPath()),
                   "output");
    return success();
  }
};

} // namespace

void addLookupBricks(BrickLibrary &library) {
  library.add(std::make_unique<LookupTable>());
}

} // namespace blocks
