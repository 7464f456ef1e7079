//===- ScanShapes.cpp - Which values of a scan's body have one shape ------===//
#include "lib/Autodiff/ScanShapes.h"

using namespace mlir;

namespace blocks {

ScanShapes::ScanShapes(ScanOp scan) : scan(scan) {
  joinStates();
  for (Operation &op : scan.getBody().front())
    joinOperation(op);
}

bool ScanShapes::isInside(Value value) const {
  return scan->getRegion(0).isAncestor(value.getParentRegion());
}

void ScanShapes::add(Value value) {
  if (numbers.insert({value, numbers.size()}).second)
    classes.grow(numbers.size());
}

void ScanShapes::join(Value a, Value b) {
  auto left = dyn_cast<RankedTensorType>(a.getType());
  auto right = dyn_cast<RankedTensorType>(b.getType());
  if (!left || !right || left.getRank() != right.getRank())
    return; // a scalar condition of a select
  add(a);
  add(b);
  classes.join(numbers[a], numbers[b]);
}

/// A state keeps the shape of its initial value.
void ScanShapes::joinStates() {
  auto yield = cast<YieldOp>(scan.getBody().front().getTerminator());
  for (auto [initial, state, next] : llvm::zip(
           scan.getStates(), scan.getStateArguments(), yield.getStates())) {
    join(initial, state);
    join(state, next);
  }
}

void ScanShapes::joinOperation(Operation &op) {
  if (isa<BroadcastOp, RandomOp, UnpickOp, ScatterAddOp>(op)) {
    for (OpOperand &operand : op.getOpOperands())
      if (isShapeOnly(operand))
        join(operand.get(), op.getResult(0));
    return;
  }
  if (!isElementwise(&op) && !isa<SoftmaxOp, LogSoftmaxOp>(op))
    return;
  for (Value operand : op.getOperands())
    join(operand, op.getResult(0));
}

Value ScanShapes::find(Value value, function_ref<bool(Value)> usable) {
  auto known = numbers.find(value);
  if (known == numbers.end())
    return usable(value) ? value : Value();
  for (auto &[candidate, number] : numbers)
    if (classes.findLeader(number) == classes.findLeader(known->second) &&
        usable(candidate))
      return candidate;
  return {};
}

bool isElementwise(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() ||
         isa<TagOp, CastOp, RectifierOp, LogisticOp>(op);
}

bool isShapeOnly(OpOperand &operand) {
  Operation *op = operand.getOwner();
  unsigned index = operand.getOperandNumber();
  if (isa<BroadcastOp>(op))
    return index == 1;
  if (isa<UnpickOp, ScatterAddOp>(op))
    return index == 2;
  return isa<RandomOp, ExtentOp, tensor::DimOp>(op) && index == 0;
}

Value withoutTags(Value value) {
  while (auto tag = value.getDefiningOp<TagOp>())
    value = tag.getInput();
  return value;
}

} // namespace blocks
