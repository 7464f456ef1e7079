//===- DisjointInserts.cpp - Sums of gradients of slices ------------------===//
//
// The parts of one product (the gates of an LSTM) are slices of it, so its
// gradient is a sum of insertions into zeros. They do not overlap: the sum is
// one tensor that gets its parts one by one.
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

Value addDisjointInserts(OpBuilder &builder, Value sum, Value next) {
  SmallVector<tensor::InsertSliceOp> known = insertsOf(sum);
  SmallVector<tensor::InsertSliceOp> added = insertsOf(next);
  if (known.empty() || added.size() != 1)
    return {};
  for (tensor::InsertSliceOp insert : known)
    if (!areDisjoint(insert, added.front()))
      return {};
  auto last = added.front();
  return tensor::InsertSliceOp::create(
      builder, last.getLoc(), last.getSource(), sum, last.getMixedOffsets(),
      last.getMixedSizes(), last.getMixedStrides());
}

} // namespace blocks
