//===- Activity.cpp - Which values depend on what is differentiated -------===//
#include "lib/Autodiff/Activity.h"

using namespace mlir;

namespace blocks {

bool isFloatTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa<FloatType>(tensor.getElementType());
}

void Activity::propagate(Block &block) {
  for (Operation &op : block) {
    if (auto scan = dyn_cast<ScanOp>(op)) {
      propagateScan(scan);
      continue;
    }
    if (!llvm::any_of(op.getOperands(), [&](Value v) { return contains(v); }))
      continue;
    for (Value result : op.getResults())
      if (isFloatTensor(result.getType()))
        add(result);
  }
}

/// Makes `to` active if `from` is; true if that was new.
bool Activity::link(Value from, Value to) {
  return contains(from) && isFloatTensor(to.getType()) &&
         active.insert(to).second;
}

/// A state may become active in one step through another state, so the body is
/// followed until nothing changes.
void Activity::propagateScan(ScanOp scan) {
  Block &body = scan.getBody().front();
  auto yield = cast<YieldOp>(body.getTerminator());
  for (auto [outer, inner] :
       llvm::zip(scan.getSequences(), scan.getSliceArguments()))
    link(outer, inner);
  for (auto [outer, inner] :
       llvm::zip(scan.getStates(), scan.getStateArguments()))
    link(outer, inner);
  bool changed = true;
  while (changed) {
    propagate(body);
    changed = false;
    for (auto [next, state] :
         llvm::zip(yield.getStates(), scan.getStateArguments()))
      changed |= link(next, state);
  }
  for (auto [yielded, result] :
       llvm::zip(yield.getOperands(), scan.getResults()))
    link(yielded, result);
}

} // namespace blocks
