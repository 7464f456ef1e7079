//===- TaggedValues.cpp - Walking the annotations of a graph --------------===//
//
// See the header. Liveness is ours, not the dead-code pass's, since a tag that
// only dead code uses is dead too.
//
//===----------------------------------------------------------------------===//
#include "lib/Roles/TaggedValues.h"

using namespace mlir;

namespace blocks {

Value underlyingValue(Value value) {
  while (auto tag = value.getDefiningOp<TagOp>())
    value = tag.getInput();
  return value;
}

/// Appends what `use` passes its value on to.
static void appendTargets(OpOperand &use, SmallVectorImpl<Value> &targets) {
  Operation *user = use.getOwner();
  unsigned i = use.getOperandNumber();
  llvm::append_range(targets, user->getResults());
  if (auto scan = dyn_cast<ScanOp>(user); scan && use.get() != scan.getSteps())
    targets.push_back(scan.getBody().getArgument(1 + i));
  if (auto yield = dyn_cast<YieldOp>(user)) {
    auto scan = cast<ScanOp>(yield->getParentOp());
    targets.push_back(scan.getResult(i));
    if (i < scan.getStates().size())
      targets.push_back(scan.getStateArguments()[i]);
  }
}

llvm::DenseSet<Value> reachedFrom(Value value) {
  llvm::DenseSet<Value> reached{value};
  SmallVector<Value> queue{value};
  while (!queue.empty()) {
    SmallVector<Value> targets;
    for (OpOperand &use : queue.pop_back_val().getUses())
      appendTargets(use, targets);
    for (Value target : targets)
      if (reached.insert(target).second)
        queue.push_back(target);
  }
  return reached;
}

/// True for what must stay although nothing uses its results.
static bool isRoot(Operation *op) {
  bool partOfLoop = isa<ScanOp>(op) || isa<YieldOp>(op);
  return !partOfLoop && !isMemoryEffectFree(op);
}

llvm::DenseSet<Operation *> liveOperations(Operation *root) {
  llvm::DenseSet<Operation *> live;
  SmallVector<Operation *> queue;
  auto add = [&](Operation *op) {
    if (op && op != root && live.insert(op).second)
      queue.push_back(op);
  };
  root->walk([&](Operation *op) {
    if (op != root && isRoot(op))
      add(op);
  });
  while (!queue.empty()) {
    Operation *op = queue.pop_back_val();
    for (Value operand : op->getOperands())
      add(operand.getDefiningOp());
    // A live loop keeps what its body yields, and a live body keeps its loop.
    if (auto scan = dyn_cast<ScanOp>(op))
      add(scan.getBody().front().getTerminator());
    add(op->getParentOp());
  }
  return live;
}

} // namespace blocks
