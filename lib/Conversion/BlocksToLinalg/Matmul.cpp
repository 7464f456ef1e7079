//===- Matmul.cpp - Products as linalg.matmul -----------------------------===//
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
  Value lhs = lowering.get(op.getLhs()), rhs = lowering.get(op.getRhs());
  SymbolicShape shape{lowering.shape(op.getLhs())[transposeLhs ? 1 : 0],
                      lowering.shape(op.getRhs())[transposeRhs ? 0 : 1]};
  Value init =
      lowering.filled(loc, shape, number(builder, loc, elementType(lhs), 0));
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

} // namespace blocks
