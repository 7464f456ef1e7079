//===- Rules.h - Registers the reverse-mode rules -------------------------===//
//
// Each operation that gradients pass through has a rule, an external model of
// DifferentiableOpInterface, in the file of its family.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_AUTODIFF_RULES_H
#define LIB_AUTODIFF_RULES_H

#include <mlir/IR/DialectRegistry.h>

namespace blocks {

/// Attaches the rules of all families when their dialects are loaded.
void registerAutodiffRules(mlir::DialectRegistry &registry);

/// One family each; the dialects must be loaded.
void attachArithmeticRules(mlir::MLIRContext &context);
void attachFunctionRules(mlir::MLIRContext &context);
void attachTensorRules(mlir::MLIRContext &context);
void attachReductionRules(mlir::MLIRContext &context);
void attachMatmulRules(mlir::MLIRContext &context);
void attachSoftmaxRules(mlir::MLIRContext &context);
void attachConvolutionRules(mlir::MLIRContext &context);

} // namespace blocks

#endif
