//===- Interfaces.td - What passes ask of an operation --------------------===//
#ifndef DIALECTS_BLOCKS_INTERFACES_TD
#define DIALECTS_BLOCKS_INTERFACES_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"

def Blocks_DifferentiableInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::blocks";
  let description = [{
    A tensor operation with a vector-Jacobian product (reverse-mode rule).
    Implemented next to the rules in lib/Autodiff, as external models, for our
    own operations and for upstream ones (arith, math, tensor) alike.
  }];
  let methods = [
    InterfaceMethod<[{
        Builds the gradients of the operands. `resultGradients` has one value
        per result, null where nothing flows; at least one is set. Appends one
        value per operand to `operandGradients`, null where no gradient flows
        (integers, shapes, masks). The builder stands where the gradients may
        use any value that dominates the operation.
      }],
      "void", "buildGradients",
      (ins "::mlir::OpBuilder &":$builder,
           "::llvm::ArrayRef<::mlir::Value>":$resultGradients,
           "::llvm::SmallVectorImpl<::mlir::Value> &":$operandGradients)>,
    InterfaceMethod<[{
        False for the forms of an operation that the rule does not cover.
      }],
      "bool", "hasGradient", (ins), [{}], [{ return true; }]>
  ];
}

def Blocks_InitializerInterface : AttrInterface<"InitializerAttrInterface"> {
  let cppNamespace = "::blocks";
  let description = [{ How a parameter gets its first value. }];
  let methods = [
    InterfaceMethod<"The scheme's name in snake_case, as in InitializerSpec::kind.",
      "::llvm::StringRef", "getKind", (ins)>,
    InterfaceMethod<"The scheme's numbers by name.",
      "::llvm::SmallVector<std::pair<::llvm::StringRef, double>>", "getValues", (ins)>,
    InterfaceMethod<"The schemes that this one is made of, in order; initializers.",
      "::llvm::SmallVector<::mlir::Attribute>", "getParts", (ins), [{}],
      [{ return {}; }]>,
    InterfaceMethod<"Checks the scheme against the parameter's shape; reports with `emitError`.",
      "::mlir::LogicalResult", "checkShape",
      (ins "::llvm::ArrayRef<int64_t>":$shape,
           "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError), [{}],
      [{ return ::mlir::success(); }]>
  ];
}

#endif
