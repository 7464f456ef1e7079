//===- MatmulRules.cpp - Gradients of matrix products ---------------------===//
//
// The four cases of transposition, each one product without a copy.
//
//===----------------------------------------------------------------------===//
#include "lib/Autodiff/RuleModel.h"
#include "lib/Autodiff/Rules.h"

using namespace mlir;

namespace blocks {

/// a·b with flags, in the type of the operand whose gradient it is.
static Value product(RuleContext &c, Type type, Value a, bool transposeA,
                     Value b, bool transposeB) {
  return MatmulOp::create(c.builder, c.loc, type, a, b, transposeA, transposeB);
}

static void matmulRule(MatmulOp op, RuleContext &c) {
  Value a = op.getLhs(), b = op.getRhs(), g = c.gradient();
  bool ta = op.getTransposeLhs(), tb = op.getTransposeRhs();
  // C = A·B: dA = G·Bᵀ, dB = Aᵀ·G; of a transposed operand the transpose.
  c.set(0, ta ? product(c, a.getType(), b, tb, g, true)
              : product(c, a.getType(), g, false, b, !tb));
  c.set(1, tb ? product(c, b.getType(), g, true, a, ta)
              : product(c, b.getType(), a, !ta, g, false));
}

void attachMatmulRules(MLIRContext &context) {
  attach<MatmulOp, matmulRule>(context);
}

} // namespace blocks
