//===- TensorOps.cpp - Verifiers and builders of tensor operations --------===//
//
// The labels C1, C2 … are the constraints of TensorOps.td.
//
//===----------------------------------------------------------------------===//
#include "dialects/Blocks/Blocks.h"

using namespace mlir;

namespace blocks {

static RankedTensorType tensorOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// True if the shapes have one rank and extents that can be equal.
static bool shapesFit(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto pair) {
           return extentsFit(std::get<0>(pair), std::get<1>(pair));
         });
}

/// True if `dims` is strictly increasing and within `rank`.
static bool validDims(ArrayRef<int64_t> dims, int64_t rank) {
  int64_t previous = -1;
  for (int64_t d : dims) {
    if (d <= previous || d >= rank)
      return false;
    previous = d;
  }
  return true;
}

/// The extents that remain when the axes `dims` go.
static SmallVector<int64_t> withoutDims(ArrayRef<int64_t> shape,
                                        ArrayRef<int64_t> dims) {
  SmallVector<int64_t> rest;
  for (auto [i, extent] : llvm::enumerate(shape))
    if (!llvm::is_contained(dims, int64_t(i)))
      rest.push_back(extent);
  return rest;
}

//===--- broadcast --------------------------------------------------------===//

void BroadcastOp::build(OpBuilder &, OperationState &state, Value input,
                        Value like, ArrayRef<int64_t> dims) {
  state.addOperands({input, like});
  state.getOrAddProperties<Properties>().dims =
      DenseI64ArrayAttr::get(input.getContext(), dims);
  state.addTypes(tensorOf(like).clone(tensorOf(input).getElementType()));
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType from = tensorOf(getInput()), to = tensorOf(getResult());
  if (int64_t(getDims().size()) != from.getRank() ||
      !validDims(getDims(), to.getRank())) // C1
    return emitOpError("C1: dims must name one axis of the result for each of "
                       "the input's ")
           << from.getRank() << " axes, increasing, below " << to.getRank();
  for (auto [i, d] : llvm::enumerate(getDims())) // C2
    if (!extentsFit(from.getDimSize(i), to.getDimSize(d)))
      return emitOpError("C2: axis ")
             << i << " of " << shapeText(from) << " does not fit axis " << d
             << " of " << shapeText(to);
  return success();
}

//===--- reduce, extent ---------------------------------------------------===//

void ReduceOp::build(OpBuilder &builder, OperationState &state, ReduceKind kind,
                     Value input, ArrayRef<int64_t> dims) {
  RankedTensorType type = tensorOf(input);
  state.addOperands(input);
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.kind = ReduceKindAttr::get(builder.getContext(), kind);
  properties.dims = DenseI64ArrayAttr::get(builder.getContext(), dims);
  state.addTypes(RankedTensorType::get(withoutDims(type.getShape(), dims),
                                       type.getElementType()));
}

LogicalResult ReduceOp::verify() {
  RankedTensorType from = tensorOf(getInput()), to = tensorOf(getResult());
  if (!validDims(getDims(), from.getRank()))
    return emitOpError("C1: dims must be increasing and below the rank ")
           << from.getRank();
  if (!shapesFit(withoutDims(from.getShape(), getDims()), to.getShape()) ||
      from.getElementType() != to.getElementType())
    return emitOpError("C2: reducing ")
           << from << " over [" << getDims() << "] cannot give " << to;
  return success();
}

LogicalResult ExtentOp::verify() {
  if (!validDims(getDims(), tensorOf(getInput()).getRank()))
    return emitOpError("C1: dims must be increasing and below the rank ")
           << tensorOf(getInput()).getRank();
  if (tensorOf(getResult()).getRank() != 0)
    return emitOpError("C1: the result is a scalar");
  return success();
}

//===--- matmul -----------------------------------------------------------===//

/// The extents of `type`, transposed if asked.
static SmallVector<int64_t, 2> matrixShape(RankedTensorType type,
                                           bool transpose) {
  SmallVector<int64_t, 2> shape(type.getShape());
  if (transpose && shape.size() == 2)
    std::swap(shape[0], shape[1]);
  return shape;
}

void MatmulOp::build(OpBuilder &builder, OperationState &state, Value lhs,
                     Value rhs, bool transposeLhs, bool transposeRhs) {
  state.addOperands({lhs, rhs});
  Properties &properties = state.getOrAddProperties<Properties>();
  if (transposeLhs)
    properties.transpose_lhs = builder.getUnitAttr();
  if (transposeRhs)
    properties.transpose_rhs = builder.getUnitAttr();
  state.addTypes(
      RankedTensorType::get({matrixShape(tensorOf(lhs), transposeLhs)[0],
                             matrixShape(tensorOf(rhs), transposeRhs)[1]},
                            tensorOf(lhs).getElementType()));
}

