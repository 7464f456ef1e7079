//===- RegularizerSpec.h - --regularize 'dropout(p=0.5, …)' → passes ------===//
//
// The command line's form of the regularizers, composed by commas and applied
// in that order.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_REGULARIZE_REGULARIZERSPEC_H
#define LIB_REGULARIZE_REGULARIZERSPEC_H

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace blocks {

/// Appends the passes that `text` asks for. Errors name what is unknown and
/// what was meant: rules, options, filters that do not parse, p out of range.
llvm::Error addRegularizers(mlir::OpPassManager &passes, llvm::StringRef text);

} // namespace blocks

#endif
