//===- Reduce.cpp - Sums, maxima, minima and argmax -----------------------===//
#include "lib/Conversion/BlocksToLinalg/Generic.h"

#include <limits>

using namespace mlir;

namespace blocks {

static double neutral(ReduceKind kind) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (kind) {
  case ReduceKind::Sum:
    return 0;
  case ReduceKind::Max:
    return -infinity;
  case ReduceKind::Min:
    return infinity;
  }
  llvm_unreachable("a reduction is a sum, maximum or minimum");
}

static Value combine(OpBuilder &builder, Location loc, ReduceKind kind,
                     Value value, Value accumulator) {
  switch (kind) {
  case ReduceKind::Sum:
    return sum(builder, loc, value, accumulator);
  case ReduceKind::Max:
    return arith::MaximumFOp::create(builder, loc, value, accumulator);
  case ReduceKind::Min:
    return arith::MinimumFOp::create(builder, loc, value, accumulator);
  }
  llvm_unreachable("a reduction is a sum, maximum or minimum");
}

LogicalResult lowerReduce(ReduceOp op, Lowering &lowering) {
  Value input = lowering.get(op.getInput());
  SymbolicShape shape = lowering.shape(op.getInput());
  SymbolicShape rest = shapeWithout(shape, op.getDims());
  if (op.getDims().empty()) {
    lowering.set(op, input, rest);
    return success();
  }
  Value init = number(lowering.builder, op.getLoc(), elementType(input),
                      neutral(op.getKind()));
  auto body = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    return combine(builder, loc, op.getKind(), arguments[0], arguments[1]);
  };
  lowering.set(op,
               reduction(lowering, op.getLoc(), {{input}}, shape, op.getDims(),
                         init, body),
               rest);
  return success();
}

/// True if `x` comes before the best so far: it is larger, or the first NaN.
static Value isBetter(OpBuilder &builder, Location loc, Value x, Value best) {
  Value larger =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UGT, x, best);
  Value ordered = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::ORD,
                                        best, best);
  return arith::AndIOp::create(builder, loc, larger, ordered);
}

/// One reduction carries the best element and its index.
LogicalResult lowerArgmax(ArgmaxOp op, Lowering &lowering) {
  OpBuilder &builder = lowering.builder;
  Location loc = op.getLoc();
  Value input = lowering.get(op.getInput());
  SymbolicShape shape = lowering.shape(op.getInput());
  unsigned rank = shape.size();
  SymbolicShape rows = shapeWithout(shape, {int64_t(rank) - 1});
  Value best = lowering.filled(
      loc, rows,
      number(builder, loc, elementType(input), neutral(ReduceKind::Max)));
  Value index =
      lowering.filled(loc, rows, number(builder, loc, builder.getI64Type(), 0));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators.back() = utils::IteratorType::reduction;
  AffineMap row = rowMap(op.getContext(), rank);
  auto body = [&](OpBuilder &inner, Location loc, ValueRange arguments) {
    Value better = isBetter(inner, loc, arguments[0], arguments[1]);
    Value column = arith::IndexCastOp::create(
        inner, loc, inner.getI64Type(),
        linalg::IndexOp::create(inner, loc, rank - 1));
    Value value =
        arith::SelectOp::create(inner, loc, better, arguments[0], arguments[1]);
    Value position =
        arith::SelectOp::create(inner, loc, better, column, arguments[2]);
    linalg::YieldOp::create(inner, loc, ValueRange{value, position});
  };
  auto generic = linalg::GenericOp::create(
      builder, loc, TypeRange{best.getType(), index.getType()}, input,
      ValueRange{best, index},
      ArrayRef<AffineMap>{builder.getMultiDimIdentityMap(rank), row, row},
      iterators, body);
  lowering.set(op, generic.getResult(1), rows);
  return success();
}

} // namespace blocks
