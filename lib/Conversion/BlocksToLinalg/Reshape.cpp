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
    FailureOr<Extent> extent = lowering.size(op, size);
    if (failed(extent))
      return failure();
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
    shape.push_back(lowering.axes.simplified(product));
  }
  Value input = lowering.get(op.getSrc());
  Value result = tensor::CollapseShapeOp::create(
      lowering.builder, op.getLoc(), tensorType(shape, elementType(input)),
      input, op.getReassociationIndices());
  lowering.set(op, result, shape);
  return success();
}

/// The product of the extents of a group must be `whole`: for every extent, or,
/// where the whole was divided by some of them, in each run.
static LogicalResult requireProduct(tensor::ExpandShapeOp op,
                                    const Extent &product, const Extent &whole,
                                    Lowering &lowering) {
  Axes &axes = lowering.axes;
  if (axes.simplified(product) == whole)
    return success();
  Extent rest;
  if (!axes.assumeExact(whole, product, rest))
    return failure();
  return lowering.require(op, -rest,
                          "splits '" + axes.describe(whole) + "' elements into",
                          product);
}

/// The extents of an expanded tensor: static ones from the type, others from
/// the operands; a single unknown one in a group is the quotient.
static FailureOr<SymbolicShape> expandedShape(tensor::ExpandShapeOp op,
                                              Lowering &lowering) {
  SymbolicShape shape;
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  for (auto [g, group] : llvm::enumerate(op.getReassociationIndices())) {
    const Extent whole = lowering.shape(op.getSrc())[g];
    Extent product;
    std::optional<size_t> unknown;
    for (int64_t i : group) {
      bool isKnown = lowering.extent(sizes[i]).has_value();
      FailureOr<Extent> extent =
          isKnown ? lowering.size(op, sizes[i]) : FailureOr<Extent>(Extent(1));
      if (failed(extent) || (!isKnown && unknown))
        return failure();
      if (!isKnown)
        unknown = i;
      shape.push_back(*extent);
      product = product * shape.back();
    }
    if (unknown) {
      if (product.constant() == 0 ||
          (!lowering.axes.isPositive(product) &&
           failed(lowering.require(op, lowering.axes.difference(product, 1),
                                   "splits elements into parts of", product))))
        return failure();
      shape[*unknown] = lowering.axes.quotient(whole, product);
      product = product * shape[*unknown];
    }
    if (failed(requireProduct(op, product, whole, lowering)))
      return failure();
  }
  return shape;
}

LogicalResult lowerExpand(tensor::ExpandShapeOp op, Lowering &lowering) {
  FailureOr<SymbolicShape> shape = expandedShape(op, lowering);
  if (failed(shape))
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
