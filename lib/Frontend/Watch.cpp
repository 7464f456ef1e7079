//===- Watch.cpp - Values inside bricks as outputs ------------------------===//
//
// Applications tag their inputs, outputs and auxiliary values; a tag says the
// brick's path and the short name, which together are how a user asks for the
// value. What stands in a loop has one value a step, and no output of its own.
//
//===----------------------------------------------------------------------===//
#include "dialects/Blocks/Blocks.h"
#include "lib/Frontend/Passes.h"
#include "lib/Roles/TaggedValues.h"
#include "lib/Support/NearMisses.h"

using namespace mlir;

namespace blocks {

#define GEN_PASS_DEF_WATCH
#include "lib/Frontend/Passes.h.inc"

namespace {

/// "/mlp/linear_0.W_norm".
std::string pathOf(TagOp tag) {
  AnnotationAttr annotation = tag.getAnnotation();
  return (annotation.getBrick().getValue() + "." +
          annotation.getName().getValue())
      .str();
}

/// True if the value depends on a source.
bool dependsOnData(GraphOp graph, Value value) {
  return llvm::any_of(graph.getArguments(), [&](Value source) {
    return reachedFrom(source).contains(value);
  });
}

struct Watch : impl::WatchBase<Watch> {
  using WatchBase::WatchBase;

  void runOnOperation() override {
    for (const std::string &path : values)
      if (failed(watch(path)))
        return signalPassFailure();
  }

private:
  /// Every value's path, in loops, too.
  std::vector<std::string> knownPaths() {
    std::vector<std::string> known;
    getOperation().walk([&](TagOp tag) {
      std::string one = pathOf(tag);
      if (!llvm::is_contained(known, one))
        known.push_back(one);
    });
    return known;
  }

  LogicalResult watch(const std::string &path) {
    // A layer of a stack has a # in its name, and so have its values: what is
    // called so goes before the second value of that path.
    StringRef wanted = path;
    unsigned number = 0;
    std::vector<std::string> known = knownPaths();
    if (!llvm::is_contained(known, path)) {
      auto [front, ordinal] = StringRef(path).rsplit('#');
      bool isNumber = !ordinal.empty() && !ordinal.getAsInteger(10, number);
      if (!isNumber && front != path && llvm::is_contained(known, front.str()))
        return getOperation().emitError()
               << "the value '" << path
               << "' must end in the number of a value, such as '" << front
               << "#1'";
      wanted = isNumber ? front : wanted;
    }
    bool found = false;
    TagOp inLoop;
    for (GraphOp graph : getOperation().getOps<GraphOp>()) {
      SmallVector<TagOp> tags;
      graph.walk([&](TagOp tag) {
        if (pathOf(tag) != wanted)
          return;
        if (tag->getParentOp() == graph)
          tags.push_back(tag);
        else
          inLoop = tag;
      });
      if (number >= tags.size())
        continue;
      found = true;
      addOutput(graph, tags[number], path);
    }
    return found ? success() : missing(path, inLoop, known);
  }

  static void addOutput(GraphOp graph, TagOp tag, StringRef path) {
    OpBuilder builder = OpBuilder::atBlockEnd(&graph.getBody().front());
    bool isScalar = cast<RankedTensorType>(tag.getType()).getRank() == 0;
    AggregateKind aggregate = isScalar && dependsOnData(graph, tag)
                                  ? AggregateKind::Mean
                                  : AggregateKind::Last;
    OutputOp::create(builder, tag.getLoc(), tag, path,
                     RolesAttr::empty(builder.getContext()), aggregate);
  }

  LogicalResult missing(StringRef path, TagOp inLoop,
                        const std::vector<std::string> &known) {
    if (inLoop)
      return inLoop.emitError()
             << "the value '" << path
             << "' stands inside a loop, where each step has its own; watch "
                "what comes out of the loop";
    return getOperation().emitError() << "there is no value '" << path
                                      << "' to watch" << suggest(path, known);
  }
};

} // namespace
} // namespace blocks
