//===- TensorRules.cpp - Gradients of shape and type changes --------------===//
//
// Each is linear, so its gradient is the transposed map: a broadcast's is a
// sum, a reshape's the reshape back, a slice's the insertion into zeros, a
// concatenation's its pieces.
//
//===----------------------------------------------------------------------===//
#include "dialects/Blocks/Blocks.h"
#include "lib/Autodiff/RuleModel.h"
#include "lib/Autodiff/Rules.h"
#include "lib/Autodiff/Sizes.h"

#include <mlir/Dialect/Arith/Utils/Utils.h>

using namespace mlir;

namespace blocks {
namespace {

bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

/// The axes below `rank` that are not in `dims`.
SmallVector<int64_t> otherAxes(ArrayRef<int64_t> dims, int64_t rank) {
  SmallVector<int64_t> others;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (!llvm::is_contained(dims, axis))
      others.push_back(axis);
  return others;
}

/// Of two numbers of elements.
OpFoldResult sum(RuleContext &c, OpFoldResult a, OpFoldResult b) {
  std::optional<int64_t> x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return c.builder.getIndexAttr(*x + *y);
  return arith::AddIOp::create(
             c.builder, c.loc,
             getValueOrCreateConstantIndexOp(c.builder, c.loc, a),
             getValueOrCreateConstantIndexOp(c.builder, c.loc, b))
      .getResult();
}

void broadcastRule(BroadcastOp op, RuleContext &c) {
  if (!isFloat(op.getInput()))
    return;
  int64_t rank = cast<RankedTensorType>(op.getType()).getRank();
  c.set(0, ReduceOp::create(
               c.builder, c.loc, op.getInput().getType(), ReduceKind::Sum,
               c.gradient(),
               c.builder.getDenseI64ArrayAttr(otherAxes(op.getDims(), rank))));
}

void transposeRule(TransposeOp op, RuleContext &c) {
  if (isFloat(op.getInput()))
    c.set(0, TransposeOp::create(c.builder, c.loc, op.getInput().getType(),
                                 c.gradient(), op.getInversePermutation()));
}

void castRule(CastOp op, RuleContext &c) {
  if (isFloat(op.getInput()))
    c.set(0, CastOp::create(c.builder, c.loc, op.getInput().getType(),
                            c.gradient()));
}

void tensorCastRule(tensor::CastOp op, RuleContext &c) {
  c.set(0, tensor::CastOp::create(c.builder, c.loc, op.getSource().getType(),
                                  c.gradient()));
}

void collapseRule(tensor::CollapseShapeOp op, RuleContext &c) {
  c.set(0, tensor::ExpandShapeOp::create(
               c.builder, c.loc, op.getSrcType(), c.gradient(),
               op.getReassociationIndices(),
               sizesOf(c.builder, c.loc, op.getSrc())));
}

void expandRule(tensor::ExpandShapeOp op, RuleContext &c) {
  c.set(0, tensor::CollapseShapeOp::create(c.builder, c.loc, op.getSrcType(),
                                           c.gradient(),
                                           op.getReassociationIndices()));
}

void extractSliceRule(tensor::ExtractSliceOp op, RuleContext &c) {
  Value zeros = c.constant(0.0, op.getSource());
  c.set(0, tensor::InsertSliceOp::create(
               c.builder, c.loc, c.gradient(), zeros, op.getMixedOffsets(),
               op.getMixedSizes(), op.getMixedStrides()));
}

void insertSliceRule(tensor::InsertSliceOp op, RuleContext &c) {
  c.set(0, tensor::ExtractSliceOp::create(
               c.builder, c.loc, op.getSourceType(), c.gradient(),
               op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides()));
  Value zeros = c.constant(0.0, op.getSource());
  c.set(1, tensor::InsertSliceOp::create(
               c.builder, c.loc, zeros, c.gradient(), op.getMixedOffsets(),
               op.getMixedSizes(), op.getMixedStrides()));
}

/// Each part takes back its piece of the axis.
void concatRule(tensor::ConcatOp op, RuleContext &c) {
  int64_t axis = op.getDim();
  Value gradient = c.gradient();
  SmallVector<OpFoldResult> offsets(op.getRank(), c.builder.getIndexAttr(0)),
      strides(op.getRank(), c.builder.getIndexAttr(1));
  for (auto [i, part] : llvm::enumerate(op.getInputs())) {
    SmallVector<OpFoldResult> sizes = sizesOf(c.builder, c.loc, part);
    c.set(i, tensor::ExtractSliceOp::create(
                 c.builder, c.loc, cast<RankedTensorType>(part.getType()),
                 gradient, offsets, sizes, strides));
    offsets[axis] = sum(c, offsets[axis], sizes[axis]);
  }
}

void gatherRule(GatherOp op, RuleContext &c) {
  if (isFloat(op.getTable()))
    c.set(0, ScatterAddOp::create(c.builder, c.loc, c.gradient(),
                                  op.getIndices(), op.getTable()));
}

void scatterAddRule(ScatterAddOp op, RuleContext &c) {
  c.set(0, GatherOp::create(c.builder, c.loc, op.getRows().getType(),
                            c.gradient(), op.getIndices(), StringRef()));
}

/// The annotation stays with the value; its gradient is another value.
void tagRule(TagOp, RuleContext &c) { c.set(0, c.gradient()); }

/// These use their operands' shapes alone.
template <typename Op> void shapeOnlyRule(Op, RuleContext &) {}

} // namespace

void attachTensorRules(MLIRContext &context) {
  attach<BroadcastOp, broadcastRule>(context);
  attach<CastOp, castRule>(context);
  attach<TransposeOp, transposeRule>(context);
  attach<TagOp, tagRule>(context);
  attach<tensor::CastOp, tensorCastRule>(context);
  attach<tensor::CollapseShapeOp, collapseRule>(context);
  attach<tensor::ExpandShapeOp, expandRule>(context);
  attach<tensor::ExtractSliceOp, extractSliceRule>(context);
  attach<tensor::InsertSliceOp, insertSliceRule>(context);
  attach<tensor::ConcatOp, concatRule>(context);
  attach<GatherOp, gatherRule>(context);
  attach<ScatterAddOp, scatterAddRule>(context);
  attach<ExtentOp, shapeOnlyRule<ExtentOp>>(context);
  attach<RandomOp, shapeOnlyRule<RandomOp>>(context);
}

} // namespace blocks
