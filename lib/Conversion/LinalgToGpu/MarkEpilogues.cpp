// blocks-mark-epilogues: which operations behind a product the product itself
// can do before it writes, since cuBLASLt has them as epilogues: a bias that is
// added to each row, a rectifier, or both. Stands before blocks-form-launches,
// which gives the runtime both in one call. The operation stays where it is: to
// everyone else the mark means nothing.
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToGpu/DeviceProduct.h"
#include "lib/Conversion/LinalgToGpu/Passes.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/IR/Matchers.h>

using namespace mlir;

namespace blocks {
#define GEN_PASS_DEF_MARKEPILOGUES
#include "lib/Conversion/LinalgToGpu/Passes.h.inc"

namespace {

/// What stands between a product and its epilogue may only compute places.
Operation *getNextWork(Operation *op) {
  do
    op = op->getNextNode();
  while (op && isPure(op));
  return op;
}

bool isZero(Value value) { return matchPattern(value, m_AnyZeroFloat()); }

/// The number that `value` is but for negative ones, which are 0; NaN must stay
/// (x > 0 or unordered). Null for anything else.
Value getRectified(Value value) {
  if (auto maximum = value.getDefiningOp<arith::MaximumFOp>()) {
    if (isZero(maximum.getRhs()))
      return maximum.getLhs();
    return isZero(maximum.getLhs()) ? maximum.getRhs() : Value();
  }
  auto select = value.getDefiningOp<arith::SelectOp>();
  if (!select || !isZero(select.getFalseValue()))
    return {};
  auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>();
  Value number = select.getTrueValue();
  return compare && compare.getPredicate() == arith::CmpFPredicate::UGT &&
                 compare.getLhs() == number && isZero(compare.getRhs())
             ? number
             : Value();
}

class EpilogueMatch {
public:
  EpilogueMatch(linalg::MatmulOp product, linalg::GenericOp next)
      : product(product), next(next) {}

  bool matches() { return isInPlace() && hasBody() && hasBias(); }

private:
  /// It rewrites each element of the product, in the same dispatch.
  bool isInPlace() {
    return product->getAttr(kDispatchAttr) == next->getAttr(kDispatchAttr) &&
           next.getNumLoops() == 2 && next.getNumReductionLoops() == 0 &&
           next.getNumDpsInits() == 1 && next.getNumDpsInputs() <= 1 &&
           next.getDpsInits()[0] == product.getDpsInits()[0] &&
           next.getIndexingMapsArray().back().isIdentity();
  }

  bool hasBody() {
    Block *body = next.getBody();
    Value result = body->getTerminator()->getOperand(0);
    Value old = body->getArguments().back();
    Value rectified = getRectified(result);
    Value sum = rectified ? rectified : result;
    if (next.getNumDpsInputs() == 0)
      return rectified && sum == old;
    auto add = sum.getDefiningOp<arith::AddFOp>();
    Value bias = body->getArgument(0);
    return add && ((add.getLhs() == old && add.getRhs() == bias) ||
                   (add.getLhs() == bias && add.getRhs() == old));
  }

  /// One number for each column, side by side, which the product leaves alone.
  bool hasBias() {
    if (next.getNumDpsInputs() == 0)
      return true;
    Value bias = next.getDpsInputs()[0];
    auto type = dyn_cast<MemRefType>(bias.getType());
    AffineMap map = next.getIndexingMapsArray().front();
    if (!type || type.getRank() != 1 || !type.getElementType().isF32() ||
        map.getNumResults() != 1 || map.getDimPosition(0) != 1)
      return false;
    SmallVector<int64_t> strides;
    int64_t offset;
    return succeeded(type.getStridesAndOffset(strides, offset)) &&
           strides[0] == 1 &&
           !conflict(getAccesses(product), {{bias, true, false}});
  }

  linalg::MatmulOp product;
  linalg::GenericOp next;
};

class MarkEpilogues : public impl::MarkEpiloguesBase<MarkEpilogues> {
public:
  void runOnOperation() override {
    getOperation().walk([](linalg::MatmulOp product) {
      auto next = dyn_cast_or_null<linalg::GenericOp>(getNextWork(product));
      if (next && next.hasPureBufferSemantics() && isProduct(product) &&
          getElementTypeOrSelf(product.getDpsInits()[0]).isF32() &&
          EpilogueMatch(product, next).matches())
        next->setAttr(kEpilogueAttr, UnitAttr::get(product.getContext()));
    });
  }
};

} // namespace

ProductEpilogue getEpilogue(linalg::GenericOp op) {
  ProductEpilogue epilogue;
  if (op.getNumDpsInputs() == 1)
    epilogue.bias = op.getDpsInputs()[0];
  epilogue.rectifies =
      bool(getRectified(op.getBody()->getTerminator()->getOperand(0)));
  return epilogue;
}

} // namespace blocks
