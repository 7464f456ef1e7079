//===- Sizes.cpp - Extents of a value, from where they come ---------------===//
#include "lib/Autodiff/Sizes.h"

#include "lib/Autodiff/ScanShapes.h"

using namespace mlir;

namespace blocks {

namespace {

/// An axis of a value that has the extent asked for.
struct Axis {
  Value value;
  int64_t number;
};

} // namespace

template <typename Product>
static Axis axisOfProduct(Product op, int64_t axis) {
  int64_t rank = cast<RankedTensorType>(op.getType()).getRank();
  if (axis == rank - 1)
    return Axis{op.getRhs(), op.getTransposeRhs() ? rank - 2 : rank - 1};
  if (axis == rank - 2)
    return Axis{op.getLhs(), op.getTransposeLhs() ? rank - 1 : rank - 2};
  return Axis{op.getLhs(), axis};
}

/// Where `axis` of the result of `op` comes from, if it is an axis of an
/// operand.
static std::optional<Axis> originOf(Operation *op, int64_t axis) {
  if (isElementwise(op) || isa<SoftmaxOp>(op))
    return Axis{op->getOperand(0), axis};
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return Axis{transpose.getInput(), transpose.getPermutation()[axis]};
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return Axis{broadcast.getLike(), axis};
  if (auto product = dyn_cast<MatmulOp>(op))
    return axisOfProduct(product, axis);
  if (auto product = dyn_cast<BatchMatmulOp>(op))
    return axisOfProduct(product, axis);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    ReassociationIndices group = collapse.getReassociationIndices()[axis];
    if (group.size() == 1)
      return Axis{collapse.getSrc(), group[0]};
  }
  return std::nullopt;
}

static OpFoldResult sizeOf(OpBuilder &builder, Location loc, Axis axis) {
  while (true) {
    auto type = cast<RankedTensorType>(axis.value.getType());
    if (!type.isDynamicDim(axis.number))
      return builder.getIndexAttr(type.getDimSize(axis.number));
    Operation *op = axis.value.getDefiningOp();
    if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op))
      return expand.getMixedOutputShape()[axis.number];
    std::optional<Axis> origin = op ? originOf(op, axis.number) : std::nullopt;
    // The condition of a select may be a scalar.
    if (!origin || !isa<RankedTensorType>(origin->value.getType()))
      return tensor::getMixedSize(builder, loc, axis.value, axis.number);
    axis = *origin;
  }
}

SmallVector<OpFoldResult> sizesOf(OpBuilder &builder, Location loc,
                                  Value value) {
  SmallVector<OpFoldResult> sizes;
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  for (int64_t axis = 0; axis < rank; ++axis)
    sizes.push_back(sizeOf(builder, loc, {value, axis}));
  return sizes;
}

} // namespace blocks
