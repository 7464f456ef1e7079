//===- RuleModel.h - A rule is a function ---------------------------------===//
//
// Turns a plain function into an external model of DifferentiableOpInterface.
// A rule gets the operation, a RuleContext with the results' gradients, and
// gives the operands theirs by `set`; what it does not set gets none.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_AUTODIFF_RULEMODEL_H
#define LIB_AUTODIFF_RULEMODEL_H

#include "lib/Autodiff/Expressions.h"

namespace blocks {

/// What a rule sees and fills in.
class RuleContext : public Expressions {
public:
  RuleContext(mlir::OpBuilder &builder, mlir::Operation *op,
              llvm::ArrayRef<mlir::Value> resultGradients,
              llvm::MutableArrayRef<mlir::Value> operandGradients)
      : Expressions(builder, op->getLoc()), builder(builder), loc(op->getLoc()),
        resultGradients(resultGradients), operandGradients(operandGradients) {}

  mlir::OpBuilder &builder;
  mlir::Location loc;

  /// The gradient of result `i`; null where none flows.
  mlir::Value gradient(unsigned i = 0) const { return resultGradients[i]; }
  /// Gives operand `i` its gradient.
  void set(unsigned i, mlir::Value gradient) { operandGradients[i] = gradient; }

private:
  llvm::ArrayRef<mlir::Value> resultGradients;
  llvm::MutableArrayRef<mlir::Value> operandGradients;
};

/// By default a rule covers every form of its operation.
template <typename Op> bool coversAll(Op) { return true; }

template <typename Op, void (*rule)(Op, RuleContext &), bool (*covers)(Op)>
struct RuleModel
    : DifferentiableOpInterface::ExternalModel<RuleModel<Op, rule, covers>,
                                               Op> {
  void
  buildGradients(mlir::Operation *op, mlir::OpBuilder &builder,
                 llvm::ArrayRef<mlir::Value> resultGradients,
                 llvm::SmallVectorImpl<mlir::Value> &operandGradients) const {
    operandGradients.assign(op->getNumOperands(), mlir::Value());
    RuleContext context(builder, op, resultGradients, operandGradients);
    rule(mlir::cast<Op>(op), context);
  }
  bool hasGradient(mlir::Operation *op) const {
    return covers(mlir::cast<Op>(op));
  }
};

/// attach<arith::AddFOp, addRule>(context)
template <typename Op, void (*rule)(Op, RuleContext &),
          bool (*covers)(Op) = coversAll<Op>>
void attach(mlir::MLIRContext &context) {
  Op::template attachInterface<RuleModel<Op, rule, covers>>(context);
}

} // namespace blocks

#endif
