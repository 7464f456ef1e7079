//===- Recurrent.cpp - SimpleRecurrent ------------------------------------===//
//
// Sequences are time-first: (time, batch, features). The recurrence is one
// blocks.scan whose state is h; W and the activation are used inside.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/BrickLibrary.h"
#include "lib/Bricks/TensorHelpers.h"

using namespace mlir;

namespace blocks {
namespace {

/// h' = activation(x + h·W); with a mask m, h' = m·new + (1 - m)·old.
class SimpleRecurrent : public BrickKind {
  StringRef getName() const override { return "SimpleRecurrent"; }
  std::vector<StringRef> getSettings() const override {
    return {"dim", "activation", weightsInit};
  }

  static FailureOr<BrickDeclaration::ChildSpec>
  activationOf(BrickDeclaration &brick) {
    Attribute text = brick.config.get("activation");
    if (!text)
      return brick.config.error()
             << "needs the setting 'activation', such as \"Tanh\"";
    return brick.childSpec("activation", text);
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<int64_t> dim = brick.config.positive("dim");
    auto activation = activationOf(brick);
    if (failed(dim) || failed(activation) ||
        failed(brick.parameter("W", {*dim, *dim}, Role::Weight, weightsInit)) ||
        failed(brick.parameter("initial_state", {*dim}, Role::InitialState,
                               /*initKey=*/"")))
      return failure();
    return brick.child(defaultBrickName(activation->kind), activation->kind,
                       activation->settings);
  }

  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"inputs", "mask"}, /*optional=*/1)))
      return failure();
    RankedTensorType type = builder.floats(0, 3);
    int64_t dim = *builder.config.positive("dim");
    if (!type || failed(builder.expectExtent(0, 2, dim, "features")) ||
        failed(checkMask(builder, type)))
      return failure();
    Value initial = initialStates(builder);
    auto scan =
        ScanOp::create(builder.ops, builder.getLoc(), type,
                       ValueRange(builder.arguments()), ValueRange(initial));
    // Inside the body the builder is the scan's.
    OpBuilder::InsertionGuard guard(builder.ops);
    if (failed(buildStep(builder, scan)))
      return failure();
    builder.result(scan.getResult(0), "states");
    return success();
  }

  static LogicalResult checkMask(ApplicationBuilder &builder,
                                 RankedTensorType inputs) {
    if (inputs.getRank() != 3)
      return builder.error() << "takes inputs of 3 axes (time, batch, "
                                "features), found shape "
                             << shapeText(inputs);
    if (builder.arguments().size() == 1)
      return success();
    auto expected = RankedTensorType::get(inputs.getShape().drop_back(),
                                          inputs.getElementType());
    if (builder.argument(1).getType() == expected)
      return success();
    return builder.error() << "takes a mask (time, batch) of type " << expected
                           << ", found " << builder.argument(1).getType();
  }

  /// The initial state for each row of the batch. The sum over time is there
  /// for its shape alone: nothing computes it.
  static Value initialStates(ApplicationBuilder &builder) {
    Value shape = ReduceOp::create(builder.ops, builder.getLoc(),
                                   ReduceKind::Sum, builder.argument(0), 0);
    return BroadcastOp::create(builder.ops, builder.getLoc(),
                               builder.parameter("initial_state"), shape, 1);
  }

  static LogicalResult buildStep(ApplicationBuilder &builder, ScanOp scan) {
    Location loc = builder.getLoc();
    Block &body = scan.getBody().emplaceBlock();
    body.addArgument(builder.ops.getIndexType(), loc);
    for (Value sequence : scan.getSequences()) {
      auto type = cast<RankedTensorType>(sequence.getType());
      body.addArgument(RankedTensorType::get(type.getShape().drop_front(),
                                             type.getElementType()),
                       loc);
    }
    body.addArguments(scan.getStates().getTypes(),
                      SmallVector<Location>(scan.getStates().size(), loc));
    builder.ops.setInsertionPointToStart(&body);
    FailureOr<Value> next = nextStates(builder, scan);
    if (failed(next))
      return failure();
    YieldOp::create(builder.ops, loc, ValueRange(*next), ValueRange());
    return success();
  }

  static FailureOr<Value> nextStates(ApplicationBuilder &builder, ScanOp scan) {
    Location loc = builder.getLoc();
    OpBuilder &ops = builder.ops;
    Value x = scan.getSliceArguments()[0], h = scan.getStateArguments()[0];
    Value product = MatmulOp::create(ops, loc, h, builder.parameter("W"));
    Value sum = arith::AddFOp::create(ops, loc, product, x);
    FailureOr<Value> next =
        builder.applyChild(builder.children().front().getSymName(), sum);
    if (failed(next) || scan.getSequences().size() == 1)
      return next;
    Value mask = BroadcastOp::create(ops, loc, scan.getSliceArguments()[1], h,
                                     ArrayRef<int64_t>{0});
    Value kept =
        arith::SubFOp::create(ops, loc, splatLike(ops, loc, 1.0, h), mask);
    Value taken = arith::MulFOp::create(ops, loc, mask, *next);
    Value old = arith::MulFOp::create(ops, loc, kept, h);
    return Value(arith::AddFOp::create(ops, loc, taken, old));
  }
};

} // namespace

void addRecurrentBricks(BrickLibrary &library) {
  library.add(std::make_unique<SimpleRecurrent>());
}

} // namespace blocks
