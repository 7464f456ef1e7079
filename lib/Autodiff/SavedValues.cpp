//===- SavedValues.cpp - What a backward scan needs of the forward one ----===//
#include "lib/Autodiff/SavedValues.h"

using namespace mlir;

namespace blocks {

/// The place of `value` in `values`, or nothing.
template <typename Range>
static std::optional<unsigned> indexIn(Range &&values, Value value) {
  for (auto [i, candidate] : llvm::enumerate(values))
    if (Value(candidate) == value)
      return i;
  return std::nullopt;
}

/// Operations that take less time than reading their result from memory, or
/// (random ones) whose result is large and exactly reproducible.
static bool isCheap(Operation *op) {
  bool isNumber = llvm::none_of(op->getResultTypes(), [](Type type) {
    return isa<RankedTensorType>(type);
  });
  if (isa<arith::ArithDialect>(op->getDialect()) ||
      (isNumber && isa<math::MathDialect>(op->getDialect())))
    return true;
  return isa<TagOp, BroadcastOp, CastOp, RectifierOp, RandomOp, ExtentOp,
             tensor::DimOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
             tensor::ExtractSliceOp, math::AbsFOp>(op);
}

/// Another form of the same elements, or no elements at all: never saved, what
/// it is made of is.
static bool isForm(Value value) {
  return isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                         tensor::EmptyOp>(value.getDefiningOp());
}

/// One step's state of a loop in the body. Where that loop has no steps it is
/// the initial state, which stands beside the stack: a copy of the stack is not
/// enough to take it from.
static bool isStateOfLoop(Operation *op) {
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  Value source = slice ? withoutTags(slice.getSource()) : Value();
  auto scan = source ? source.getDefiningOp<ScanOp>() : ScanOp();
  return scan && slice.getDroppedDims().test(0) &&
         cast<OpResult>(source).getResultNumber() < scan.getStates().size();
}

SavedValues::SavedValues(ScanOp forward)
    : forward(forward), body(forward.getBody().front()),
      yield(cast<YieldOp>(body.getTerminator())),
      recomputesAll(forward->hasAttr(recomputeAttribute)) {}

void SavedValues::replace(Value old, Value fresh) {
  for (Value &value : saved)
    if (value == old)
      value = fresh;
}

Stacked SavedValues::stack(Value value) {
  value = withoutTags(value);
  if (auto i = indexIn(forward.getSliceArguments(), value))
    return {Stacked::Sequence, *i};
  for (auto [i, yielded] : llvm::enumerate(yield.getOperands()))
    if (withoutTags(yielded) == value)
      return {Stacked::Result, unsigned(i)};
  std::optional<unsigned> i = indexIn(saved, value);
  if (!i) {
    i = saved.size();
    saved.push_back(value);
  }
  return {Stacked::Result, forward.getNumResults() + *i};
}

//===--- What need not be saved -------------------------------------------===//

/// True for what is stacked without a further buffer.
bool SavedValues::isAtHand(Value value) {
  value = withoutTags(value);
  if (!isInside(value) || isa<BlockArgument>(value))
    return true;
  return llvm::is_contained(saved, value) ||
         llvm::any_of(yield.getOperands(), [&](Value yielded) {
           return withoutTags(yielded) == value;
         });
}

Value SavedValues::shapeSource(Value value) {
  if (!shapes)
    shapes.emplace(forward);
  return shapes->find(value, [&](Value v) { return isAtHand(v); });
}

/// True for what is made element by element of captured values and of smaller
/// values that are repeated along more axes: saving the smaller ones is less to
/// write and to read.
bool SavedValues::isExpansion(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &body)
    return false;
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return int64_t(broadcast.getDims().size()) <
           cast<RankedTensorType>(op->getResult(0).getType()).getRank();
  auto known = expansions.find(op);
  if (known != expansions.end())
    return known->second;
  return expansions[op] =
             isElementwise(op) && llvm::all_of(op->getOperands(), [&](Value v) {
               return !isInside(v) || isExpansion(v);
             });
}

/// True if the backward scan reads the value from memory, come what may.
bool SavedValues::mustBeSaved(Value value) {
  Operation *op = value.getDefiningOp();
  return isa<RankedTensorType>(value.getType()) && !isAtHand(value) &&
         !recomputesAll && !isCheap(op) && !isForm(value) &&
         !isExpansion(value);
}

