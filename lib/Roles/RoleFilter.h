//===- RoleFilter.h - The query language over annotations -----------------===//
//
// Blocks' VariableFilter as text, the same in pass options, on the command line
// and in the API:
//
//   role:output brick:/mlp/rectifier_*          blank is "and"
//   role:weight not (name:W or brick:/rnn/**)   or, not, parentheses
//
// Criteria: role: (a role or a kind of it), brick: (path; `*` within a segment,
// `**` any depth, itself included), kind: (of the brick, such as LSTM, `*`),
// name: (short name, `*`), application: (`*`), call: (path of calls, `*`,
// `**`), regex: (over
// "<brick>.<application>.<name>", or "<brick>.<name>" for a parameter).
//
//===----------------------------------------------------------------------===//
#ifndef LIB_ROLES_ROLEFILTER_H
#define LIB_ROLES_ROLEFILTER_H

#include "dialects/Blocks/Blocks.h"

#include <llvm/Support/Error.h>

#include <memory>
#include <string>
#include <vector>

namespace blocks {

/// A parsed filter: a predicate over annotated values.
class FilterNode {
public:
  virtual ~FilterNode() = default;
  virtual bool matches(TagOp tag) const = 0;
};

class RoleFilter {
public:
  /// Reads a filter. Errors show the text and the column.
  static llvm::Expected<RoleFilter> parse(llvm::StringRef text);

  bool matches(TagOp tag) const { return root->matches(tag); }
  llvm::StringRef getText() const { return text; }

  /// "filter '…' matches nothing; did you mean …", with the annotations of the
  /// graphs that come nearest.
  std::string explainNoMatch(llvm::ArrayRef<GraphOp> graphs) const;

private:
  RoleFilter(std::string text, std::shared_ptr<FilterNode> root)
      : text(std::move(text)), root(std::move(root)) {}

  std::string text;
  std::shared_ptr<FilterNode> root;
};

/// One underlying value and the tags of it that a filter matched, in program
/// order.
struct FilterMatch {
  mlir::Value value;
  llvm::SmallVector<TagOp> tags;
};

/// All matches in a graph, inside scans too, in program order of their first
/// tag; each underlying value once.
std::vector<FilterMatch> filterValues(GraphOp graph, const RoleFilter &filter);

/// "/mlp/linear_0.apply.output", or "/mlp/linear_0.W" for a parameter.
std::string annotationPath(AnnotationAttr annotation);

} // namespace blocks

#endif
