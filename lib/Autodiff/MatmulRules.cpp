//===- MatmulRules.cpp - Gradients of matrix products ---------------------===//
//
// The four cases of transposition, each one product without a copy.
//
//===----------------------------------------------------------------------===//
#include "lib/Autodiff/RuleModel.h"
#include "lib/Autodiff/Rules.h"

using namespace mlir;

namespace blocks {

/// Of one product or of a stack of them.
template <typename Op> static void productRule(Op op, RuleContext &c) {
  Value a = op.getLhs(), b = op.getRhs(), g = c.gradient();
  bool ta = op.getTransposeLhs(), tb = op.getTransposeRhs();
  // In the type of the operand whose gradient it is.
  auto product = [&](Value like, Value x, bool tx, Value y, bool ty) {
    return Op::create(c.builder, c.loc, like.getType(), x, y, tx, ty);
  };
  // C = A·B: dA = G·Bᵀ, dB = Aᵀ·G; of a transposed operand the transpose.
  c.set(0, ta ? product(a, b, tb, g, true) : product(a, g, false, b, !tb));
  c.set(1, tb ? product(b, g, true, a, ta) : product(b, a, !ta, g, false));
}

void attachMatmulRules(MLIRContext &context) {
  attach<MatmulOp, productRule<MatmulOp>>(context);
  attach<BatchMatmulOp, productRule<BatchMatmulOp>>(context);
}

} // namespace blocks