bool SavedValues::isRecomputable(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &body)
    return false;
  auto known = recomputable.find(op);
  if (known != recomputable.end())
    return known->second;
  return recomputable[op] = isRecomputable(op);
}

/// The operands of `op` and of what is in its regions, but for what they
/// define themselves.
static SmallVector<OpOperand *> outerOperands(Operation *op) {
  SmallVector<OpOperand *> operands;
  op->walk([&](Operation *part) {
    for (OpOperand &operand : part->getOpOperands())
      if (!op->isAncestor(operand.get().getParentRegion()->getParentOp()))
        operands.push_back(&operand);
  });
  return operands;
}

bool SavedValues::isRecomputable(Operation *op) {
  if (isa<tensor::EmptyOp>(op))
    return true;
  bool allowed = recomputesAll && isMemoryEffectFree(op) &&
                 (op->getNumRegions() == 0 || isa<ScanOp>(op));
  if ((!isCheap(op) && !allowed) || isStateOfLoop(op))
    return false;
  return llvm::all_of(outerOperands(op), [&](OpOperand *operand) {
    if (isShapeOnly(*operand))
      return bool(shapeSource(operand->get()));
    return isAtHand(operand->get()) || isRecomputable(operand->get());
  });
}

//===--- Uses in the backward body ----------------------------------------===//

void SavedValues::resolveUses(Block &backward, Value position,
                              function_ref<Value(Stacked)> slice) {
  OpBuilder builder = OpBuilder::atBlockBegin(&backward);
  DenseMap<Value, Value> known{{forward.getPosition(), position}};
  std::function<void(OpOperand &)> resolveOperand;
  std::function<Value(Value)> resolve = [&](Value value) -> Value {
    value = withoutTags(value);
    if (!isInside(value))
      return value;
    if (Value found = known.lookup(value))
      return found;
    // Only tensors are stacked: a size is computed again, if need be from a
    // tensor that is saved for it.
    bool isTensor = isa<RankedTensorType>(value.getType());
    if (isTensor && (isAtHand(value) || !(isRecomputable(value) ||
                                          isForm(value) || isExpansion(value))))
      return known[value] = slice(stack(value));
    // Operands first, so that they stand before their use.
    Operation *op = value.getDefiningOp();
    Operation *copy = op->clone();
    for (OpOperand *operand : outerOperands(copy))
      resolveOperand(*operand);
    builder.insert(copy);
    for (auto [old, fresh] : llvm::zip(op->getResults(), copy->getResults()))
      known[old] = fresh;
    return known[value];
  };
  resolveOperand = [&](OpOperand &operand) {
    if (!isInside(operand.get()))
      return;
    Value source = isShapeOnly(operand) ? shapeSource(operand.get()) : Value();
    operand.set(resolve(source ? source : operand.get()));
  };
  SmallVector<OpOperand *> uses;
  backward.walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      uses.push_back(&operand);
  });
  // What must be saved comes first: what is made of it can be computed again.
  for (OpOperand *use : uses)
    if (Value value = withoutTags(use->get());
        !isShapeOnly(*use) && mustBeSaved(value))
      stack(value);
  for (OpOperand *use : uses)
    resolveOperand(*use);
}

//===--- The new forward scan ---------------------------------------------===//

/// The type of `step` stacked along a new axis 0 of `count` steps.
static Type stackedType(Type step, int64_t count) {
  auto type = cast<RankedTensorType>(step);
  SmallVector<int64_t> shape{count};
  llvm::append_range(shape, type.getShape());
  return RankedTensorType::get(shape, type.getElementType());
}

ScanOp SavedValues::rebuild() {
  if (saved.empty())
    return forward;
  SmallVector<Type> types(forward.getResultTypes());
  for (Value value : saved)
    types.push_back(stackedType(value.getType(), forward.getStepCount()));
  OpBuilder builder(forward);
  auto scan = ScanOp::create(builder, forward.getLoc(), types,
                             forward.getSequences(), forward.getStates(),
                             forward.getSteps(), forward.getReverse());
  scan->setDiscardableAttrs(forward->getDiscardableAttrDictionary());
  scan.getBody().takeBody(forward.getBody());
  yield.getOutputsMutable().append(saved);
  unsigned count = forward.getNumResults();
  forward.replaceAllUsesWith(scan.getResults().take_front(count));
  forward.erase();
  return forward = scan;
}

} // namespace blocks
