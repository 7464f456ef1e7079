//===- InlineApplications.cpp - Applications → annotated tensor operations ===//
//
// The second stage. Calls are inlined from the outside in, so that each knows
// the path of calls that led to it: that path tells apart two applications of
// one brick (docs/architecture.md, "Values and names").
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/Passes.h"
#include "lib/Bricks/RandomSites.h"
#include "lib/Roles/AnnotationEffects.h"

#include <llvm/ADT/StringMap.h>
#include <mlir/IR/IRMapping.h>

using namespace mlir;

namespace blocks {

#define GEN_PASS_DEF_INLINEAPPLICATIONS
#include "lib/Bricks/Passes.h.inc"

namespace {

/// Inlines all calls of one graph.
class Inliner {
public:
  Inliner(ModuleOp module, SymbolTableCollection &symbols)
      : module(module), symbols(symbols) {}

  /// Inlines `calls`, which stand in one caller that was reached by `prefix`.
  LogicalResult inlineCalls(ArrayRef<ApplyOp> calls, const std::string &prefix);

private:
  LogicalResult inlineCall(ApplyOp apply, const std::string &path);
  Value tag(OpBuilder &builder, Value value, ApplyOp apply,
            ApplicationOp application, StringRef name, RolesAttr roles,
            StringRef path);
  RolesAttr roles(Role role) {
    return RolesAttr::of(module.getContext(), role);
  }

