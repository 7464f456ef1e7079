//===- Attention.cpp - What attention bricks share ------------------------===//
#include "lib/Bricks/Attention.h"

#include "lib/Bricks/TensorHelpers.h"

using namespace mlir;

namespace blocks {

//===--- Checks -----------------------------------------------------------===//

LogicalResult checkAttended(ApplicationBuilder &builder, Value attended,
                            Value mask, int64_t dim) {
  auto type = dyn_cast<RankedTensorType>(attended.getType());
  if (!type || type.getRank() != 3 || type.getDimSize(2) != dim)
    return builder.error() << "attends to a sequence of shape (time, batch, "
                           << dim << "), found " << attended.getType();
  if (!mask)
    return success();
  auto maskType = dyn_cast<RankedTensorType>(mask.getType());
  if (maskType && maskType.getRank() == 2 &&
      maskType.getElementType() == type.getElementType() &&
      extentsFit(maskType.getDimSize(0), type.getDimSize(0)) &&
      extentsFit(maskType.getDimSize(1), type.getDimSize(1)))
    return success();
  return builder.error() << "attends to a sequence of type " << type
                         << ", whose mask must be (time, batch) of "
                         << type.getElementType() << ", found "
                         << mask.getType();
}

/// What was prepared has the positions of `attended`, and `dim` features unless
/// that is 0.
static LogicalResult checkPrepared(ApplicationBuilder &builder, Value prepared,
                                   Value attended, int64_t dim) {
  auto whole = cast<RankedTensorType>(attended.getType());
  auto type = dyn_cast<RankedTensorType>(prepared.getType());
  if (type && type.getRank() == 3 &&
      type.getElementType() == whole.getElementType() &&
      extentsFit(type.getDimSize(0), whole.getDimSize(0)) &&
      extentsFit(type.getDimSize(1), whole.getDimSize(1)) &&
      (dim == 0 || type.getDimSize(2) == dim))
    return success();
  return builder.error() << "takes '" << preprocessedAttended
                         << "' of shape (time, batch, "
                         << (dim == 0 ? "features" : std::to_string(dim))
                         << ") and the element type of 'attended', as its "
                            "application 'preprocess' gives it, found "
                         << prepared.getType();
}

//===--- Applications -----------------------------------------------------===//

LogicalResult AttentionBrick::build(StringRef application,
                                    ApplicationBuilder &builder) const {
  if (application == "take_glimpses")
    return buildGlimpses(builder);
  if (application == "initial_glimpses")
    return buildInitial(builder);
  if (failed(builder.takes({"attended"})) ||
      failed(checkAttended(builder, builder.argument(0), {},
                           getAttendedDim(builder.getBrick()))))
    return failure();
  auto prepared = preprocess(builder, builder.argument(0));
  if (failed(prepared))
    return failure();
  builder.result(*prepared, preprocessedAttended);
  return success();
}

LogicalResult AttentionBrick::buildGlimpses(ApplicationBuilder &builder) const {
  BrickOp brick = builder.getBrick();
  std::vector<ArgumentName> names{{"attended"}};
  for (const StepValue &state : getStates(brick))
    names.push_back({state.name});
  for (const StepValue &glimpse : getGlimpses(brick))
    if (isFedBack(glimpse.name))
      names.push_back({glimpse.name});
  names.push_back({preprocessedAttended.str(), true});
  names.push_back({"attended_mask", true});
  auto values = builder.bindArguments(names);
  if (failed(values) ||
      failed(checkAttended(builder, (*values)["attended"],
                           (*values)["attended_mask"], getAttendedDim(brick))))
    return failure();
  for (const StepValue &state : getStates(brick))
    if (failed(checkStepValue(builder, state, (*values)[state.name], false)))
      return failure();
  if (Value prepared = (*values)[preprocessedAttended])
    if (failed(checkPrepared(builder, prepared, (*values)["attended"],
                             getPreparedDim(brick))))
      return failure();
  if (!(*values)[preprocessedAttended]) {
    auto prepared = preprocess(builder, (*values)["attended"]);
    if (failed(prepared))
      return failure();
    values->set(preprocessedAttended, *prepared);
  }
  return takeGlimpses(builder, *values);
}

/// `initial_glimpses(batch, attended)`: of `batch` only axis 0 matters.
LogicalResult AttentionBrick::buildInitial(ApplicationBuilder &builder) const {
  if (failed(builder.takes({"batch", "attended"})))
    return failure();
  for (const StepValue &glimpse : getGlimpses(builder.getBrick()))
    builder.result(initialGlimpse(builder, glimpse, builder.argument(0), 0,
                                  builder.argument(1)),
                   glimpse.name);
  return success();
}

//===--- Initial values ---------------------------------------------------===//

Value initialGlimpse(ApplicationBuilder &builder, const StepValue &glimpse,
                     Value like, int64_t batchAxis, Value attended) {
  OpBuilder &ops = builder.ops;
  Type element =
      glimpse.dim == 0 ? Type(ops.getI64Type()) : *builder.config.elementType();
  Location loc = builder.getLoc();
  SmallVector<int64_t> shape;
  if (glimpse.dim > 0)
    shape.push_back(glimpse.dim);
  auto type = RankedTensorType::get(shape, element);
  Value zero = arith::ConstantOp::create(
      ops, loc, DenseElementsAttr::get(type, ops.getZeroAttr(element)));
  if (glimpse.dim != onePerPosition)
    return forEachRow(ops, loc, zero, like, batchAxis);
  // (time, batch) of the attended sequence, turned around.
  Value positions = ReduceOp::create(ops, loc, ReduceKind::Sum, attended,
                                     ArrayRef<int64_t>{2});
  Value turned =
      TransposeOp::create(ops, loc, positions, ArrayRef<int64_t>{1, 0});
  return BroadcastOp::create(ops, loc, zero, turned, ArrayRef<int64_t>());
}

} // namespace blocks
