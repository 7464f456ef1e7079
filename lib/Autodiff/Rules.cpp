//===- Rules.cpp - Registers the reverse-mode rules -----------------------===//
#include "lib/Autodiff/Rules.h"

#include "dialects/Blocks/Blocks.h"

using namespace mlir;

namespace blocks {

void registerAutodiffRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, BlocksDialect *,
                            arith::ArithDialect *, math::MathDialect *,
                            tensor::TensorDialect *) {
    attachArithmeticRules(*context);
    attachFunctionRules(*context);
    attachTensorRules(*context);
    attachReductionRules(*context);
    attachMatmulRules(*context);
    attachSoftmaxRules(*context);
    attachConvolutionRules(*context);
  });
}

} // namespace blocks
