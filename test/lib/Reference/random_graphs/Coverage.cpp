//===- Coverage.cpp - See the header --------------------------------------===//
#include "test/lib/Reference/random_graphs/Coverage.h"
#include "test/tools/Model.h"

#include "dialects/Blocks/Blocks.h"

#include <map>

using namespace mlir;

namespace blocks::testing {

/// The kinds of the module's bricks by path.
static std::map<std::string, std::string> kindsOf(ModuleOp module) {
  std::map<std::string, std::string> kinds;
  module.walk([&](BrickOp brick) {
    if (auto kind = brick.getKind())
      kinds[brick.getPath()] = kind->str();
  });
  return kinds;
}

void Coverage::note(ModuleOp module, bool backward) {
  std::string prefix = backward ? "backward " : "forward ";
  std::map<std::string, std::string> kinds = kindsOf(module);
  for (FunctionOpInterface entry : entriesOf(module))
    entry->walk([&](Operation *op) {
      found.insert(prefix + "op " + op->getName().getStringRef().str());
      auto tag = dyn_cast<TagOp>(op);
      if (!tag || tag.getAnnotation().getApplication().empty())
        return;
      auto kind = kinds.find(tag.getAnnotation().getBrick().str());
      if (kind != kinds.end())
        found.insert(prefix + "brick " + kind->second);
    });
}

} // namespace blocks::testing
