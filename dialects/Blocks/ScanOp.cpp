//===- ScanOp.cpp - Verifier and accessors of scan ------------------------===//
#include "dialects/Blocks/Blocks.h"

#include <mlir/Dialect/Arith/Utils/Utils.h>

using namespace mlir;

namespace blocks {

Block::BlockArgListType ScanOp::getSliceArguments() {
  return getBody().front().getArguments().slice(1, getSequences().size());
}
Block::BlockArgListType ScanOp::getStateArguments() {
  return getBody().front().getArguments().drop_front(1 + getSequences().size());
}
ResultRange ScanOp::getStackedStates() {
  return getResults().take_front(getStates().size());
}
ResultRange ScanOp::getStackedOutputs() {
  return getResults().drop_front(getStates().size());
}

int64_t ScanOp::getStepCount() {
  for (Value sequence : getSequences()) {
    int64_t steps = cast<RankedTensorType>(sequence.getType()).getDimSize(0);
    if (!ShapedType::isDynamic(steps))
      return steps;
  }
  std::optional<int64_t> steps =
      getSteps() ? getConstantIntValue(getSteps()) : std::nullopt;
  return steps.value_or(ShapedType::kDynamic);
}

/// The type of one time step of a stacked tensor.
static Type sliceOf(Type stacked) {
  auto type = cast<RankedTensorType>(stacked);
  return RankedTensorType::get(type.getShape().drop_front(),
                               type.getElementType());
}

/// The slice of a scan's stacked states is a view, also without steps.
Value lastState(OpBuilder &ops, Location loc, Value stacked, bool reverse) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(ops, loc, stacked);
  SmallVector<OpFoldResult> offsets(sizes.size(), ops.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), ops.getIndexAttr(1));
  if (!reverse) {
    Value time = getValueOrCreateConstantIndexOp(ops, loc, sizes[0]);
    Value one = arith::ConstantIndexOp::create(ops, loc, 1);
    offsets[0] = ops.createOrFold<arith::SubIOp>(loc, time, one);
  }
  sizes[0] = ops.getIndexAttr(1);
  auto type = cast<RankedTensorType>(sliceOf(stacked.getType()));
  return tensor::ExtractSliceOp::create(ops, loc, type, stacked, offsets, sizes,
                                        strides);
}

LogicalResult ScanOp::verify() {
  if (getSequences().empty() && !getSteps())
    return emitOpError("C1: needs at least one sequence, or steps");
  SmallVector<Type> expected{IndexType::get(getContext())};
  for (auto [i, sequence] : llvm::enumerate(getSequences())) {
    if (cast<RankedTensorType>(sequence.getType()).getRank() == 0)
      return emitOpError("C1: sequence ")
             << i << " is a scalar; it needs a time axis";
    expected.push_back(sliceOf(sequence.getType()));
  }
  llvm::append_range(expected, getStates().getTypes());
  if (getBody().getArgumentTypes() != TypeRange(expected))
    return emitOpError("C2: the body takes (")
           << getBody().getArgumentTypes() << "), expected (" << expected
           << ")";
  auto yield = dyn_cast<YieldOp>(getBody().front().getTerminator());
  if (!yield)
    return emitOpError("must end with blocks.yield");
  if (yield.getStates().getTypes() != getStates().getTypes())
    return emitOpError("C3: yields states (")
           << yield.getStates().getTypes() << "), expected ("
           << getStates().getTypes() << ")";
  if (getNumResults() != yield.getNumOperands())
    return emitOpError("C4: has ") << getNumResults() << " results, but yields "
                                   << yield.getNumOperands() << " values";
  for (auto [i, pair] :
       llvm::enumerate(llvm::zip(getResults(), yield.getOperands()))) {
    auto [stacked, value] = pair;
    if (cast<RankedTensorType>(stacked.getType()).getRank() == 0 ||
        sliceOf(stacked.getType()) != value.getType())
      return emitOpError("C4: result ")
             << i << " is " << stacked.getType() << ", but each step yields "
             << value.getType();
  }
  return success();
}

} // namespace blocks
