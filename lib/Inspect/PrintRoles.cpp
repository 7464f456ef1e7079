//===- PrintRoles.cpp - The pass print-roles ------------------------------===//
//
// One line an annotated value: what a filter can match, and how it is named.
//
//===----------------------------------------------------------------------===//
#include "lib/Inspect/Expanded.h"
#include "lib/Inspect/Passes.h"
#include "lib/Roles/RoleFilter.h"

using namespace mlir;

namespace blocks {

#define GEN_PASS_DEF_PRINTROLES
#include "lib/Inspect/Passes.h.inc"

namespace {

void printTag(TagOp tag, raw_ostream &out) {
  AnnotationAttr annotation = tag.getAnnotation();
  out << "  " << annotationPath(annotation) << " [";
  llvm::interleaveComma(annotation.getRoles().getValue(), out,
                        [&](Role role) { out << stringifyRole(role); });
  out << "] " << tag.getType();
  if (!annotation.getCall().empty())
    out << " " << annotation.getCall().getValue();
  out << "\n";
}

class PrintRolesPass : public impl::PrintRolesBase<PrintRolesPass> {
public:
  using PrintRolesBase::PrintRolesBase;

private:
  void runOnOperation() override {
    std::optional<RoleFilter> filter;
    if (!where.empty()) {
      llvm::Expected<RoleFilter> parsed = RoleFilter::parse(where);
      if (!parsed) {
        emitError(getOperation().getLoc())
            << llvm::toString(parsed.takeError());
        return signalPassFailure();
      }
      filter = std::move(*parsed);
    }
    OwningOpRef<ModuleOp> model = expandedCopy(getOperation(), true);
    if (!model)
      return signalPassFailure();
    for (auto graph : model->getOps<GraphOp>()) {
      llvm::outs() << "@" << graph.getSymName() << "\n";
      graph.walk([&](TagOp tag) {
        if (!filter || filter->matches(tag))
          printTag(tag, llvm::outs());
      });
    }
  }
};

} // namespace
} // namespace blocks
