// See RowsOfView.h.
#include "lib/Conversion/LinalgToCpu/RowsOfView.h"

#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/Utils/StaticValueUtils.h>

using namespace mlir;

namespace blocks {

namespace {

/// Where the rows of a view lie: row i is part of row `offsets.back()` + i
/// along a dimension of `memref`, at the other offsets along the dimensions
/// before.
struct Rows {
  Value memref;
  SmallVector<OpFoldResult> offsets;

  unsigned dim() const { return offsets.size() - 1; }
  bool operator==(const Rows &other) const {
    return memref == other.memref &&
           llvm::equal(offsets, other.offsets, isEqualConstantIntOrValue);
  }
};

/// True if each of the first `count` groups is one dimension, and further ones
/// of extent 1 in `shape`.
bool keepLeading(ArrayRef<ReassociationIndices> groups, ArrayRef<int64_t> shape,
                 unsigned count) {
  if (groups.size() < count)
    return false;
  for (const ReassociationIndices &group : groups.take_front(count))
    for (int64_t dim : ArrayRef(group).drop_front())
      if (shape[dim] != 1)
        return false;
  // What stands before the last of them must not have moved.
  return count == 0 || groups[count - 1].front() == int64_t(count) - 1;
}

/// Goes from a slice to what it is a slice of; false if its rows are not rows
/// of that.
bool leaveSlice(Rows &rows, memref::SubViewOp slice) {
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(), result;
  unsigned kept = 0;
  for (unsigned dim = 0; dim < offsets.size() && kept <= rows.dim(); ++dim) {
    if (!isOneInteger(slice.getMixedStrides()[dim]))
      return false;
    result.push_back(offsets[dim]);
    if (dropped.test(dim))
      continue;
    OpFoldResult own = rows.offsets[kept++];
    if (isZeroInteger(result.back()))
      result.back() = own;
    else if (!isZeroInteger(own))
      return false;
  }
  rows = {slice.getSource(), result};
  return true;
}

Rows getRows(Value view) {
  Rows rows{view, {Builder(view.getContext()).getIndexAttr(0)}};
  while (Operation *definition = rows.memref.getDefiningOp()) {
    unsigned count = rows.dim() + 1;
    if (auto slice = dyn_cast<memref::SubViewOp>(definition)) {
      if (!leaveSlice(rows, slice))
        break;
      continue;
    }
    auto expand = dyn_cast<memref::ExpandShapeOp>(definition);
    auto collapse = dyn_cast<memref::CollapseShapeOp>(definition);
    bool keeps =
        isa<memref::CastOp>(definition) ||
        (expand && keepLeading(expand.getReassociationIndices(),
                               expand.getResultType().getShape(), count)) ||
        (collapse && keepLeading(collapse.getReassociationIndices(),
                                 collapse.getSrcType().getShape(), count));
    if (!keeps)
      break;
    rows.memref = definition->getOperand(0);
  }
  return rows;
}

} // namespace

bool haveSameRows(Value a, Value b) { return getRows(a) == getRows(b); }

} // namespace blocks
