//===- Siblings.cpp - Operations that need the same values ----------------===//
//
// A value that several sums need (a gradient summed over one axis, its product
// with something else summed over it, and itself added to what was there) would
// be written to memory and read by each of them. Merged into one operation they
// leave the producer one user, into which it is fused, and nothing is written
// but the sums. A loop that one of them reduces is a reduction of the merged
// one, also where another has a result for each of its steps.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Siblings.h"
#include "lib/Conversion/BlocksToLinalg/Overwrites.h"

#include <llvm/ADT/SetVector.h>
#include <mlir/IR/IRMapping.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>

using namespace mlir;

namespace blocks {

using Users = llvm::SmallSetVector<Operation *, 4>;

/// True if something in the block of `op` overwrites a state whose old value it
/// reads, so that its place matters.
static bool readsOverwritten(Operation *op) {
  return llvm::any_of(overwritersOf(op), [&](Operation *overwriter) {
    return overwriter->getBlock() == op->getBlock();
  });
}

/// True if `user` visits the elements of the producer's results one by one, in
/// their order, and has a result for each step of the first loop.
static bool keepsOrder(linalg::GenericOp producer, linalg::GenericOp user) {
  if (user.getNumLoops() != producer.getNumLoops() ||
      user.getIteratorTypesArray()[0] != utils::IteratorType::parallel ||
      user.hasIndexSemantics())
    return false;
  for (OpOperand &operand : user->getOpOperands())
    if (operand.get().getDefiningOp() == producer &&
        !(user.isDpsInput(&operand) &&
          user.getMatchingIndexingMap(&operand).isIdentity()))
      return false;
  return llvm::all_of(user.getDpsInitsMutable(), [&](OpOperand &init) {
    AffineMap map = user.getMatchingIndexingMap(&init);
    return map.getNumResults() > 0 &&
           map.getResult(0) == getAffineDimExpr(0, map.getContext());
  });
}

/// Those that use the results of `producer`, in the order of the program; none
/// if they cannot be merged.
static Users findUsers(linalg::GenericOp producer) {
  SmallVector<Operation *> found(producer->getUsers());
  bool reduces = false;
  for (Operation *op : found) {
    auto user = dyn_cast<linalg::GenericOp>(op);
    if (!user || user->getBlock() != producer->getBlock() ||
        !keepsOrder(producer, user) || readsOverwritten(user))
      return {};
    reduces |= user.getNumReductionLoops() > 0;
  }
  if (!reduces)
    return {};
  llvm::sort(found,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return Users(found.begin(), found.end());
}

/// Collects what stands between `first` and `op` and is needed by `op`; false
/// if one of the users is, or what cannot be moved.
static bool collectNeeded(Operation *op, Operation *first, const Users &users,
                          SetVector<Operation *> &needed) {
  for (Value operand : op->getOperands()) {
    Operation *definition = operand.getDefiningOp();
    if (!definition || definition->getBlock() != first->getBlock() ||
        definition->isBeforeInBlock(first) || needed.contains(definition))
      continue;
    if (users.contains(definition) || !isPure(definition) ||
        definition->getNumRegions() > 1 || readsOverwritten(definition) ||
        !collectNeeded(definition, first, users, needed))
      return false;
    needed.insert(definition);
  }
  return true;
}

/// One operation with the operands, bodies and results of all.
static linalg::GenericOp merge(RewriterBase &rewriter, const Users &users) {
  SmallVector<Value> inputs, inits;
  SmallVector<AffineMap> inputMaps, initMaps;
  SmallVector<utils::IteratorType> loops(
      cast<linalg::GenericOp>(users[0]).getIteratorTypesArray());
  for (Operation *op : users) {
    auto user = cast<linalg::GenericOp>(op);
    for (OpOperand *input : user.getDpsInputOperands()) {
      inputs.push_back(input->get());
      inputMaps.push_back(user.getMatchingIndexingMap(input));
    }
    for (OpOperand &init : user.getDpsInitsMutable()) {
      inits.push_back(init.get());
      initMaps.push_back(user.getMatchingIndexingMap(&init));
    }
    for (auto [loop, type] : llvm::zip(loops, user.getIteratorTypesArray()))
      if (type == utils::IteratorType::reduction)
        loop = type;
  }
  SmallVector<AffineMap> maps(inputMaps);
  llvm::append_range(maps, initMaps);
  auto body = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    size_t input = 0, init = inputs.size();
    SmallVector<Value> results;
    for (Operation *op : users) {
      auto user = cast<linalg::GenericOp>(op);
      IRMapping mapping;
      for (BlockArgument argument : user.getBody()->getArguments())
        mapping.map(argument,
                    arguments[argument.getArgNumber() < user.getNumDpsInputs()
                                  ? input++
                                  : init++]);
      for (Operation &inner : user.getBody()->without_terminator())
        builder.clone(inner, mapping);
      for (Value result : user.getBody()->getTerminator()->getOperands())
        results.push_back(mapping.lookupOrDefault(result));
    }
    linalg::YieldOp::create(builder, loc, results);
  };
  return linalg::GenericOp::create(rewriter, users[0]->getLoc(),
                                   ValueRange(inits).getTypes(), inputs, inits,
                                   maps, loops, body);
}

linalg::GenericOp mergeUsers(RewriterBase &rewriter,
                             linalg::GenericOp producer) {
  if (producer.getNumReductionLoops() > 0 || producer.getNumLoops() == 0 ||
      readsOverwritten(producer))
    return {};
  for (OpOperand &init : producer.getDpsInitsMutable())
    if (!producer.getMatchingIndexingMap(&init).isIdentity())
      return {};
  Users users = findUsers(producer);
  if (users.size() < 2)
    return {};
  SetVector<Operation *> needed;
  for (Operation *user : users)
    if (!collectNeeded(user, users[0], users, needed))
      return {};
  for (Operation *op : needed)
    rewriter.moveOpBefore(op, users[0]);
  rewriter.setInsertionPoint(users[0]);
  linalg::GenericOp merged = merge(rewriter, users);
  unsigned next = 0;
  for (Operation *user : users) {
    unsigned count = user->getNumResults();
    rewriter.replaceOp(user, merged->getResults().slice(next, count));
    next += count;
  }
  return merged;
}

} // namespace blocks
