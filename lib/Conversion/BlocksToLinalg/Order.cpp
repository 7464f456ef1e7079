//===- Order.cpp - Updates last, each next to what only it needs ----------===//
//
// State that is overwritten while an operation still needs its old value would
// be copied. So everything that several updates or outputs need comes first, in
// its order; then, update by update, what only that one needs (the product of a
// weight's gradient, for one, which is then still in the cache), and the
// update.
//
// Updates that need each other's new value and have one shape (a parameter and
// its optimizer buffers) form a group. Scalars (counters) come last. What reads
// a state that an earlier group overwrites moves to the first part; and where
// an update stands in the first part, because others need what it computes
// beside, it is placed after the readers of its state.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Lowering.h"
#include "lib/Conversion/BlocksToLinalg/Overwrites.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/SmallBitVector.h>
#include <mlir/Dialect/Bufferization/IR/Bufferization.h>

#include <map>

using namespace mlir;

namespace blocks {

namespace {

using Materialize = bufferization::MaterializeInDestinationOp;

class UpdateOrder {
public:
  explicit UpdateOrder(func::FuncOp function)
      : function(function), block(function.getBody().front()) {}
  void apply();

private:
  void findUpdates();
  void findSinks();
  void groupUpdates();
  void rankGroups();
  void assignParts();
  void move();

  bool staysFirst(Operation *op);
  bool readsOverwritten(Operation *op, unsigned part);

  func::FuncOp function;
  Block &block;
  SmallVector<Materialize> updates;
  llvm::DenseMap<Value, unsigned> updateOf; ///< Of a state's old tensor.
  /// Updates that an operation leads to; the last bit stands for all else.
  llvm::DenseMap<Operation *, llvm::SmallBitVector> sinks;
  llvm::EquivalenceClasses<unsigned> groups;
  SmallVector<unsigned> partOf; ///< Of each update; parts count from 1.
  llvm::DenseMap<Operation *, unsigned> parts; ///< 0: the first part.
};

} // namespace

void UpdateOrder::findUpdates() {
  for (auto op : block.getOps<Materialize>()) {
    auto argument = dyn_cast<BlockArgument>(op.getDest());
    if (!argument ||
        !function.getArgAttr(argument.getArgNumber(), "blocks.state"))
      continue;
    for (Operation *user : argument.getUsers())
      if (auto tensor = dyn_cast<bufferization::ToTensorOp>(user))
        updateOf[tensor.getResult()] = updates.size();
    updates.push_back(op);
  }
}

/// Reads of arguments and calls into the runtime stay where they are.
bool UpdateOrder::staysFirst(Operation *op) {
  return isa<bufferization::ToTensorOp>(op) || !isMemoryEffectFree(op);
}

void UpdateOrder::findSinks() {
  unsigned rest = updates.size();
  for (Operation &op : llvm::reverse(block.without_terminator())) {
    llvm::SmallBitVector reached(rest + 1);
    auto *update = llvm::find(updates, dyn_cast<Materialize>(op));
    if (isa<Materialize>(op) && update != updates.end())
      reached.set(update - updates.begin());
    else if (staysFirst(&op))
      reached.set(rest);
    for (Operation *user : usersIn(block, &op))
      reached |= sinks[user];
    sinks[&op] = reached;
  }
}

void UpdateOrder::groupUpdates() {
  for (unsigned i = 0; i < updates.size(); ++i)
    groups.insert(i);
  for (auto [i, update] : llvm::enumerate(updates)) {
    Operation *source = update.getSource().getDefiningOp();
    Type type = update.getSource().getType();
    if (!source || cast<RankedTensorType>(type).getRank() == 0)
      continue;
    for (unsigned j : sinks[source].set_bits())
      if (j < updates.size() && updates[j].getSource().getType() == type)
        groups.unionSets(i, j);
  }
}

/// Groups in the order of their first update, scalars after all others.
void UpdateOrder::rankGroups() {
  llvm::DenseMap<unsigned, unsigned> ranks;
  partOf.resize(updates.size());
  for (bool scalars : {false, true})
    for (unsigned i = 0; i < updates.size(); ++i) {
      auto type = cast<RankedTensorType>(updates[i].getSource().getType());
      if ((type.getRank() == 0) != scalars)
        continue;
      unsigned leader = groups.getLeaderValue(i);
      partOf[i] = ranks.try_emplace(leader, ranks.size() + 1).first->second;
    }
}

/// True if `op` needs the old value of a state that an earlier part overwrites.
bool UpdateOrder::readsOverwritten(Operation *op, unsigned part) {
  bool found = false;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (auto state = updateOf.find(operand); state != updateOf.end())
        found |= partOf[state->second] < part;
  });
  return found;
}

void UpdateOrder::assignParts() {
  for (Operation &op : llvm::reverse(block.without_terminator())) {
    unsigned part = 0;
    bool isFirst = sinks[&op].test(updates.size());
    for (unsigned i : sinks[&op].set_bits()) {
      if (i == updates.size())
        break;
      isFirst |= part != 0 && part != partOf[i];
      part = partOf[i];
    }
    for (Operation *user : usersIn(block, &op))
      isFirst |= parts[user] == 0;
    if (!isFirst && !isa<Materialize>(op))
      isFirst = readsOverwritten(&op, part);
    parts[&op] = isFirst ? 0 : part;
  }
}

/// Within a part the order stays, but a group's updates are written together.
void UpdateOrder::move() {
  std::map<std::pair<unsigned, bool>, SmallVector<Operation *>> ordered;
  for (Operation &op : block.without_terminator()) {
    unsigned part = parts[&op];
    ordered[{part, part != 0 && isa<Materialize>(op)}].push_back(&op);
  }
  SmallVector<Operation *> wanted;
  for (auto &[key, ops] : ordered)
    llvm::append_range(wanted, ops);
  placeInOrder(block, wanted);
}

void UpdateOrder::apply() {
  findUpdates();
  findSinks();
  groupUpdates();
  rankGroups();
  assignParts();
  move();
}

void orderUpdates(func::FuncOp function) { UpdateOrder(function).apply(); }

} // namespace blocks
