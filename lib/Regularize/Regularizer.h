//===- Regularizer.h - What all regularizers share ------------------------===//
//
// Which graphs they act on, what their filter found there, and a fresh site of
// randomness for each place where they act.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_REGULARIZE_REGULARIZER_H
#define LIB_REGULARIZE_REGULARIZER_H

#include "lib/Roles/RoleFilter.h"

#include <mlir/IR/BuiltinOps.h>

#include <set>

namespace blocks {

/// The graph derived for training, or all graphs if none was derived.
llvm::SmallVector<GraphOp> graphsToRegularize(mlir::ModuleOp module);

/// The values of one graph that a filter found.
struct GraphMatches {
  GraphOp graph;
  std::vector<FilterMatch> matches;
};

/// Finds what `where` names. An unreadable filter, or one that matches nothing
/// anywhere, is reported.
mlir::FailureOr<std::vector<GraphMatches>>
findMatches(mlir::ModuleOp module, llvm::StringRef pass, llvm::StringRef where);

/// Hands out sites of randomness that no other operation of the module has.
class Sites {
public:
  explicit Sites(mlir::ModuleOp module);
  /// The site for what `pass` does to the value that `annotation` names: the
  /// hash of pass, call path, brick, name and an ordinal, the first that is
  /// free.
  uint32_t take(llvm::StringRef pass, AnnotationAttr annotation);

private:
  std::set<uint32_t> used;
};

/// Where a value begins: after its definition, or at the start of its block.
mlir::OpBuilder builderAfter(mlir::Value value);

/// The positions of the scans around `block`, outermost first.
llvm::SmallVector<mlir::Value> scanPositions(mlir::Block *block);

/// Hands the users of the matched tags the value that `replace` makes of a tag
/// (the builder stands right after it). Users that are themselves tags on the
/// way to another matched tag are left: only the outermost matched tag of a
/// chain is replaced, and what tags name stays the clean value. Returns the new
/// values.
llvm::SmallVector<mlir::Value>
replaceUsers(const FilterMatch &match,
             llvm::function_ref<mlir::Value(mlir::OpBuilder &, TagOp)> replace);

/// Warns if none of `values` reaches the cost that is trained, or any cost
/// where none was chosen.
void warnIfCostUnreached(llvm::StringRef pass, llvm::StringRef where,
                         GraphOp graph, llvm::ArrayRef<mlir::Value> values);

} // namespace blocks

#endif
