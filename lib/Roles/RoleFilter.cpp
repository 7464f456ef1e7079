//===- RoleFilter.cpp - The query language over annotations ---------------===//
//
// Evaluation over the tags of a graph, and the explanation of a filter that
// matched nothing.
//
//===----------------------------------------------------------------------===//
#include "lib/Roles/RoleFilter.h"

#include "lib/Roles/FilterParser.h"
#include "lib/Roles/TaggedValues.h"

#include <llvm/ADT/MapVector.h>
#include <set>

using namespace mlir;

namespace blocks {

std::string annotationPath(AnnotationAttr annotation) {
  std::string path = annotation.getBrick().str() + ".";
  if (!annotation.getApplication().empty())
    path += annotation.getApplication().str() + ".";
  return path + annotation.getName().str();
}

llvm::Expected<RoleFilter> RoleFilter::parse(StringRef text) {
  llvm::Expected<std::shared_ptr<FilterNode>> root = parseFilter(text);
  if (!root)
    return root.takeError();
  return RoleFilter(text.str(), std::move(*root));
}

std::vector<FilterMatch> filterValues(GraphOp graph, const RoleFilter &filter) {
  llvm::MapVector<Value, SmallVector<TagOp>> found;
  graph.walk([&](TagOp tag) {
    if (filter.matches(tag))
      found[underlyingValue(tag)].push_back(tag);
  });
  std::vector<FilterMatch> matches;
  for (auto &[value, tags] : found)
    matches.push_back({value, std::move(tags)});
  return matches;
}

//===--- No match ---------------------------------------------------------===//

/// "/mlp/rectifier_0.apply.output [output]".
static std::string describe(AnnotationAttr annotation) {
  std::string text = annotationPath(annotation) + " [";
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(annotation.getRoles().getValue(), stream,
                        [&](Role role) { stream << stringifyRole(role); });
  return text + "]";
}

/// How far an annotation is from the criterion `key:value`.
static unsigned distance(StringRef key, StringRef value, AnnotationAttr a) {
  if (key == "brick")
    return value.edit_distance(a.getBrick());
  if (key == "name")
    return value.edit_distance(a.getName());
  if (key == "application")
    return value.edit_distance(a.getApplication());
  std::optional<Role> role = symbolizeRole(value);
  return key == "role" && role && !a.getRoles().has(*role) ? 8 : 0;
}

/// The sum over the criteria of a filter, whatever connects them.
static unsigned distance(StringRef filter, AnnotationAttr annotation) {
  unsigned sum = 0;
  SmallVector<StringRef> words;
  filter.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    auto [key, value] = word.trim("()").split(':');
    sum += distance(key, value, annotation);
  }
  return sum;
}

std::string RoleFilter::explainNoMatch(ArrayRef<GraphOp> graphs) const {
  std::set<std::pair<unsigned, std::string>> byDistance;
  for (GraphOp graph : graphs)
    graph->walk([&](TagOp tag) {
      AnnotationAttr annotation = tag.getAnnotation();
      byDistance.insert({distance(text, annotation), describe(annotation)});
    });
  std::string message = "filter '" + text + "' matches nothing";
  if (byDistance.empty())
    return message + ": there are no annotated values; inline the bricks first "
                     "(blocks-expand-bricks, blocks-inline-applications)";
  message += "; the nearest of " + std::to_string(byDistance.size()) +
             " annotated values are";
  unsigned shown = 0;
  for (auto &[far, description] : byDistance)
    if (shown++ < 5)
      message += (shown == 1 ? " " : ", ") + description;
  return message;
}

} // namespace blocks
