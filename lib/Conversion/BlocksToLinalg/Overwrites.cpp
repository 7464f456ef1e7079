//===- Overwrites.cpp - What must stand before a state's update -----------===//
//
// A state is updated in place, so its update comes after everything that reads
// the old value. Uses of values don't say so; what they leave out is here, for
// fusion, which must not make one operation of two when another has to stand
// between them, and for the final order of operations.
//
// Relies on the form after to-linalg: a state's old value is a to_tensor of its
// argument, its new value is materialized into the argument, in one block.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Overwrites.h"

#include <llvm/ADT/SetVector.h>
#include <mlir/Dialect/Bufferization/IR/Bufferization.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/Tensor/IR/Tensor.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>
#include <mlir/Interfaces/ViewLikeInterface.h>

#include <set>

using namespace mlir;

namespace blocks {

using Materialize = bufferization::MaterializeInDestinationOp;

Value behindViews(Value tensor) {
  while (Operation *op = tensor.getDefiningOp()) {
    if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
             tensor::ExtractSliceOp, tensor::CastOp>(op))
      break;
    tensor = op->getOperand(0);
  }
  return tensor;
}

static bool isState(Value buffer) {
  auto argument = dyn_cast<BlockArgument>(buffer);
  auto function =
      argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
               : func::FuncOp();
  return function &&
         function.getArgAttr(argument.getArgNumber(), "blocks.state");
}

/// The argument of the state whose old value `tensor` shows, or null.
static Value stateShownBy(Value tensor) {
  if (!isa<TensorType>(tensor.getType()))
    return {};
  auto read = behindViews(tensor).getDefiningOp<bufferization::ToTensorOp>();
  return read && isState(read.getBuffer()) ? read.getBuffer() : Value();
}

/// What computes a state's new value, and what writes it.
static void addOverwriters(Value state, SetVector<Operation *> &found) {
  for (Operation *user : state.getUsers())
    if (auto update = dyn_cast<Materialize>(user)) {
      Operation *source = behindViews(update.getSource()).getDefiningOp();
      if (source && !isa<bufferization::ToTensorOp>(source))
        found.insert(source);
      found.insert(update);
    }
}

SmallVector<Operation *> overwritersOf(Operation *op) {
  SetVector<Operation *> found;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (Value state = stateShownBy(operand))
        addOverwriters(state, found);
  });
  found.remove(op);
  return found.takeVector();
}

SmallVector<Operation *> usersIn(Block &block, Operation *op) {
  SmallVector<Operation *> users;
  for (Operation *user : op->getUsers())
    if (Operation *ancestor = block.findAncestorOpInBlock(*user))
      users.push_back(ancestor);
  return users;
}

//===--- For fusion -------------------------------------------------------===//

/// True if no state is overwritten before `op`, so that the order of
/// operations up to there is as good as any.
static bool isBeforeOverwriters(Block &block, Operation *op) {
  SetVector<Operation *> overwriters;
  for (Value argument : block.getArguments())
    if (isState(argument))
      addOverwriters(argument, overwriters);
  return llvm::all_of(overwriters, [&](Operation *overwriter) {
    return op->isBeforeInBlock(overwriter);
  });
}

bool somethingStandsBetween(Operation *producer, Operation *consumer,
                            bool isCopied) {
  auto function = consumer->getParentOfType<func::FuncOp>();
  Block &block = function.getBody().front();
  consumer = block.findAncestorOpInBlock(*consumer);
  if (isBeforeOverwriters(block, consumer))
    return false;
  SetVector<Operation *> later;
  auto addLater = [&](ArrayRef<Operation *> ops) {
    later.insert(ops.begin(), ops.end());
  };
  addLater(overwritersOf(producer));
  if (!isCopied)
    addLater(usersIn(block, producer));
  later.remove(consumer);
  for (unsigned i = 0; i < later.size(); ++i) {
    Operation *op = later[i];
    if (op == consumer)
      return true;
    addLater(usersIn(block, op));
    addLater(overwritersOf(op));
  }
  return false;
}

//===--- The order --------------------------------------------------------===//

/// The buffer that `memref` is or views.
static Value bufferOf(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

/// What `op` touches beside tensors: buffers from outside of it, and null for
/// any other effect.
static SetVector<Value> resourcesOf(Operation *op) {
  SetVector<Value> resources;
  op->walk([&](Operation *inner) {
    bool any = false;
    for (Value operand : inner->getOperands())
      if (isa<MemRefType>(operand.getType())) {
        resources.insert(bufferOf(operand));
        any = true;
      }
    for (Value result : inner->getResults())
      if (isa<MemRefType>(result.getType())) {
        resources.insert(bufferOf(result));
        any = true;
      }
    if (!any && !inner->getNumRegions() && !isMemoryEffectFree(inner))
      resources.insert(Value());
  });
  return resources;
}

namespace {

/// The graph of what comes before what; operations are numbers of the wanted
/// order.
class Precedence {
public:
  explicit Precedence(ArrayRef<Operation *> ops);
  /// What is on a cycle keeps its place among the rest.
  std::vector<unsigned> sorted();

private:
  void add(unsigned before, Operation *after);

  llvm::DenseMap<Operation *, unsigned> numbers;
  std::vector<std::set<unsigned>> later;
  std::vector<unsigned> waiting; ///< How many must come before each.
};

} // namespace

void Precedence::add(unsigned before, Operation *after) {
  auto number = numbers.find(after);
  if (number == numbers.end() || number->second == before)
    return;
  if (later[before].insert(number->second).second)
    ++waiting[number->second];
}

Precedence::Precedence(ArrayRef<Operation *> ops)
    : later(ops.size()), waiting(ops.size()) {
  for (auto [i, op] : llvm::enumerate(ops))
    numbers[op] = i;
  llvm::DenseMap<Value, unsigned> lastOn;
  for (auto [i, op] : llvm::enumerate(ops)) {
    for (Operation *user : usersIn(*op->getBlock(), op))
      add(i, user);
    for (Operation *overwriter : overwritersOf(op))
      add(i, overwriter);
    for (Value resource : resourcesOf(op)) {
      if (auto last = lastOn.find(resource); last != lastOn.end())
        add(last->second, op);
      lastOn[resource] = i;
    }
  }
}

std::vector<unsigned> Precedence::sorted() {
  std::vector<unsigned> order;
  std::set<unsigned> ready, rest;
  for (unsigned i = 0; i < waiting.size(); ++i)
    (waiting[i] ? rest : ready).insert(i);
  while (!ready.empty()) {
    unsigned next = *ready.begin();
    ready.erase(ready.begin());
    order.push_back(next);
    for (unsigned after : later[next])
      if (--waiting[after] == 0) {
        rest.erase(after);
        ready.insert(after);
      }
  }
  order.insert(order.end(), rest.begin(), rest.end());
  return order;
}

void placeInOrder(Block &block, ArrayRef<Operation *> wanted) {
  for (unsigned i : Precedence(wanted).sorted())
    wanted[i]->moveBefore(block.getTerminator());
}

} // namespace blocks
