//===- SliceWindow.cpp - Where a slice stands in a tensor -----------------===//
//
// A slice that lies within its tensor whatever the extents are is certain. So
// is a range of positions that follow from the extents of the sources (all
// steps but the last, the first five): that it lies within is required of the
// extents before the entry runs. One position may be outside (step 5 of a
// sequence), and so may a range from a position that only the loop or the data
// know.
//
// The stacked states of a scan are certain at their first and last step: with
// no steps at all, both are the initial state, for which there is a slice.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/SliceWindow.h"

#include "lib/Conversion/BlocksToLinalg/Layout.h"

using namespace mlir;

namespace blocks {

/// True if `index`, an original value, is one less than `extent`.
static bool isLast(OpFoldResult index, const Extent &extent,
                   Lowering &lowering) {
  if (std::optional<int64_t> number = getConstantIntValue(index))
    return extent == Extent(*number + 1);
  auto value = dyn_cast<Value>(index);
  Operation *op = value ? value.getDefiningOp() : nullptr;
  if (!op || !isa<arith::SubIOp, arith::AddIOp>(op))
    return false;
  std::optional<int64_t> step = getConstantIntValue(op->getOperand(1));
  return step == (isa<arith::SubIOp>(op) ? 1 : -1) &&
         lowering.extent(op->getOperand(0)) == extent;
}

/// True if the slice is within the axis for every extent of it.
static bool isCertain(OpFoldResult offset, const Extent &size,
                      const Extent &whole, bool holdsInitial,
                      Lowering &lowering) {
  std::optional<int64_t> from = getConstantIntValue(offset);
  if (from == 0 && size == whole)
    return true;
  if (from && size.constant() && whole.constant())
    return *from >= 0 && *from + *size.constant() <= *whole.constant();
  std::optional<Extent> start = lowering.extent(offset);
  if (start && lowering.axes.isNatural(*start) &&
      lowering.axes.isNatural(size) &&
      lowering.axes.isWithin(*start, size, whole))
    return true;
  return holdsInitial && size == Extent(1) &&
         (from == 0 || isLast(offset, whole, lowering));
}

/// True for the stacked states of a scan.
static bool isStackedState(Value value) {
  while (auto tag = value.getDefiningOp<TagOp>())
    value = tag.getInput();
  auto scan = value.getDefiningOp<ScanOp>();
  return scan &&
         cast<OpResult>(value).getResultNumber() < scan.getStates().size();
}

bool isLastStep(tensor::ExtractSliceOp op, Lowering &lowering) {
  auto scan = op.getSource().getDefiningOp<ScanOp>();
  if (!scan || !isStackedState(op.getSource()) || !op.hasUnitStride())
    return false;
  const SymbolicShape &whole = lowering.shape(op.getSource());
  for (auto [axis, offset, size] :
       llvm::enumerate(op.getMixedOffsets(), op.getMixedSizes())) {
    std::optional<Extent> extent = lowering.extent(size);
    bool isFirst = getConstantIntValue(offset) == 0;
    if (axis == 0
            ? extent != Extent(1) || !op.getDroppedDims().test(0) ||
                  !(scan.getReverse() ? isFirst
                                      : isLast(offset, whole[0], lowering))
            : extent != whole[axis] || !isFirst)
      return false;
  }
  return true;
}

/// Where several axes have one element, the result's type does not say which of
/// them it leaves out: takes those whose position must be checked for these.
static void leaveOutUncertain(SliceWindow &window) {
  auto isOne = [&](unsigned axis) { return window.sizes[axis] == Extent(1); };
  for (unsigned axis : window.uncertain.set_bits()) {
    if (!isOne(axis) || window.dropped.test(axis))
      continue;
    for (unsigned other : window.dropped.set_bits()) {
      bool onlyOnesBetween = true;
      for (unsigned between = std::min(axis, other) + 1;
           between < std::max(axis, other); ++between)
        onlyOnesBetween &= window.dropped.test(between) || isOne(between);
      if (!onlyOnesBetween || window.uncertain.test(other))
        continue;
      window.dropped.reset(other);
      window.dropped.set(axis);
      break;
    }
  }
}

/// Ranges whose positions follow from the extents become certain: what they
/// need is required of the extents.
static LogicalResult requireRanges(Operation *op, SliceWindow &window,
                                   ArrayRef<OpFoldResult> offsets,
                                   const SymbolicShape &shape,
                                   Lowering &lowering) {
  for (unsigned axis = 0; axis < window.rank(); ++axis) {
    if (!window.uncertain.test(axis) || window.isPosition(axis))
      continue;
    std::optional<Extent> start = lowering.extent(offsets[axis]);
    if (!start)
      continue;
    Axes &axes = lowering.axes;
    Extent end = axes.sum(*start, window.sizes[axis]);
    if (failed(lowering.require(op, *start, "starts at position", *start)) ||
        failed(lowering.require(op, axes.difference(shape[axis], end),
                                "takes elements of an axis of '" +
                                    axes.describe(shape[axis]) + "', up to",
                                end)))
      return failure();
    window.uncertain.reset(axis);
  }
  return success();
}

FailureOr<SliceWindow> sliceWindow(OffsetSizeAndStrideOpInterface op,
                                   const llvm::SmallBitVector &dropped,
                                   Value whole, Lowering &lowering) {
  SliceWindow window;
  window.dropped = dropped;
  const SymbolicShape &shape = lowering.shape(whole);
  window.uncertain.resize(shape.size());
  for (auto [axis, offset, size, stride] : llvm::enumerate(
           op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
    if (getConstantIntValue(stride) != 1)
      return op->emitOpError("has no lowering for axis ")
             << axis << ": a slice takes elements one after the other "
             << "(stride 1)";
    FailureOr<Extent> extent = lowering.size(op, size, "takes a range of");
    if (failed(extent))
      return failure();
    if (!isCertain(offset, *extent, shape[axis],
                   axis == 0 && isStackedState(whole), lowering))
      window.uncertain.set(axis);
    window.sizes.push_back(*extent);
    auto value = dyn_cast<Value>(offset);
    window.offsets.push_back(
        value && !getConstantIntValue(offset)
            ? getAsOpFoldResult(lowering.get(value))
            : lowering.builder.getIndexAttr(*getConstantIntValue(offset)));
  }
  leaveOutUncertain(window);
  if (failed(requireRanges(op, window, op.getMixedOffsets(), shape, lowering)))
    return failure();
  return window;
}

} // namespace blocks