LogicalResult MatmulOp::verify() {
  RankedTensorType a = tensorOf(getLhs()), b = tensorOf(getRhs()),
                   c = tensorOf(getResult());
  if (a.getRank() != 2 || b.getRank() != 2)
    return emitOpError("C1: needs two matrices, found ")
           << shapeText(a) << " and " << shapeText(b);
  auto left = matrixShape(a, getTransposeLhs());
  auto right = matrixShape(b, getTransposeRhs());
  if (!extentsFit(left[1], right[0]))
    return emitOpError("C2: cannot multiply ")
           << shapeText(a) << (getTransposeLhs() ? " transposed" : "") << " by "
           << shapeText(b) << (getTransposeRhs() ? " transposed" : "")
           << ": the contracted extents are " << left[1] << " and " << right[0];
  if (!shapesFit(c.getShape(), {left[0], right[1]}) ||
      a.getElementType() != b.getElementType() ||
      a.getElementType() != c.getElementType())
    return emitOpError("C3: the result cannot be ") << c;
  return success();
}

LogicalResult CastOp::verify() {
  if (!shapesFit(tensorOf(getInput()).getShape(),
                 tensorOf(getResult()).getShape()))
    return emitOpError("C1: cannot turn shape ")
           << shapeText(getInput().getType()) << " into "
           << shapeText(getType());
  return success();
}

//===--- softmax family, pick ---------------------------------------------===//

static LogicalResult verifyRows(Operation *op, Value rows) {
  if (tensorOf(rows).getRank() >= 1)
    return success();
  return op->emitOpError("C1: works along the last axis; found a scalar");
}

/// Checks that `perRow` has the shape of `rows` without the last axis.
static LogicalResult verifyPerRow(Operation *op, StringRef what, Value perRow,
                                  Value rows) {
  ArrayRef<int64_t> shape = tensorOf(rows).getShape();
  if (shape.empty())
    return op->emitOpError("C1: works along the last axis; found a scalar");
  if (shapesFit(tensorOf(perRow).getShape(), shape.drop_back()))
    return success();
  return op->emitOpError("C1: ")
         << what << " has shape " << shapeText(perRow.getType())
         << ", expected one value for each row of "
         << shapeText(rows.getType());
}

void SoftmaxOp::build(OpBuilder &, OperationState &state, Value input,
                      Value mask) {
  state.addOperands(input);
  if (mask)
    state.addOperands(mask);
  state.addTypes(input.getType());
}

LogicalResult SoftmaxOp::verify() {
  if (failed(verifyRows(*this, getInput())))
    return failure();
  if (!getMask() || shapesFit(tensorOf(getMask()).getShape(),
                              tensorOf(getInput()).getShape()))
    return success();
  return emitOpError("C2: the mask has shape ")
         << shapeText(getMask().getType()) << ", expected that of the input, "
         << shapeText(getInput().getType());
}
LogicalResult LogSoftmaxOp::verify() { return verifyRows(*this, getInput()); }

/// Integer labels stand one a row, a distribution has the logits' shape.
static LogicalResult verifyLabels(Operation *op, Value labels, Value logits) {
  if (tensorOf(labels).getElementType().isInteger())
    return verifyPerRow(op, "labels", labels, logits);
  if (tensorOf(labels) == tensorOf(logits))
    return success();
  return op->emitOpError("C1: a distribution must have the logits' type ")
         << logits.getType() << ", found " << labels.getType();
}

void SoftmaxCrossEntropyOp::build(OpBuilder &builder, OperationState &state,
                                  Value logits, Value labels, StringRef brick) {
  RankedTensorType type = tensorOf(logits);
  state.addOperands({logits, labels});
  if (!brick.empty())
    state.getOrAddProperties<Properties>().brick = builder.getStringAttr(brick);
  state.addTypes({RankedTensorType::get(type.getShape().drop_back(),
                                        type.getElementType()),
                  type});
}

LogicalResult SoftmaxCrossEntropyOp::verify() {
  if (failed(verifyLabels(*this, getLabels(), getLogits())))
    return failure();
  return verifyPerRow(*this, "cost", getCost(), getLogits()); // C2
}

LogicalResult SoftmaxCrossEntropyGradOp::verify() {
  if (failed(verifyLabels(*this, getLabels(), getLogProbabilities())))
    return failure();
  return verifyPerRow(*this, "gradient", getGradient(), getLogProbabilities());
}

LogicalResult PickOp::verify() {
  if (failed(verifyPerRow(*this, "indices", getIndices(), getInput())))
    return failure();
  return verifyPerRow(*this, "result", getResult(), getInput());
}

LogicalResult UnpickOp::verify() {
  if (failed(verifyPerRow(*this, "indices", getIndices(), getLike())))
    return failure();
  return verifyPerRow(*this, "input", getInput(), getLike());
}

LogicalResult ArgmaxOp::verify() {
  return verifyPerRow(*this, "result", getResult(), getInput());
}

LogicalResult RandomOp::verify() {
  if (shapesFit(tensorOf(getLike()).getShape(),
                tensorOf(getResult()).getShape()))
    return success();
  return emitOpError("C1: the result has shape ")
         << shapeText(getType()) << ", expected that of `like`, "
         << shapeText(getLike().getType());
}

} // namespace blocks
