//===- LastState.cpp - The state that a loop ends with --------------------===//
#include "lib/Autodiff/LastState.h"

#include "lib/Autodiff/ScanShapes.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

using namespace mlir;

namespace blocks {

/// The tensor and the axis whose extent `value` is.
static std::optional<std::pair<Value, int64_t>> extentOf(Value value) {
  auto dim = value.getDefiningOp<tensor::DimOp>();
  std::optional<int64_t> axis = dim ? dim.getConstantIndex() : std::nullopt;
  if (!axis)
    return std::nullopt;
  return std::pair(withoutTags(dim.getSource()), *axis);
}

/// True if `value` is the number of steps, by the look of it.
static bool isStepCount(Value value, ScanOp scan) {
  if (value == scan.getSteps())
    return true;
  auto extent = extentOf(value);
  if (!extent || extent->second != 0)
    return false;
  if (extent->first.getDefiningOp() == scan)
    return true;
  if (scan.getSteps() && extentOf(scan.getSteps()) == extent)
    return true;
  return llvm::any_of(scan.getSequences(), [&](Value sequence) {
    return withoutTags(sequence) == extent->first;
  });
}

static bool isLastStep(OpFoldResult offset, ScanOp scan) {
  if (scan.getReverse())
    return isZeroInteger(offset);
  if (!ShapedType::isDynamic(scan.getStepCount()))
    return isConstantIntValue(offset, scan.getStepCount() - 1);
  auto value = dyn_cast<Value>(offset);
  Operation *op = value ? value.getDefiningOp() : nullptr;
  if (!op || !isa<arith::SubIOp, arith::AddIOp>(op))
    return false;
  return isConstantIntValue(op->getOperand(1),
                            isa<arith::SubIOp>(op) ? 1 : -1) &&
         isStepCount(op->getOperand(0), scan);
}

OpResult stackOfLastState(tensor::ExtractSliceOp slice) {
  Value source = withoutTags(slice.getSource());
  auto scan = source.getDefiningOp<ScanOp>();
  // What a further loop captures goes through that loop's gradient.
  if (!scan || scan->getBlock() != slice->getBlock())
    return {};
  auto stacked = cast<OpResult>(source);
  if (stacked.getResultNumber() >= scan.getStates().size())
    return {};
  Value initial = scan.getStates()[stacked.getResultNumber()];
  if (slice.getType() != initial.getType() || !slice.hasUnitStride() ||
      !slice.getDroppedDims().test(0) ||
      !isLastStep(slice.getMixedOffsets()[0], scan))
    return {};
  // A slice that compiles and has the state's type takes all of its other axes.
  if (!llvm::all_of(llvm::drop_begin(slice.getMixedOffsets()), isZeroInteger))
    return {};
  return stacked;
}

} // namespace blocks
