// A recurrent weight that every step of a loop multiplies by transposed is
// transposed once, before the loop: else each step's product would pack it
// again, which takes as long as the product of a small batch. A weight beyond
// the second cache stays as it is: packing reads it in order, and the product
// would not.
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToCpu/Prepare.h"

#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

using namespace mlir;

namespace blocks {

namespace {

/// Elements that two threads' second caches hold half of each.
constexpr int64_t kMostElements = 1 << 19;

/// True if the second operand is addressed by (n, k) instead of (k, n).
bool takesTransposed(linalg::MatmulOp product) {
  AffineMap map = product.getIndexingMapsArray()[1];
  return map.getResult(0) == getAffineDimExpr(1, product.getContext());
}

/// True if something in the loop may write the buffer of `view`.
bool isWrittenIn(scf::ForOp loop, Value view) {
  return llvm::any_of(getAccesses(loop), [&](const Access &access) {
    return access.writes && getBuffer(access.view) == getBuffer(view);
  });
}

/// `matrix` with its dimensions exchanged, in memory of its own.
Value createTransposed(OpBuilder &builder, Location loc, Value matrix) {
  auto type = cast<MemRefType>(matrix.getType());
  Value result = memref::AllocOp::create(
      builder, loc,
      MemRefType::get({type.getDimSize(1), type.getDimSize(0)},
                      type.getElementType()),
      ValueRange{}, builder.getI64IntegerAttr(64));
  AffineMap straight = builder.getMultiDimIdentityMap(2);
  AffineMap exchanged =
      AffineMap::getPermutationMap(ArrayRef<int64_t>{1, 0}, loc.getContext());
  linalg::GenericOp::create(
      builder, loc, matrix, result, ArrayRef<AffineMap>{exchanged, straight},
      SmallVector<utils::IteratorType>(2, utils::IteratorType::parallel),
      [](OpBuilder &inner, Location at, ValueRange values) {
        linalg::YieldOp::create(inner, at, values[0]);
      });
  return result;
}

} // namespace

void hoistTransposes(scf::ForOp loop) {
  llvm::MapVector<Value, SmallVector<linalg::MatmulOp>> products;
  for (auto product : loop.getBody()->getOps<linalg::MatmulOp>()) {
    Value matrix = product->getOperand(1);
    auto type = cast<MemRefType>(matrix.getType());
    if (isProduct(product) && takesTransposed(product) &&
        type.hasStaticShape() && type.getNumElements() <= kMostElements &&
        loop.isDefinedOutsideOfLoop(matrix) && !isWrittenIn(loop, matrix))
      products[matrix].push_back(product);
  }
  OpBuilder builder(loop);
  for (auto &[matrix, users] : products) {
    Value transposed = createTransposed(builder, loop.getLoc(), matrix);
    for (linalg::MatmulOp product : users) {
      product->setOperand(1, transposed);
      SmallVector<AffineMap> maps = product.getIndexingMapsArray();
      maps[1] = AffineMap::get(
          3, 0, {builder.getAffineDimExpr(2), builder.getAffineDimExpr(1)},
          builder.getContext());
      product.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
    }
  }
}

} // namespace blocks
