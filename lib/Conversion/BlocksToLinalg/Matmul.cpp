//===- Matmul.cpp - Products as linalg.matmul and linalg.batch_matmul -----===//
//
// Transposes are indexing maps, so that a product is one library call. The
// destination is filled with zero, which the target turns into beta = 0.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Generic.h"

using namespace mlir;

namespace blocks {

/// Maps of the loops (row, column, contracted) to the three matrices.
static ArrayAttr productMaps(Builder &builder, bool transposeLhs,
                             bool transposeRhs) {
  AffineExpr m = builder.getAffineDimExpr(0), n = builder.getAffineDimExpr(1),
             k = builder.getAffineDimExpr(2);
  auto matrix = [&](AffineExpr row, AffineExpr column, bool transpose) {
    if (transpose)
      std::swap(row, column);
    return AffineMap::get(3, 0, {row, column}, builder.getContext());
  };
  return builder.getAffineMapArrayAttr({matrix(m, k, transposeLhs),
                                        matrix(k, n, transposeRhs),
                                        matrix(m, n, false)});
}

LogicalResult lowerMatmul(MatmulOp op, Lowering &lowering) {
  bool transposeLhs = op.getTransposeLhs(), transposeRhs = op.getTransposeRhs();
  if (failed(requireEqualAxes(op, lowering, op.getLhs(), transposeLhs ? 0 : 1,
                              op.getRhs(), transposeRhs ? 1 : 0)))
    return failure();
  OpBuilder &builder = lowering.builder;
  Location loc = op.getLoc();
  Value lhs = getOperand(lowering, op, op.getLhs(), /*mayBeStored=*/true),
        rhs = getOperand(lowering, op, op.getRhs(), /*mayBeStored=*/true);
  SymbolicShape shape{lowering.shape(op.getLhs())[transposeLhs ? 1 : 0],
                      lowering.shape(op.getRhs())[transposeRhs ? 0 : 1]};
  Value init = lowering.filled(
      loc, shape, number(builder, loc, elementType(op.getResult()), 0));
  SmallVector<NamedAttribute> attributes;
  if (transposeLhs || transposeRhs)
    attributes.push_back(builder.getNamedAttr(
        "indexing_maps", productMaps(builder, transposeLhs, transposeRhs)));
  auto product = linalg::MatmulOp::create(builder, loc, init.getType(),
                                          ValueRange{lhs, rhs},
                                          ValueRange{init}, attributes);
  lowering.set(op, product.getResult(0), shape);
  return success();
}

/// Maps of the loops (batch, row, column, contracted) to the three stacks.
static ArrayAttr stackMaps(Builder &builder, bool transposeLhs,
                           bool transposeRhs) {
  AffineExpr b = builder.getAffineDimExpr(0), m = builder.getAffineDimExpr(1),
             n = builder.getAffineDimExpr(2), k = builder.getAffineDimExpr(3);
  auto stack = [&](AffineExpr row, AffineExpr column, bool transpose) {
    if (transpose)
      std::swap(row, column);
    return AffineMap::get(4, 0, {b, row, column}, builder.getContext());
  };
  return builder.getAffineMapArrayAttr({stack(m, k, transposeLhs),
                                        stack(k, n, transposeRhs),
                                        stack(m, n, false)});
}

/// The leading axes merged into one.
static Value merged(Lowering &lowering, Location loc, Value stack,
                    const SymbolicShape &shape) {
  unsigned leading = shape.size() - 2;
  if (leading == 1)
    return stack;
  SymbolicShape flat{volume({shape.begin(), shape.end() - 2}), shape[leading],
                     shape[leading + 1]};
  SmallVector<ReassociationIndices> groups{
      llvm::to_vector(llvm::seq<int64_t>(0, leading)),
      {int64_t(leading)},
      {int64_t(leading + 1)}};
  return tensor::CollapseShapeOp::create(lowering.builder, loc,
                                         tensorType(flat, elementType(stack)),
                                         stack, groups);
}

/// merged() undone, to the shape `shape`.
static Value split(Lowering &lowering, Location loc, Value stack,
                   const SymbolicShape &shape) {
  unsigned leading = shape.size() - 2;
  if (leading == 1)
    return stack;
  SmallVector<ReassociationIndices> groups{
      llvm::to_vector(llvm::seq<int64_t>(0, leading)),
      {int64_t(leading)},
      {int64_t(leading + 1)}};
  return tensor::ExpandShapeOp::create(
      lowering.builder, loc, tensorType(shape, elementType(stack)), stack,
      groups, lowering.axes.fold(shape));
}

namespace {

/// A stack of products of which one extent is 1, over the loops (position, i,
/// j): a sum of products for each element, or, where the contracted extent is
/// 1, one product. Loops fuse with their neighbours, and there is nothing to
/// pack for a product of vectors.
class VectorProducts {
public:
  VectorProducts(Lowering &lowering, Location loc, const SymbolicShape &shape)
      : lowering(lowering), loc(loc), shape(shape) {}

  /// Of each matrix's rows or columns with the vector of its position.
  Value sumOver(Value vectors, Value matrices, bool contractsLast) {
    // Loops (position, free, contracted).
    auto body = [](OpBuilder &builder, Location loc, ValueRange arguments) {
      Value product =
          arith::MulFOp::create(builder, loc, arguments[0], arguments[1]);
      return sum(builder, loc, product, arguments[2]);
    };
    Value zero = number(lowering.builder, loc, elementType(vectors), 0);
    return reduction(
        lowering, loc,
        {{vectors, map({0, 2})},
         {matrices, contractsLast ? map({0, 1, 2}) : map({0, 2, 1})}},
        shape, {2}, zero, body);
  }

