//===- TensorHelpers.cpp - Common pieces of bricks' bodies ----------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/TensorHelpers.h"

using namespace mlir;

namespace blocks {

static RankedTensorType tensorOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

Value splatLike(OpBuilder &ops, Location loc, double value, Value like) {
  RankedTensorType type = tensorOf(like);
  Type element = type.getElementType();
  auto scalar = RankedTensorType::get({}, element);
  auto splat = DenseElementsAttr::get(scalar, ops.getFloatAttr(element, value));
  Value constant = arith::ConstantOp::create(ops, loc, scalar, splat);
  if (type.getRank() == 0)
    return constant;
  return BroadcastOp::create(ops, loc, constant, like, ArrayRef<int64_t>());
}

Value meanOfAll(OpBuilder &ops, Location loc, Value value) {
  RankedTensorType type = tensorOf(value);
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  Value sum = ReduceOp::create(ops, loc, ReduceKind::Sum, value, axes);
  Value count = ExtentOp::create(ops, loc, sum.getType(), value,
                                 ops.getDenseI64ArrayAttr(axes));
  return arith::DivFOp::create(ops, loc, sum, count);
}

Value mergeAxes(OpBuilder &ops, Location loc, Value value, int64_t first,
                int64_t last) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t axis = 0; axis < tensorOf(value).getRank(); ++axis)
    if (axis > first && axis <= last)
      groups.back().push_back(axis);
    else
      groups.push_back({axis});
  return tensor::CollapseShapeOp::create(ops, loc, value, groups);
}

Value splitRowsLike(OpBuilder &ops, Location loc, Value value, Value like) {
  RankedTensorType rows = tensorOf(value), type = tensorOf(like);
  SmallVector<int64_t> shape(type.getShape().drop_back());
  shape.push_back(rows.getShape().back());
  SmallVector<OpFoldResult> extents;
  for (auto [axis, extent] : llvm::enumerate(shape))
    if (ShapedType::isDynamic(extent))
      extents.push_back(
          tensor::DimOp::create(ops, loc, like, axis).getResult());
    else
      extents.push_back(ops.getIndexAttr(extent));
  auto leading = llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank() - 1));
  SmallVector<ReassociationIndices> groups{
      ReassociationIndices(leading.begin(), leading.end()),
      ReassociationIndices{type.getRank() - 1}};
  return tensor::ExpandShapeOp::create(
      ops, loc, RankedTensorType::get(shape, rows.getElementType()), value,
      groups, extents);
}

Value splitLastAxis(OpBuilder &ops, Location loc, Value value, int64_t inner) {
  RankedTensorType type = tensorOf(value);
  int64_t last = type.getRank() - 1;
  SmallVector<int64_t> shape(type.getShape().drop_back());
  shape.push_back(type.getDimSize(last) / inner);
  shape.push_back(inner);
  SmallVector<OpFoldResult> extents = tensor::getMixedSizes(ops, loc, value);
  extents.back() = ops.getIndexAttr(shape[last]);
  extents.push_back(ops.getIndexAttr(inner));
  SmallVector<ReassociationIndices> groups;
  for (int64_t axis = 0; axis <= last; ++axis)
    groups.push_back({axis});
  groups.back().push_back(last + 1);
  return tensor::ExpandShapeOp::create(
      ops, loc, RankedTensorType::get(shape, type.getElementType()), value,
      groups, extents);
}

Value insertUnitAxis(OpBuilder &ops, Location loc, Value value, int64_t axis) {
  RankedTensorType type = tensorOf(value);
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin() + axis, 1);
  SmallVector<OpFoldResult> extents = tensor::getMixedSizes(ops, loc, value);
  extents.insert(extents.begin() + axis, ops.getIndexAttr(1));
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0; i < type.getRank(); ++i)
    groups.push_back({i < axis ? i : i + 1});
  ReassociationIndices &group = groups[axis == 0 ? 0 : axis - 1];
  group.insert(axis == 0 ? group.begin() : group.end(), axis);
  return tensor::ExpandShapeOp::create(
      ops, loc, RankedTensorType::get(shape, type.getElementType()), value,
      groups, extents);
}

Value meanOver(OpBuilder &ops, Location loc, Value value,
               ArrayRef<int64_t> axes) {
  auto scalar = RankedTensorType::get({}, tensorOf(value).getElementType());
  Value sum = ReduceOp::create(ops, loc, ReduceKind::Sum, value, axes);
  Value count =
      ExtentOp::create(ops, loc, scalar, value, ops.getDenseI64ArrayAttr(axes));
  if (tensorOf(sum).getRank() > 0)
    count = BroadcastOp::create(ops, loc, count, sum, ArrayRef<int64_t>());
  return arith::DivFOp::create(ops, loc, sum, count);
}

} // namespace blocks
