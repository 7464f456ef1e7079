//===- NamedCall.h - Calls with arguments and results by name -------------===//
//
// How composite bricks call applications that have the option `arguments`
// (ApplicationBuilder::bindArguments): what is there is passed, whatever its
// place.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_BRICKS_NAMEDCALL_H
#define LIB_BRICKS_NAMEDCALL_H

#include "lib/Bricks/ApplicationBuilder.h"

namespace blocks {

/// Applies `application` of `brick` to `arguments`; gives its results by their
/// names.
mlir::FailureOr<NamedValues> callNamed(ApplicationBuilder &builder,
                                       mlir::SymbolRefAttr brick,
                                       llvm::StringRef application,
                                       const NamedValues &arguments,
                                       mlir::NamedAttrList options = {});

/// The same of the own child `child`.
mlir::FailureOr<NamedValues> callChild(ApplicationBuilder &builder,
                                       llvm::StringRef child,
                                       llvm::StringRef application,
                                       const NamedValues &arguments,
                                       mlir::NamedAttrList options = {});

/// Applies an application of the own child with one result to arguments in
/// order.
mlir::FailureOr<mlir::Value> callOne(ApplicationBuilder &builder,
                                     llvm::StringRef child,
                                     llvm::StringRef application,
                                     mlir::ValueRange arguments);

} // namespace blocks

#endif
