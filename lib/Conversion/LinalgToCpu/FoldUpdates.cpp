// W := W - s·(A·B) becomes W := W + A·(-s·B), which the runtime's gemm adds in
// place: the gradient of a weight under plain gradient descent is never stored.
// B has the size of a batch, W that of a layer. Part of preparing for
// dispatches; the scaled factor joins the dispatch of whatever made B.
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToCpu/Extents.h"
#include "lib/Conversion/LinalgToCpu/Prepare.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>

using namespace mlir;

namespace blocks {
namespace {

/// The parts of W := W - scale·gradient.
struct ScaledUpdate {
  linalg::GenericOp op;
  OpOperand *scale = nullptr, *gradient = nullptr;
  Value weight;
};

/// True if the body is: out - a·b, with a and b the two inputs.
bool subtractsProduct(linalg::GenericOp op) {
  Block *body = op.getBody();
  auto difference =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::SubFOp>();
  if (!difference || difference.getLhs() != body->getArgument(2))
    return false;
  auto product = difference.getRhs().getDefiningOp<arith::MulFOp>();
  Value a = body->getArgument(0), b = body->getArgument(1);
  return product && ((product.getLhs() == a && product.getRhs() == b) ||
                     (product.getLhs() == b && product.getRhs() == a));
}

std::optional<ScaledUpdate> matchUpdate(linalg::GenericOp op) {
  if (op.getNumLoops() != 2 || op.getNumReductionLoops() != 0 ||
      op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
      !subtractsProduct(op))
    return std::nullopt;
  ScaledUpdate update{op};
  update.weight = op.getDpsInitOperand(0)->get();
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    (map.isIdentity() ? update.gradient : update.scale) = input;
    if (!map.isIdentity() && map.getNumResults() != 0)
      return std::nullopt;
  }
  if (!update.gradient || !update.scale)
    return std::nullopt;
  return update;
}

/// The product whose only use is this update's gradient, if it can as well run
/// where it stands with the weight as its result.
linalg::MatmulOp findProduct(const ScaledUpdate &update) {
  auto alloc = update.gradient->get().getDefiningOp<memref::AllocOp>();
  if (!alloc || std::distance(alloc->use_begin(), alloc->use_end()) != 2)
    return {};
  linalg::MatmulOp product;
  for (Operation *user : alloc->getUsers())
    if (user != update.op)
      product = dyn_cast<linalg::MatmulOp>(user);
  // The scaled factor would not be a number of bf16 any more.
  if (!product || !isProduct(product) || !product->hasAttr(kOverwriteAttr) ||
      getElementTypeOrSelf(product.getOperand(1).getType()) !=
          getElementTypeOrSelf(update.weight.getType()) ||
      product.getOperand(2) != alloc.getResult() ||
      product->getBlock() != update.op->getBlock())
    return {};
  SmallVector<Access> moved{{update.weight, true, true},
                            {update.scale->get(), true, false}};
  if (conflict(getAccesses(product), moved))
    return {};
  for (Operation *between = product->getNextNode(); between != update.op;
       between = between->getNextNode())
    if (!between || conflict(getAccesses(between), moved))
      return {};
  return product;
}

/// A new buffer with -scale·factor.
Value createScaled(linalg::MatmulOp product, const ScaledUpdate &update,
                   Extents &extents) {
  Value factor = product.getOperand(1);
  auto type = cast<MemRefType>(factor.getType());
  OpBuilder builder(product);
  Location loc = product.getLoc();
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(cast<Value>(extents.get(factor, dim)));
  auto plain = MemRefType::get(type.getShape(), type.getElementType());
  Value scaled = memref::AllocOp::create(builder, loc, plain, sizes,
                                         builder.getI64IntegerAttr(64));
  AffineMap identity = builder.getMultiDimIdentityMap(2);
  AffineMap none = AffineMap::get(2, 0, builder.getContext());
  linalg::GenericOp::create(
      builder, loc, ValueRange{factor, update.scale->get()}, scaled,
      ArrayRef<AffineMap>{identity, none, identity},
      SmallVector<utils::IteratorType>(2, utils::IteratorType::parallel),
      [](OpBuilder &inner, Location at, ValueRange values) {
        Value product = arith::MulFOp::create(inner, at, values[1], values[0]);
        Value negative = arith::NegFOp::create(inner, at, product);
        linalg::YieldOp::create(inner, at, negative);
      });
  return scaled;
}

} // namespace

void foldUpdate(linalg::GenericOp op, Extents &extents) {
  std::optional<ScaledUpdate> update = matchUpdate(op);
  if (!update)
    return;
  linalg::MatmulOp product = findProduct(*update);
  if (!product)
    return;
  Value scaled = createScaled(product, *update, extents);
  Operation *alloc = update->gradient->get().getDefiningOp();
  product->setOperand(1, scaled);
  product->setOperand(2, update->weight);
  product->removeAttr(kOverwriteAttr);
  op.erase();
  alloc->erase();
}

} // namespace blocks
