//===- AnnotationVerifier.cpp - No pass loses an annotation ---------------===//
//
// Only annotations of live values count: dead code may go, with its names.
// They are compared by what they say, not by their place: moving code is free.
//
//===----------------------------------------------------------------------===//
#include "lib/Roles/AnnotationVerifier.h"

#include "lib/Roles/AnnotationEffects.h"
#include "lib/Roles/TaggedValues.h"

#include <map>
#include <mlir/Pass/Pass.h>
#include <mutex>

using namespace mlir;

namespace blocks {
namespace {

struct Count {
  AnnotationAttr annotation;
  int times = 0;
};
/// How often each annotation of each entry occurs, by its text.
using Counts = std::map<std::string, Count>;

std::string describe(StringRef entry, AnnotationAttr annotation) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "@" << entry << " " << annotation;
  return text;
}

void countAnnotationsOf(GraphOp graph, Counts &counts) {
  llvm::DenseSet<Operation *> live = liveOperations(graph);
  graph.walk([&](TagOp tag) {
    if (!live.contains(tag))
      return;
    Count &count = counts[describe(graph.getSymName(), tag.getAnnotation())];
    count.annotation = tag.getAnnotation();
    ++count.times;
  });
}

Counts countAnnotations(Operation *root) {
  Counts counts;
  root->walk([&](GraphOp graph) { countAnnotationsOf(graph, counts); });
  return counts;
}

/// What changed against the pass's word, a line for each annotation.
std::string undeclaredChanges(Counts &old, Counts &now,
                              const AnnotationEffects *effects) {
  std::string text;
  for (auto &[key, count] : old)
    if (now[key].times < count.times &&
        !(effects && effects->retires(count.annotation)))
      text += "\n  lost  " + key;
  for (auto &[key, count] : now)
    if (count.times > old[key].times &&
        !(effects && effects->adds(count.annotation)))
      text += "\n  added " + key;
  return text;
}

class AnnotationVerifier : public PassInstrumentation {
public:
  void runBeforePass(Pass *pass, Operation *op) override {
    if (pass->getArgument().empty()) // an adaptor that only runs other passes
      return;
    Counts counts = countAnnotations(op);
    std::lock_guard<std::mutex> lock(mutex);
    before[pass] = std::move(counts);
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    std::optional<Counts> old = take(pass);
    if (!old)
      return;
    Counts now = countAnnotations(op);
    auto *effects = dynamic_cast<const AnnotationEffects *>(pass);
    std::string changes = undeclaredChanges(*old, now, effects);
    if (changes.empty())
      return;
    emitError(op->getLoc())
        << "pass " << pass->getArgument()
        << " changed annotations without declaring it:" << changes;
    signalPassFailure(pass);
  }

  void runAfterPassFailed(Pass *pass, Operation *) override { take(pass); }

private:
  std::optional<Counts> take(Pass *pass) {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = before.find(pass);
    if (found == before.end())
      return std::nullopt;
    Counts counts = std::move(found->second);
    before.erase(found);
    return counts;
  }

  std::mutex mutex; // passes on different functions run in parallel
  std::map<Pass *, Counts> before;
};

} // namespace

std::unique_ptr<PassInstrumentation> createAnnotationVerifier() {
  return std::make_unique<AnnotationVerifier>();
}

} // namespace blocks
