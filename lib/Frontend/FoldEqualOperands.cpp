//===- FoldEqualOperands.cpp - x xor x, and comparisons of x with x -------===//
//
// Upstream's folders turn these into a constant of the result's type, also
// where the type has a dynamic extent: a constant without a shape, which
// nothing can lower. This pass writes the constant in the shape of x, and
// stands before the first canonicalization.
//
//===----------------------------------------------------------------------===//
#include "dialects/Blocks/Blocks.h"
#include "lib/Frontend/Passes.h"

using namespace mlir;

namespace blocks {

#define GEN_PASS_DEF_FOLDEQUALOPERANDS
#include "lib/Frontend/Passes.h.inc"

/// What `op` computes wherever its two operands are equal; null if that is not
/// one number.
static IntegerAttr valueOfEqual(Operation *op, Type element) {
  if (isa<arith::XOrIOp>(op))
    return IntegerAttr::get(element, 0);
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare)
    return {};
  APInt zero(64, 0);
  return IntegerAttr::get(
      element, arith::applyCmpPredicate(compare.getPredicate(), zero, zero));
}

static void foldEqualOperands(Operation *op) {
  auto type = op->getNumResults() == 1
                  ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                  : RankedTensorType();
  if (!type || type.hasStaticShape() || op->getNumOperands() != 2 ||
      op->getOperand(0) != op->getOperand(1))
    return;
  IntegerAttr value = valueOfEqual(op, type.getElementType());
  if (!value)
    return;
  OpBuilder builder(op);
  auto single = RankedTensorType::get({}, type.getElementType());
  Value constant = arith::ConstantOp::create(
      builder, op->getLoc(), DenseElementsAttr::get(single, Attribute(value)));
  Value everywhere = BroadcastOp::create(
      builder, op->getLoc(), constant, op->getOperand(0), ArrayRef<int64_t>());
  op->getResult(0).replaceAllUsesWith(everywhere);
  op->erase();
}

namespace {
class FoldEqualOperandsPass
    : public impl::FoldEqualOperandsBase<FoldEqualOperandsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation().walk([&](Operation *op) {
      if (isa<arith::XOrIOp, arith::CmpIOp>(op))
        found.push_back(op);
    });
    for (Operation *op : found)
      foldEqualOperands(op);
  }
};
} // namespace

} // namespace blocks
