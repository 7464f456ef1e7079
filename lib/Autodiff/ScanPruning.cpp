//===- ScanPruning.cpp - Drops what a scan computes for nobody ------------===//
//
// A state is needed if its stacked result is used, or if a needed value of the
// body uses it. States that need only each other go together.
//
//===----------------------------------------------------------------------===//
#include "lib/Autodiff/ScanPruning.h"

#include <llvm/ADT/SetVector.h>

using namespace mlir;

namespace blocks {
namespace {

class ScanPruner {
public:
  explicit ScanPruner(ScanOp scan)
      : scan(scan), body(scan.getBody().front()),
        yield(cast<YieldOp>(body.getTerminator())) {}

  /// Replaces the scan by a smaller one if it can.
  void prune();

private:
  void findNeeded();
  void need(Value value);
  bool isNeeded(unsigned result) {
    return !scan.getResult(result).use_empty() ||
           (result < scan.getStates().size() &&
            needed.contains(scan.getStateArguments()[result]));
  }
  void rebuild(const llvm::BitVector &sequences,
               const llvm::BitVector &results);

  ScanOp scan;
  Block &body;
  YieldOp yield;
  llvm::SetVector<Value> needed;
};

void ScanPruner::need(Value value) {
  if (scan.getBody().isAncestor(value.getParentRegion()))
    needed.insert(value);
}

void ScanPruner::findNeeded() {
  for (auto [result, yielded] :
       llvm::zip(scan.getResults(), yield.getOperands()))
    if (!result.use_empty())
      need(yielded);
  for (size_t i = 0; i < needed.size(); ++i) {
    Value value = needed[i];
    if (Operation *op = value.getDefiningOp())
      op->walk([&](Operation *part) {
        for (Value operand : part->getOperands())
          need(operand);
      });
    for (auto [state, next] :
         llvm::zip(scan.getStateArguments(), yield.getStates()))
      if (state == value)
        need(next);
  }
}

void ScanPruner::prune() {
  findNeeded();
  llvm::BitVector sequences(scan.getSequences().size());
  llvm::BitVector results(scan.getNumResults());
  for (auto [i, slice] : llvm::enumerate(scan.getSliceArguments()))
    sequences[i] = needed.contains(slice);
  if (sequences.none() && !scan.getSteps())
    sequences[0] = true; // the number of steps comes from it
  for (unsigned i = 0; i < scan.getNumResults(); ++i)
    results[i] = isNeeded(i);
  if (!sequences.all() || !results.all())
    rebuild(sequences, results);
}

/// The values of `range` at the set positions, starting with bit `first`.
template <typename Range>
static SmallVector<Value> pick(Range &&range, const llvm::BitVector &bits,
                               unsigned first = 0) {
  SmallVector<Value> values;
  for (auto [i, value] : llvm::enumerate(range))
    if (bits[first + i])
      values.push_back(value);
  return values;
}

void ScanPruner::rebuild(const llvm::BitVector &sequences,
                         const llvm::BitVector &results) {
  unsigned stateCount = scan.getStates().size();
  SmallVector<Value> kept = pick(scan.getResults(), results);
  OpBuilder builder(scan);
  auto smaller = ScanOp::create(
      builder, scan.getLoc(), TypeRange(ValueRange(kept)),
      pick(scan.getSequences(), sequences), pick(scan.getStates(), results),
      scan.getSteps(), scan.getReverse());
  smaller->setDiscardableAttrs(scan->getDiscardableAttrDictionary());
  builder.setInsertionPoint(yield);
  YieldOp::create(builder, yield.getLoc(), pick(yield.getStates(), results),
                  pick(yield.getOutputs(), results, stateCount));
  yield.erase();
  for (auto [old, fresh] : llvm::zip(kept, smaller.getResults()))
    old.replaceAllUsesWith(fresh);

  // What only the dropped results used goes before the arguments it reads.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
  llvm::BitVector arguments(body.getNumArguments());
  for (unsigned i = 0; i < sequences.size(); ++i)
    arguments[1 + i] = !sequences[i];
  for (unsigned i = 0; i < stateCount; ++i)
    arguments[1 + sequences.size() + i] = !results[i];
  body.eraseArguments(arguments);
  smaller.getBody().takeBody(scan.getBody());
  scan.erase();
}

} // namespace

void pruneScan(ScanOp scan) { ScanPruner(scan).prune(); }

void eraseDeadOperations(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (isOpTriviallyDead(&op)) {
      op.erase();
      continue;
    }
    auto scan = dyn_cast<ScanOp>(op);
    if (!scan)
      continue;
    eraseDeadOperations(scan.getBody().front());
    pruneScan(scan);
  }
}

} // namespace blocks
