//===- ReductionRules.cpp - Gradients of sums, maxima and minima ----------===//
//
// A sum spreads its gradient. An extremum sends it to the first of its equal
// elements: over trailing axes by argmax and unpick, over leading axes by a
// scan that remembers where the extremum was met, over others by putting them
// last.
//
//===----------------------------------------------------------------------===//
#include "lib/Autodiff/RuleModel.h"
#include "lib/Autodiff/Rules.h"

using namespace mlir;

namespace blocks {
namespace {

RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

SmallVector<int64_t> axes(int64_t from, int64_t to) {
  return llvm::to_vector(llvm::seq<int64_t>(from, to));
}

/// Repeats a reduced value along the reduced axes.
Value spreadBack(RuleContext &c, ReduceOp op, Value reduced) {
  SmallVector<int64_t> kept;
  for (int64_t axis : axes(0, typeOf(op.getInput()).getRank()))
    if (!llvm::is_contained(op.getDims(), axis))
      kept.push_back(axis);
  return BroadcastOp::create(c.builder, c.loc, reduced, op.getInput(), kept);
}

/// Groups that merge the axes [from, to) into one and keep the others.
SmallVector<ReassociationIndices> merging(int64_t from, int64_t to,
                                          int64_t rank) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (axis > from && axis < to)
      groups.back().push_back(axis);
    else
      groups.push_back({axis});
  return groups;
}

/// Sends `gradient` to the first extremum of `x` along its last `count` axes.
Value toFirst(RuleContext &c, ReduceKind kind, Value x, Value gradient,
              int64_t count) {
  RankedTensorType type = typeOf(x);
  Value whole = x;
  auto groups = merging(type.getRank() - count, type.getRank(), type.getRank());
  if (count > 1)
    x = tensor::CollapseShapeOp::create(c.builder, c.loc, x, groups);
  Value key = kind == ReduceKind::Max ? x : c.neg(x);
  auto indices = RankedTensorType::get(typeOf(x).getShape().drop_back(),
                                       c.builder.getI64Type());
  Value first = ArgmaxOp::create(c.builder, c.loc, indices, key);
  Value spread =
      UnpickOp::create(c.builder, c.loc, x.getType(), gradient, first, x);
  if (count == 1)
    return spread;
  return tensor::ExpandShapeOp::create(
      c.builder, c.loc, type, spread, groups,
      tensor::getMixedSizes(c.builder, c.loc, whole));
}

/// The reduced axes are the last `count`.
Value trailing(RuleContext &c, ReduceOp op, int64_t count) {
  return toFirst(c, op.getKind(), op.getInput(), c.gradient(), count);
}

/// Any axes: they are put last, and the gradient is put back.
Value anywhere(RuleContext &c, ReduceOp op) {
  SmallVector<int64_t> order;
  for (int64_t axis : axes(0, typeOf(op.getInput()).getRank()))
    if (!llvm::is_contained(op.getDims(), axis))
      order.push_back(axis);
  llvm::append_range(order, op.getDims());
  auto moved = TransposeOp::create(c.builder, c.loc, op.getInput(), order);
  Value spread =
      toFirst(c, op.getKind(), moved, c.gradient(), op.getDims().size());
  return TransposeOp::create(c.builder, c.loc, op.getInput().getType(), spread,
                             moved.getInversePermutation());
}

/// Keeps of each column of `hits` (ones and zeros) the first one.
Value firstHits(RuleContext &c, Value hits) {
  RankedTensorType type = typeOf(hits);
  auto row = RankedTensorType::get(type.getShape().drop_front(),
                                   type.getElementType());
  Value none = ReduceOp::create(c.builder, c.loc, ReduceKind::Sum, hits,
                                ArrayRef<int64_t>{0});
  none = c.constant(0.0, none);
  auto scan = ScanOp::create(c.builder, c.loc, TypeRange{type, type},
                             ValueRange{hits}, ValueRange{none}, false);
  OpBuilder::InsertionGuard guard(c.builder);
  Block *body = c.builder.createBlock(&scan.getBody(), {},
                                      {c.builder.getIndexType(), row, row},
                                      SmallVector<Location>(3, c.loc));
  Value hit = body->getArgument(1), seen = body->getArgument(2);
  Value first = c.mul(hit, c.sub(c.constant(1.0, seen), seen));
  YieldOp::create(c.builder, c.loc, ValueRange{c.add(seen, first)},
                  ValueRange{first});
  return scan.getResult(1);
}

/// The reduced axes are the first `count`.
Value leading(RuleContext &c, ReduceOp op, int64_t count) {
  Value x = op.getInput(), extremum = spreadBack(c, op, op.getResult());
  Value equal = c.compare(arith::CmpFPredicate::OEQ, x, extremum);
  Value hits = c.select(equal, c.constant(1.0, x), c.constant(0.0, x));
  auto groups = merging(0, count, typeOf(x).getRank());
  if (count > 1)
    hits = tensor::CollapseShapeOp::create(c.builder, c.loc, hits, groups);
  Value first = firstHits(c, hits);
  if (count > 1)
    first = tensor::ExpandShapeOp::create(
        c.builder, c.loc, typeOf(x), first, groups,
        tensor::getMixedSizes(c.builder, c.loc, x));
  return c.mul(spreadBack(c, op, c.gradient()), first);
}

bool isTrailing(ReduceOp op) {
  int64_t rank = typeOf(op.getInput()).getRank();
  return op.getDims() ==
         ArrayRef<int64_t>(axes(rank - op.getDims().size(), rank));
}
bool isLeading(ReduceOp op) {
  return op.getDims() == ArrayRef<int64_t>(axes(0, op.getDims().size()));
}

void reduceRule(ReduceOp op, RuleContext &c) {
  int64_t count = op.getDims().size();
  if (op.getKind() == ReduceKind::Sum || count == 0)
    c.set(0, spreadBack(c, op, c.gradient()));
  else if (isTrailing(op))
    c.set(0, trailing(c, op, count));
  else if (isLeading(op))
    c.set(0, leading(c, op, count));
  else
    c.set(0, anywhere(c, op));
}

} // namespace

void attachReductionRules(MLIRContext &context) {
  attach<ReduceOp, reduceRule>(context);
}

} // namespace blocks
