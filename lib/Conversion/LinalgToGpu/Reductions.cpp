// See Reductions.h.
#include "lib/Conversion/LinalgToGpu/Reductions.h"

#include <limits>
#include <mlir/Dialect/Arith/IR/Arith.h>

using namespace mlir;

namespace blocks {

static BlockArgument getAccumulator(linalg::LinalgOp op, OpOperand *result) {
  return op.getBlock()->getArgument(result->getOperandNumber());
}

static Value getYielded(linalg::LinalgOp op, OpOperand *result) {
  return op.getBlock()->getTerminator()->getOperand(result->getOperandNumber() -
                                                    op.getNumDpsInputs());
}

// --- Sums, products, extrema -------------------------------------------------

static std::optional<Reduction> findSimple(linalg::LinalgOp op,
                                           OpOperand *result) {
  Operation *combiner = getYielded(op, result).getDefiningOp();
  BlockArgument accumulator = getAccumulator(op, result);
  if (!combiner || combiner->getNumOperands() != 2 ||
      combiner->getBlock() != op.getBlock() || !accumulator.hasOneUse() ||
      *accumulator.getUsers().begin() != combiner)
    return std::nullopt;
  std::optional<TypedAttr> neutral = arith::getNeutralElement(combiner);
  if (!neutral)
    return std::nullopt;
  return Reduction{{result}, {*neutral}, combiner};
}

// --- Argmax ------------------------------------------------------------------

/// value = better ? x : best, position = better ? index : its best, where
/// better is "x is larger, or the first that is not a number".
static std::optional<Reduction>
findArgmax(linalg::LinalgOp op, OpOperand *value, OpOperand *position) {
  auto choice = getYielded(op, value).getDefiningOp<arith::SelectOp>();
  auto place = getYielded(op, position).getDefiningOp<arith::SelectOp>();
  if (!choice || !place || choice.getCondition() != place.getCondition() ||
      choice.getFalseValue() != getAccumulator(op, value) ||
      place.getFalseValue() != getAccumulator(op, position))
    return std::nullopt;
  auto both = choice.getCondition().getDefiningOp<arith::AndIOp>();
  auto larger = both ? both.getLhs().getDefiningOp<arith::CmpFOp>() : nullptr;
  auto type = dyn_cast<FloatType>(getElementTypeOrSelf(value->get().getType()));
  if (!larger || larger.getPredicate() != arith::CmpFPredicate::UGT ||
      larger.getLhs() != choice.getTrueValue() ||
      larger.getRhs() != choice.getFalseValue() || !type ||
      !isa<IntegerType>(getElementTypeOrSelf(position->get().getType())))
    return std::nullopt;
  Builder builder(op->getContext());
  Reduction reduction;
  reduction.results = {value, position};
  reduction.neutral = {
      builder.getFloatAttr(type, -std::numeric_limits<double>::infinity()),
      builder.getIntegerAttr(getElementTypeOrSelf(position->get().getType()),
                             0)};
  reduction.isArgmax = true;
  return reduction;
}

static SmallVector<Value> combineArgmax(OpBuilder &builder, Location loc,
                                        ValueRange a, ValueRange b) {
  auto compare = [&](arith::CmpFPredicate predicate, Value x,
                     Value y) -> Value {
    return arith::CmpFOp::create(builder, loc, predicate, x, y);
  };
  auto both = [&](Value x, Value y) -> Value {
    return arith::AndIOp::create(builder, loc, x, y);
  };
  auto either = [&](Value x, Value y) -> Value {
    return arith::OrIOp::create(builder, loc, x, y);
  };
  Value ordered = compare(arith::CmpFPredicate::ORD, a[0], a[0]);
  Value larger = both(compare(arith::CmpFPredicate::UGT, b[0], a[0]), ordered);
  Value neither = both(compare(arith::CmpFPredicate::UNO, a[0], a[0]),
                       compare(arith::CmpFPredicate::UNO, b[0], b[0]));
  Value equal = either(compare(arith::CmpFPredicate::OEQ, a[0], b[0]), neither);
  Value earlier = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                        b[1], a[1]);
  Value better = either(larger, both(equal, earlier));
  return {arith::SelectOp::create(builder, loc, better, b[0], a[0]),
          arith::SelectOp::create(builder, loc, better, b[1], a[1])};
}

// --- Both --------------------------------------------------------------------

SmallVector<Value> Reduction::combine(OpBuilder &builder, Location loc,
                                      ValueRange a, ValueRange b) const {
  if (isArgmax)
    return combineArgmax(builder, loc, a, b);
  Operation *copy = builder.clone(*combiner);
  copy->setOperands({a[0], b[0]});
  copy->setLoc(loc);
  return {copy->getResult(0)};
}

std::optional<SmallVector<Reduction>>
findReductions(linalg::LinalgOp op, ArrayRef<OpOperand *> results) {
  SmallVector<Reduction> reductions;
  for (size_t i = 0; i < results.size(); ++i) {
    std::optional<Reduction> found = findSimple(op, results[i]);
    if (!found && i + 1 < results.size()) {
      found = findArgmax(op, results[i], results[i + 1]);
      ++i;
    }
    if (!found)
      return std::nullopt;
    reductions.push_back(std::move(*found));
  }
  return reductions;
}

} // namespace blocks