  Value outer(Value a, Value b) {
    auto body = [](OpBuilder &builder, Location loc, ValueRange arguments) {
      return arith::MulFOp::create(builder, loc, arguments[0], arguments[1])
          .getResult();
    };
    return elementwise(lowering, loc, {{a, map({0, 1})}, {b, map({0, 2})}},
                       shape, elementType(a), body);
  }

private:
  AffineMap map(ArrayRef<unsigned> loops) {
    SmallVector<AffineExpr> exprs;
    for (unsigned loop : loops)
      exprs.push_back(lowering.builder.getAffineDimExpr(loop));
    return AffineMap::get(3, 0, exprs, lowering.builder.getContext());
  }

  Lowering &lowering;
  Location loc;
  SymbolicShape shape; ///< Of the three loops.
};

} // namespace

/// How [p, 1, n] (`unit` is 1) or [p, n, 1] (2) is [p, n]: in the way of the
/// bricks, so that a unit axis that one of them makes goes away.
static SmallVector<ReassociationIndices> unitGroups(unsigned unit) {
  if (unit == 1)
    return {{0, 1}, {2}};
  return {{0}, {1, 2}};
}

static Value withoutUnit(Lowering &lowering, Location loc, Value stack,
                         unsigned unit, const SymbolicShape &flat) {
  return tensor::CollapseShapeOp::create(lowering.builder, loc,
                                         tensorType(flat, elementType(stack)),
                                         stack, unitGroups(unit));
}

/// The product of stacks [p, …] where one of m, n, k is 1, as [p, m, n]; null
/// where none is.
static Value vectorProduct(Lowering &lowering, Location loc, Value a, Value b,
                           const SymbolicShape &result, const Extent &k,
                           bool transposeLhs, bool transposeRhs) {
  const Extent p = result[0], m = result[1], n = result[2], one(1);
  unsigned rowsOfA = transposeLhs ? 2 : 1, rowsOfB = transposeRhs ? 2 : 1;
  if (k == one)
    return VectorProducts(lowering, loc, {p, m, n})
        .outer(withoutUnit(lowering, loc, a, 3 - rowsOfA, {p, m}),
               withoutUnit(lowering, loc, b, rowsOfB, {p, n}));
  Value flat;
  if (m == one)
    flat = VectorProducts(lowering, loc, {p, n, k})
               .sumOver(withoutUnit(lowering, loc, a, rowsOfA, {p, k}), b,
                        transposeRhs);
  else if (n == one)
    flat = VectorProducts(lowering, loc, {p, m, k})
               .sumOver(withoutUnit(lowering, loc, b, 3 - rowsOfB, {p, k}), a,
                        !transposeLhs);
  else
    return {};
  return tensor::ExpandShapeOp::create(
      lowering.builder, loc, tensorType(result, elementType(flat)), flat,
      unitGroups(m == one ? 1 : 2), lowering.axes.fold(result));
}

/// True if one of m, n and k is 1.
static bool hasUnitExtent(ArrayRef<Extent> left, ArrayRef<Extent> right,
                          bool transposeRhs) {
  return llvm::is_contained(left.take_back(2), Extent(1)) ||
         right[right.size() - (transposeRhs ? 2 : 1)] == Extent(1);
}

LogicalResult lowerBatchMatmul(BatchMatmulOp op, Lowering &lowering) {
  bool transposeLhs = op.getTransposeLhs(), transposeRhs = op.getTransposeRhs();
  const SymbolicShape left = lowering.shape(op.getLhs()),
                      right = lowering.shape(op.getRhs());
  unsigned rank = left.size(), row = rank - 2, column = rank - 1;
  for (unsigned axis = 0; axis < row; ++axis)
    if (failed(requireEqualAxes(op, lowering, op.getLhs(), axis, op.getRhs(),
                                axis)))
      return failure();
  if (failed(requireEqualAxes(op, lowering, op.getLhs(),
                              transposeLhs ? row : column, op.getRhs(),
                              transposeRhs ? column : row)))
    return failure();
  OpBuilder &builder = lowering.builder;
  Location loc = op.getLoc();
  SymbolicShape shape = left;
  shape[row] = left[transposeLhs ? column : row];
  shape[column] = right[transposeRhs ? row : column];
  bool isProduct = !hasUnitExtent(left, right, transposeRhs);
  Value a = merged(lowering, loc,
                   getOperand(lowering, op, op.getLhs(), isProduct), left);
  Value b = merged(lowering, loc,
                   getOperand(lowering, op, op.getRhs(), isProduct), right);
  SymbolicShape flat{volume({shape.begin(), shape.end() - 2}), shape[row],
                     shape[column]};
  if (Value product = vectorProduct(lowering, loc, a, b, flat,
                                    left[transposeLhs ? row : column],
                                    transposeLhs, transposeRhs)) {
    lowering.set(op, split(lowering, loc, product, shape), shape);
    return success();
  }
  Value init = lowering.filled(
      loc, flat, number(builder, loc, elementType(op.getResult()), 0));
  SmallVector<NamedAttribute> attributes;
  if (transposeLhs || transposeRhs)
    attributes.push_back(builder.getNamedAttr(
        "indexing_maps", stackMaps(builder, transposeLhs, transposeRhs)));
  auto product = linalg::BatchMatmulOp::create(builder, loc, init.getType(),
                                               ValueRange{a, b},
                                               ValueRange{init}, attributes);
  lowering.set(op, split(lowering, loc, product.getResult(0), shape), shape);
  return success();
}

} // namespace blocks
