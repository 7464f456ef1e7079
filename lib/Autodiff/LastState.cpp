//===- LastState.cpp - The state that a loop ends with --------------------===//
#include "lib/Autodiff/LastState.h"

#include <mlir/IR/Matchers.h>

using namespace mlir;

namespace blocks {

/// True if `offset` is the extent of axis 0 of `stacked` minus 1, as it is
/// written or as canonicalization leaves it.
static bool isLastPosition(OpFoldResult offset, Value stacked) {
  int64_t steps = cast<RankedTensorType>(stacked.getType()).getDimSize(0);
  if (std::optional<int64_t> number = getConstantIntValue(offset))
    return !ShapedType::isDynamic(steps) && *number == steps - 1;
  Operation *op = cast<Value>(offset).getDefiningOp();
  APInt difference;
  if (!isa_and_nonnull<arith::SubIOp, arith::AddIOp>(op) ||
      !matchPattern(op->getOperand(1), m_ConstantInt(&difference)) ||
      difference.getSExtValue() != (isa<arith::SubIOp>(op) ? 1 : -1))
    return false;
  auto dim = op->getOperand(0).getDefiningOp<tensor::DimOp>();
  return dim && dim.getSource() == stacked && dim.getConstantIndex() == 0;
}

OpResult stackOfLastState(tensor::ExtractSliceOp slice) {
  Value source = slice.getSource();
  while (auto tag = source.getDefiningOp<TagOp>())
    source = tag.getInput();
  auto scan = source.getDefiningOp<ScanOp>();
  if (!scan)
    return {};
  auto stacked = cast<OpResult>(source);
  unsigned number = stacked.getResultNumber();
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
  if (number >= scan.getStates().size() || !slice.getDroppedDims().test(0) ||
      slice.getType() != scan.getStates()[number].getType() ||
      !slice.hasUnitStride() ||
      !llvm::all_of(llvm::drop_begin(offsets), isZeroInteger))
    return {};
  bool isLast = scan.getReverse()
                    ? isZeroInteger(offsets[0])
                    : isLastPosition(offsets[0], slice.getSource());
  return isLast ? stacked : OpResult();
}

} // namespace blocks
