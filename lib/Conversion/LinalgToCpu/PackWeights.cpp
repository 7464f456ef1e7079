// A recurrent weight that every step of a loop multiplies by is packed once,
// before the loop, into the order in which the runtime's products read it. Else
// each step's product reads it in rows of a panel's width, which the processor
// does not foresee, or packs it again, which takes as long as the product of a
// small batch.
//
// The packed copy is a matrix of the same sizes for everything that asks what
// reads and writes what; only its rows are further apart, so that there is room
// for whole panels. The copy and its products bear an attribute, and become
// calls that know the layout. Relies on such a copy being read by those
// products alone.
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToCpu/Prepare.h"

#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

using namespace mlir;

namespace blocks {

namespace {

/// Columns are padded to this: whole panels at any CPU level (see StepABI.h).
constexpr int64_t kPanel = 32;
/// A smaller matrix that is not transposed stays in the second cache as it is:
/// packed it makes no step of the language models faster (0.99 to 1.01 times).
constexpr int64_t kFewestElements = 1 << 19;

/// True if something in the loop may write the buffer of `view`.
bool isWrittenIn(scf::ForOp loop, Value view) {
  return llvm::any_of(getAccesses(loop), [&](const Access &access) {
    return access.writes && getBuffer(access.view) == getBuffer(view);
  });
}

bool isInvariant(scf::ForOp loop, Value matrix) {
  return loop.isDefinedOutsideOfLoop(matrix) && !isWrittenIn(loop, matrix);
}

/// The outermost loop around `loop` in which the matrix does not change.
scf::ForOp getOutermost(scf::ForOp loop, Value matrix) {
  auto outer = dyn_cast<scf::ForOp>(loop->getParentOp());
  while (outer && isInvariant(outer, matrix)) {
    loop = outer;
    outer = dyn_cast<scf::ForOp>(loop->getParentOp());
  }
  return loop;
}

/// The second operand's loops, (k, n) or (n, k).
AffineMap getRightMap(linalg::MatmulOp product) {
  return product.getIndexingMapsArray()[1];
}

bool takesTransposed(linalg::MatmulOp product) {
  return getRightMap(product).getResult(0) ==
         getAffineDimExpr(1, product.getContext());
}

bool isWorthPacking(linalg::MatmulOp product) {
  auto type = cast<MemRefType>(product->getOperand(1).getType());
  return isProduct(product) && type.hasStaticShape() &&
         (takesTransposed(product) || type.getNumElements() >= kFewestElements);
}

/// Room for `depth` by `columns` elements, and for the rest of the last panel.
Value createRoom(OpBuilder &builder, Location loc, int64_t depth,
                 int64_t columns, Type element) {
  int64_t padded = llvm::alignTo(columns, kPanel);
  Value room = memref::AllocOp::create(
      builder, loc, MemRefType::get({depth, padded}, element), ValueRange{},
      builder.getI64IntegerAttr(64));
  auto pair = [&](int64_t a, int64_t b) {
    return SmallVector<OpFoldResult>{builder.getIndexAttr(a),
                                     builder.getIndexAttr(b)};
  };
  return memref::SubViewOp::create(builder, loc, room, pair(0, 0),
                                   pair(depth, columns), pair(1, 1));
}

/// The copy that packs `matrix`, given as (k, n) or transposed as (n, k).
Value createPacked(OpBuilder &builder, Location loc, Value matrix,
                   bool isTransposed) {
  auto type = cast<MemRefType>(matrix.getType());
  Value packed =
      createRoom(builder, loc, type.getDimSize(isTransposed),
                 type.getDimSize(!isTransposed), type.getElementType());
  AffineMap straight = builder.getMultiDimIdentityMap(2);
  AffineMap exchanged =
      AffineMap::getPermutationMap(ArrayRef<int64_t>{1, 0}, loc.getContext());
  auto copy = linalg::GenericOp::create(
      builder, loc, matrix, packed,
      ArrayRef<AffineMap>{isTransposed ? exchanged : straight, straight},
      SmallVector<utils::IteratorType>(2, utils::IteratorType::parallel),
      [](OpBuilder &inner, Location at, ValueRange values) {
        linalg::YieldOp::create(inner, at, values[0]);
      });
  copy->setAttr(kPackedAttr, builder.getUnitAttr());
  return packed;
}

void takePacked(linalg::MatmulOp product, Value packed) {
  Builder builder(product.getContext());
  product->setOperand(1, packed);
  SmallVector<AffineMap> maps = product.getIndexingMapsArray();
  maps[1] = AffineMap::get(
      3, 0, {builder.getAffineDimExpr(2), builder.getAffineDimExpr(1)},
      builder.getContext());
  product.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
  product->setAttr(kPackedAttr, builder.getUnitAttr());
}

} // namespace

void packWeights(scf::ForOp loop) {
  llvm::MapVector<std::pair<Value, unsigned>, SmallVector<linalg::MatmulOp>>
      products;
  for (auto product : loop.getBody()->getOps<linalg::MatmulOp>()) {
    Value matrix = product->getOperand(1);
    if (!product->hasAttr(kPackedAttr) && isWorthPacking(product) &&
        isInvariant(loop, matrix))
      products[{matrix, unsigned(takesTransposed(product))}].push_back(product);
  }
  for (auto &[operand, users] : products) {
    auto [matrix, isTransposed] = operand;
    OpBuilder builder(getOutermost(loop, matrix));
    Value packed =
        createPacked(builder, loop.getLoc(), matrix, isTransposed != 0);
    for (linalg::MatmulOp product : users)
      takePacked(product, packed);
  }
}

} // namespace blocks
