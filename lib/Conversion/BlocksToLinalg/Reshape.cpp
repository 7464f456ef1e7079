//===- Reshape.cpp - Collapsing and expanding axes, extents as values -----===//
#include "lib/Conversion/BlocksToLinalg/Generic.h"

using namespace mlir;

namespace blocks {

LogicalResult lowerDim(tensor::DimOp op, Lowering &lowering) {
  std::optional<Extent> extent = lowering.extent(op.getResult());
  if (!extent)
    return op.emitOpError("needs a constant axis");
  lowering.setScalar(op, lowering.axes.value(*extent));
  return success();
}

LogicalResult lowerEmpty(tensor::EmptyOp op, Lowering &lowering) {
  SymbolicShape shape;
  for (OpFoldResult size : op.getMixedSizes()) {
    std::optional<Extent> extent;
    if (std::optional<int64_t> constant = getConstantIntValue(size))
      extent = Extent(*constant);
    else
      extent = lowering.extent(cast<Value>(size));
    if (!extent)
      return op.emitOpError("has an extent that is no product of axes");
    shape.push_back(*extent);
  }
  Type element = signless(elementType(op.getResult()));
  lowering.set(op, lowering.empty(op.getLoc(), shape, element), shape);
  return success();
}

LogicalResult lowerCollapse(tensor::CollapseShapeOp op, Lowering &lowering) {
  const SymbolicShape &from = lowering.shape(op.getSrc());
  SymbolicShape shape;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    Extent product;
    for (int64_t i : group)
      product = product * from[i];
    shape.push_back(product);
  }
  Value input = lowering.get(op.getSrc());
  Value result = tensor::CollapseShapeOp::create(
      lowering.builder, op.getLoc(), tensorType(shape, elementType(input)),
      input, op.getReassociationIndices());
  lowering.set(op, result, shape);
  return success();
}

/// The extents of an expanded tensor: static ones from the type, others from
/// the operands; a single unknown one in a group is the quotient.
static std::optional<SymbolicShape> expandedShape(tensor::ExpandShapeOp op,
                                                  Lowering &lowering) {
  SymbolicShape shape;
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  for (auto [g, group] : llvm::enumerate(op.getReassociationIndices())) {
    Extent rest = lowering.shape(op.getSrc())[g];
    std::optional<size_t> unknown;
    for (int64_t i : group) {
      std::optional<Extent> extent;
      if (std::optional<int64_t> constant = getConstantIntValue(sizes[i]))
        extent = Extent(*constant);
      else
        extent = lowering.extent(cast<Value>(sizes[i]));
      if (!extent && unknown)
        return std::nullopt;
      if (!extent)
        unknown = i;
      shape.push_back(extent.value_or(1));
      rest = rest / shape.back();
    }
    if (unknown)
      shape[*unknown] = rest;
    else if (rest != Extent(1))
      return std::nullopt;
  }
  return shape;
}

LogicalResult lowerExpand(tensor::ExpandShapeOp op, Lowering &lowering) {
  std::optional<SymbolicShape> shape = expandedShape(op, lowering);
  if (!shape)
    return op.emitOpError("cannot split ")
           << shapeText(op.getSrc().getType()) << " into "
           << shapeText(op.getType())
           << ": the extents are no products of the sources' axes that give "
              "the input's";
  Value input = lowering.get(op.getSrc());
  Value result = tensor::ExpandShapeOp::create(
      lowering.builder, op.getLoc(), tensorType(*shape, elementType(input)),
      input, op.getReassociationIndices(), lowering.axes.fold(*shape));
  lowering.set(op, result, *shape);
  return success();
}

/// Only names what is known already: the extents stay those of the input.
LogicalResult lowerTensorCast(tensor::CastOp op, Lowering &lowering) {
  SymbolicShape shape = lowering.shape(op.getSource());
  auto type = cast<RankedTensorType>(op.getType());
  for (auto [extent, to] : llvm::zip(shape, type.getShape()))
    if (!ShapedType::isDynamic(to) && extent != Extent(to))
      return op.emitOpError("claims extent ")
             << to << " for axis '" << lowering.axes.describe(extent) << "'";
  lowering.set(op, lowering.get(op.getSource()), shape);
  return success();
}

} // namespace blocks
