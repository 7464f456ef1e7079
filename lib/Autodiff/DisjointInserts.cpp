//===- DisjointInserts.cpp - Sums of gradients of slices ------------------===//
//
// The parts of one product (the gates of an LSTM) are slices of it, so its
// gradient is a sum of insertions into zeros. They do not overlap: the sum is
// one tensor that gets its parts one by one. When they cover it, there is no
// need for zeros either.
//
//===----------------------------------------------------------------------===//
#include "lib/Autodiff/DisjointInserts.h"

#include <mlir/IR/Matchers.h>

using namespace mlir;

namespace blocks {

static bool isZero(Value value) {
  while (auto broadcast = value.getDefiningOp<BroadcastOp>())
    value = broadcast.getInput();
  return matchPattern(value, m_AnyZeroFloat());
}

/// Where an insertion stands along `axis`; nothing if the numbers are unknown.
static std::optional<std::pair<int64_t, int64_t>>
rangeOf(tensor::InsertSliceOp insert, unsigned axis) {
  std::optional<int64_t> offset =
      getConstantIntValue(insert.getMixedOffsets()[axis]);
  std::optional<int64_t> size =
      getConstantIntValue(insert.getMixedSizes()[axis]);
  if (!offset || !size ||
      getConstantIntValue(insert.getMixedStrides()[axis]) != 1)
    return std::nullopt;
  return std::pair(*offset, *offset + *size);
}

/// True if along some axis one ends before the other starts.
static bool areDisjoint(tensor::InsertSliceOp a, tensor::InsertSliceOp b) {
  for (unsigned axis = 0; axis < a.getMixedOffsets().size(); ++axis) {
    auto first = rangeOf(a, axis), second = rangeOf(b, axis);
    if (first && second &&
        (first->second <= second->first || second->second <= first->first))
      return true;
  }
  return false;
}

/// The insertions that lead to `value`, the last one first; empty if they do
/// not start with zeros.
static SmallVector<tensor::InsertSliceOp> insertsOf(Value value) {
  SmallVector<tensor::InsertSliceOp> inserts;
  while (auto insert = value.getDefiningOp<tensor::InsertSliceOp>()) {
    inserts.push_back(insert);
    value = insert.getDest();
  }
  if (!isZero(value))
    inserts.clear();
  return inserts;
}

/// True if the size along `axis` is that of the whole tensor.
static bool isWhole(tensor::InsertSliceOp insert, unsigned axis, Value zeros) {
  OpFoldResult size = insert.getMixedSizes()[axis];
  int64_t extent = insert.getDestType().getDimSize(axis);
  if (std::optional<int64_t> number = getConstantIntValue(size))
    return number == extent;
  auto broadcast = zeros.getDefiningOp<BroadcastOp>();
  auto dim = cast<Value>(size).getDefiningOp<tensor::DimOp>();
  return broadcast && dim && dim.getConstantIndex() == int64_t(axis) &&
         dim.getSource() == broadcast.getLike();
}

/// The axis along which disjoint insertions fill `zeros`, if they do.
static std::optional<unsigned> coveredAxis(ArrayRef<tensor::InsertSliceOp> all,
                                           Value zeros) {
  auto type = cast<RankedTensorType>(zeros.getType());
  for (unsigned axis = 0; axis < type.getRank(); ++axis) {
    int64_t sum = 0;
    bool aligned = llvm::all_of(all, [&](tensor::InsertSliceOp insert) {
      for (unsigned other = 0; other < type.getRank(); ++other)
        if (other != axis && !isWhole(insert, other, zeros))
          return false;
      auto range = rangeOf(insert, axis);
      sum += range ? range->second - range->first : 0;
      return range.has_value();
    });
    if (aligned && sum == type.getDimSize(axis))
      return axis;
  }
  return std::nullopt;
}

static Value insertInto(OpBuilder &builder, tensor::InsertSliceOp insert,
                        Value whole) {
  return tensor::InsertSliceOp::create(
      builder, insert.getLoc(), insert.getSource(), whole,
      insert.getMixedOffsets(), insert.getMixedSizes(),
      insert.getMixedStrides());
}

/// The insertions into a tensor without values, which they cover.
static Value insertAll(OpBuilder &builder, ArrayRef<tensor::InsertSliceOp> all,
                       unsigned axis) {
  tensor::InsertSliceOp some = all.front();
  SmallVector<OpFoldResult> sizes = some.getMixedSizes();
  sizes[axis] = builder.getIndexAttr(some.getDestType().getDimSize(axis));
  Value whole = tensor::EmptyOp::create(builder, some.getLoc(), sizes,
                                        some.getDestType().getElementType());
  for (tensor::InsertSliceOp insert : all)
    whole = insertInto(builder, insert, whole);
  return whole;
}

Value addDisjointInserts(OpBuilder &builder, Value sum, Value next) {
  SmallVector<tensor::InsertSliceOp> known = insertsOf(sum);
  SmallVector<tensor::InsertSliceOp> added = insertsOf(next);
  if (known.empty() || added.size() != 1)
    return {};
  for (tensor::InsertSliceOp insert : known)
    if (!areDisjoint(insert, added.front()))
      return {};
  Value zeros = known.back().getDest();
  known.insert(known.begin(), added.front());
  std::optional<unsigned> axis = coveredAxis(known, zeros);
  if (axis &&
      cast<RankedTensorType>(sum.getType()) == known.front().getDestType())
    return insertAll(builder, llvm::to_vector(llvm::reverse(known)), *axis);
  return insertInto(builder, added.front(), sum);
}

} // namespace blocks
