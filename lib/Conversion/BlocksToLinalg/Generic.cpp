//===- Generic.cpp - Short ways to write linalg.generic -------------------===//
#include "lib/Conversion/BlocksToLinalg/Generic.h"

using namespace mlir;

namespace blocks {

/// Builds the operation; `outMap` addresses `init`.
static Value makeGeneric(Lowering &lowering, Location loc,
                         ArrayRef<Operand> inputs, unsigned loops, Value init,
                         AffineMap outMap,
                         ArrayRef<utils::IteratorType> iterators,
                         GenericBody body) {
  OpBuilder &builder = lowering.builder;
  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
  for (const Operand &input : inputs) {
    tensors.push_back(input.tensor);
    maps.push_back(input.map ? input.map
                             : builder.getMultiDimIdentityMap(loops));
  }
  maps.push_back(outMap);
  auto build = [&](OpBuilder &inner, Location loc, ValueRange arguments) {
    linalg::YieldOp::create(inner, loc, body(inner, loc, arguments));
  };
  return linalg::GenericOp::create(builder, loc, init.getType(), tensors, init,
                                   maps, iterators, build)
      .getResult(0);
}

Value elementwise(Lowering &lowering, Location loc, ArrayRef<Operand> inputs,
                  const SymbolicShape &shape, Type element, GenericBody body) {
  unsigned rank = shape.size();
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  Value init = lowering.empty(loc, shape, element);
  return makeGeneric(lowering, loc, inputs, rank, init,
                     lowering.builder.getMultiDimIdentityMap(rank), iterators,
                     body);
}

Value reduction(Lowering &lowering, Location loc, ArrayRef<Operand> inputs,
                const SymbolicShape &shape, ArrayRef<int64_t> dims, Value init,
                GenericBody body) {
  unsigned rank = shape.size();
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  for (int64_t d : dims)
    iterators[d] = utils::IteratorType::reduction;
  Value filled = lowering.filled(loc, shapeWithout(shape, dims), init);
  return makeGeneric(lowering, loc, inputs, rank, filled,
                     mapWithout(init.getContext(), rank, dims), iterators,
                     body);
}

AffineMap mapWithout(MLIRContext *context, unsigned rank,
                     ArrayRef<int64_t> dims) {
  SmallVector<AffineExpr> exprs;
  for (unsigned i = 0; i < rank; ++i)
    if (!llvm::is_contained(dims, int64_t(i)))
      exprs.push_back(getAffineDimExpr(i, context));
  return AffineMap::get(rank, 0, exprs, context);
}

AffineMap rowMap(MLIRContext *context, unsigned rank) {
  return mapWithout(context, rank, {int64_t(rank) - 1});
}

SymbolicShape shapeWithout(const SymbolicShape &shape, ArrayRef<int64_t> dims) {
  SymbolicShape rest;
  for (auto [i, extent] : llvm::enumerate(shape))
    if (!llvm::is_contained(dims, int64_t(i)))
      rest.push_back(extent);
  return rest;
}

Value number(OpBuilder &builder, Location loc, Type type, double value) {
  TypedAttr attr =
      isa<FloatType>(type)
          ? TypedAttr(builder.getFloatAttr(type, value))
          : TypedAttr(builder.getIntegerAttr(type, int64_t(value)));
  return arith::ConstantOp::create(builder, loc, attr);
}

Value sum(OpBuilder &builder, Location loc, Value a, Value b) {
  return arith::AddFOp::create(builder, loc, a, b,
                               arith::FastMathFlags::reassoc);
}

} // namespace blocks