  ModuleOp module;
  SymbolTableCollection &symbols;
  SmallVector<Operation *> open; // applications that are being inlined
};

/// "mlp.apply": what a call is called in paths.
std::string callLabel(ApplyOp apply, ApplicationOp application) {
  auto brick = cast<BrickOp>(application->getParentOp());
  return (brick.getSymName() + "." + application.getUserName()).str();
}

LogicalResult Inliner::inlineCalls(ArrayRef<ApplyOp> calls,
                                   const std::string &prefix) {
  llvm::StringMap<int> ordinals;
  for (ApplyOp apply : calls) {
    auto application = dyn_cast_or_null<ApplicationOp>(
        symbols.lookupSymbolIn(module, apply.getCallee()));
    if (!application)
      return emitError(apply.getLoc())
             << "there is no application " << apply.getCallee()
             << " to inline; run blocks-expand-bricks first";
    std::string label = callLabel(apply, application);
    std::string path = (prefix.empty() ? "" : prefix + "/") + label + "#" +
                       std::to_string(ordinals[label]++);
    if (failed(inlineCall(apply, path)))
      return failure();
  }
  return success();
}

Value Inliner::tag(OpBuilder &builder, Value value, ApplyOp apply,
                   ApplicationOp application, StringRef name, RolesAttr roles,
                   StringRef path) {
  auto brick = cast<BrickOp>(application->getParentOp());
  auto annotation = AnnotationAttr::get(
      builder.getContext(), builder.getStringAttr(brick.getPath()),
      builder.getStringAttr(application.getUserName()),
      builder.getStringAttr(name), roles, builder.getStringAttr(path));
  return TagOp::create(builder, apply.getLoc(), value, annotation);
}

/// Tags that a body carries (auxiliary values) learn the path of calls.
void completeTags(Operation *op, StringRef path) {
  op->walk([&](TagOp tag) {
    AnnotationAttr a = tag.getAnnotation();
    if (a.getCall().empty() && !a.getApplication().empty())
      tag.setAnnotationAttr(AnnotationAttr::get(
          a.getContext(), a.getBrick(), a.getApplication(), a.getName(),
          a.getRoles(), StringAttr::get(a.getContext(), path)));
  });
}

/// What is inlined remembers its brick and application in its location, as
/// tags do later, so that a late error can name them.
void rememberBrick(Operation *op, ApplicationOp application) {
  auto brick = cast<BrickOp>(application->getParentOp());
  auto name =
      StringAttr::get(op->getContext(),
                      brick.getPath() + "." + application.getUserName().str());
  op->walk([&](Operation *inner) {
    inner->setLoc(NameLoc::get(name, inner->getLoc()));
  });
}

/// OUTPUT and what `blocks.roles` adds.
RolesAttr resultRoles(ApplicationOp application, unsigned i) {
  auto roles = RolesAttr::of(application.getContext(), Role::Output);
  if (auto more = application.getResultAttrOfType<RolesAttr>(i, "blocks.roles"))
    for (Role role : more.getValue())
      roles = roles.with(role);
  return roles;
}

LogicalResult Inliner::inlineCall(ApplyOp apply, const std::string &path) {
  auto application =
      cast<ApplicationOp>(symbols.lookupSymbolIn(module, apply.getCallee()));
  if (llvm::is_contained(open, application))
    return emitError(apply.getLoc())
           << brickPath(parentReference(apply.getCallee())) << "."
           << application.getUserName() << " applies itself";
  OpBuilder builder(apply);
  IRMapping values;
  for (auto [i, argument] : llvm::enumerate(application.getArguments()))
    values.map(argument,
               tag(builder, apply.getOperand(i), apply, application,
                   application.getArgumentName(i), roles(Role::Input), path));
  SmallVector<ApplyOp> calls;
  Block &body = application.getBody().front();
  for (Operation &op : body.without_terminator()) {
    Operation *copy = builder.clone(op, values);
    completeTags(copy, path);
    completeDraws(copy, path);
    rememberBrick(copy, application);
    copy->walk([&](ApplyOp nested) { calls.push_back(nested); });
  }
  for (auto [i, result] : llvm::enumerate(body.getTerminator()->getOperands()))
    apply.getResult(i).replaceAllUsesWith(
        tag(builder, values.lookupOrDefault(result), apply, application,
            application.getResultName(i), resultRoles(application, i), path));
  apply.erase();
  open.push_back(application);
  LogicalResult inlined = inlineCalls(calls, path);
  open.pop_back();
  return inlined;
}

//===--- Parameters -------------------------------------------------------===//

/// Puts one tagged `get` for the parameter at the graph's top in place of all
/// `gets`; returns the tag.
TagOp mergeGets(OpBuilder &builder, ParameterOp parameter,
                ArrayRef<GetOp> gets) {
  GetOp get =
      GetOp::create(builder, parameter.getLoc(), parameter.getTensorType(),
                    parameter.getReference());
  AnnotationAttr annotation = parameter.getAnnotation();
  TagOp tagged = TagOp::create(builder, parameter.getLoc(), get, annotation);
  for (GetOp old : gets) {
    for (Operation *user : llvm::make_early_inc_range(old->getUsers()))
      if (auto tag = dyn_cast<TagOp>(user);
          tag && tag.getAnnotation() == annotation) {
        tag.replaceAllUsesWith(tagged.getResult());
        tag.erase();
      }
    old.replaceAllUsesWith(tagged.getResult());
    old.erase();
  }
  return tagged;
}

/// One `get` a parameter, in the order of definition.
void hoistParameters(GraphOp graph, ArrayRef<ParameterOp> parameters) {
  llvm::DenseMap<Attribute, SmallVector<GetOp>> gets;
  graph.walk([&](GetOp get) { gets[get.getParameter()].push_back(get); });
  // The place is stated by what was put there last: what stands at the top may
  // be a `get` that goes.
  OpBuilder builder(graph.getContext());
  Block &top = graph.getBody().front();
  Operation *last = nullptr;
  for (ParameterOp parameter : parameters) {
    auto found = gets.find(parameter.getReference());
    if (found == gets.end())
      continue;
    if (last)
      builder.setInsertionPointAfter(last);
    else
      builder.setInsertionPointToStart(&top);
    last = mergeGets(builder, parameter, found->second);
  }
}

class InlineApplicationsPass
    : public impl::InlineApplicationsBase<InlineApplicationsPass>,
      public AnnotationEffects {
  bool adds(AnnotationAttr) const override { return true; }

  void runOnOperation() override {
    SymbolTableCollection symbols;
    SmallVector<ParameterOp> parameters;
    getOperation().walk([&](ParameterOp p) { parameters.push_back(p); });
    for (GraphOp graph : getOperation().getOps<GraphOp>()) {
      SmallVector<ApplyOp> calls;
      graph.walk([&](ApplyOp apply) { calls.push_back(apply); });
      if (failed(Inliner(getOperation(), symbols).inlineCalls(calls, "")))
        return signalPassFailure();
      hoistParameters(graph, parameters);
    }
    assignSites(getOperation());
  }
};

} // namespace
} // namespace blocks
