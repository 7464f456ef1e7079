//===- FunctionSyntax.h - How graphs and applications are written ---------===//
//
// Both are written like functions; private to the dialect.
//
//===----------------------------------------------------------------------===//
#ifndef DIALECTS_BLOCKS_FUNCTIONSYNTAX_H
#define DIALECTS_BLOCKS_FUNCTIONSYNTAX_H

#include <mlir/Interfaces/FunctionImplementation.h>

namespace blocks {

template <typename Op>
mlir::ParseResult parseLikeFunction(mlir::OpAsmParser &parser,
                                    mlir::OperationState &result) {
  using namespace mlir;
  auto build = [](Builder &builder, ArrayRef<Type> inputs,
                  ArrayRef<Type> results, function_interface_impl::VariadicFlag,
                  std::string &) {
    return builder.getFunctionType(inputs, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      Op::getFunctionTypeAttrName(result.name), build,
      Op::getArgAttrsAttrName(result.name),
      Op::getResAttrsAttrName(result.name));
}

template <typename Op>
void printLikeFunction(mlir::OpAsmPrinter &printer, Op op) {
  mlir::function_interface_impl::printFunctionOp(
      printer, op, /*isVariadic=*/false, op.getFunctionTypeAttrName(),
      op.getArgAttrsAttrName(), op.getResAttrsAttrName());
}

} // namespace blocks

#endif
