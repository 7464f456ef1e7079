//===- Regularizer.cpp - What all regularizers share ----------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//
#include "lib/Regularize/Regularizer.h"

#include "include/blocks/Philox.h"
#include "lib/Roles/TaggedValues.h"

using namespace mlir;

namespace blocks {

SmallVector<GraphOp> graphsToRegularize(ModuleOp module) {
  SmallVector<GraphOp> all(module.getOps<GraphOp>()), training;
  bool derived = false;
  for (GraphOp graph : all) {
    derived |= graph.getVariant().has_value();
    if (graph.getVariant() == "train")
      training.push_back(graph);
  }
  return derived ? training : all;
}

FailureOr<std::vector<GraphMatches>>
findMatches(ModuleOp module, StringRef pass, StringRef where) {
  llvm::Expected<RoleFilter> filter = RoleFilter::parse(where);
  if (!filter) {
    emitError(module.getLoc())
        << pass << ": " << llvm::toString(filter.takeError());
    return failure();
  }
  SmallVector<GraphOp> graphs = graphsToRegularize(module);
  std::vector<GraphMatches> found;
  for (GraphOp graph : graphs)
    if (auto matches = filterValues(graph, *filter); !matches.empty())
      found.push_back({graph, std::move(matches)});
  if (!found.empty())
    return found;
  emitError(module.getLoc()) << pass << ": " << filter->explainNoMatch(graphs);
  return failure();
}

//===--- Sites ------------------------------------------------------------===//

Sites::Sites(ModuleOp module) {
  module.walk([&](RandomOp random) { used.insert(random.getSite()); });
}

uint32_t Sites::take(StringRef pass, AnnotationAttr annotation) {
  std::string path = (pass + "|" + annotation.getCall().getValue() + "|" +
                      annotationPath(annotation) + "|")
                         .str();
  for (unsigned ordinal = 0;; ++ordinal) {
    std::string name = path + std::to_string(ordinal);
    uint32_t site = siteHash(name.data(), name.size());
    if (used.insert(site).second)
      return site;
  }
}

//===--- Places -----------------------------------------------------------===//

OpBuilder builderAfter(Value value) {
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  return builder;
}

SmallVector<Value> scanPositions(Block *block) {
  SmallVector<Value> positions;
  for (Operation *op = block->getParentOp(); op; op = op->getParentOp())
    if (auto scan = dyn_cast<ScanOp>(op))
      positions.insert(positions.begin(), scan.getPosition());
  return positions;
}

/// True if `op` is a tag that was matched, or leads to one that was.
static bool leadsToMatch(Operation *op, const FilterMatch &match) {
  auto tag = dyn_cast<TagOp>(op);
  if (!tag)
    return false;
  return llvm::is_contained(match.tags, tag) ||
         llvm::any_of(tag->getUsers(), [&](Operation *user) {
           return leadsToMatch(user, match);
         });
}

SmallVector<Value>
replaceUsers(const FilterMatch &match,
             llvm::function_ref<Value(OpBuilder &, TagOp)> replace) {
  SmallVector<std::pair<TagOp, SmallVector<OpOperand *>>> work;
  for (TagOp tag : match.tags) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : tag->getUses())
      if (!leadsToMatch(use.getOwner(), match))
        uses.push_back(&use);
    if (!uses.empty())
      work.push_back({tag, std::move(uses)});
  }
  SmallVector<Value> values;
  for (auto &[tag, uses] : work) {
    OpBuilder builder = builderAfter(tag);
    values.push_back(replace(builder, tag));
    for (OpOperand *use : uses)
      use->set(values.back());
  }
  return values;
}

//===--- Reaching the cost ------------------------------------------------===//

void warnIfCostUnreached(StringRef pass, StringRef where, GraphOp graph,
                         ArrayRef<Value> values) {
  auto chosen = graph->getAttrOfType<StringAttr>("blocks.cost");
  SmallVector<OutputOp> costs;
  for (auto output : graph.getOps<OutputOp>())
    if (chosen ? output.getNameAttr() == chosen
               : output.getRoles().has(Role::Cost))
      costs.push_back(output);
  if (costs.empty())
    return;
  for (Value value : values) {
    llvm::DenseSet<Value> reached = reachedFrom(value);
    if (llvm::any_of(costs, [&](OutputOp output) {
          return reached.contains(output.getValue());
        }))
      return;
  }
  emitWarning(graph.getLoc())
      << pass << " where '" << where << "' does not reach the cost \""
      << costs.front().getName() << "\" of @" << graph.getSymName()
      << ", so it does not change what is learned";
}

} // namespace blocks
