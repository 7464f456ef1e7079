//===- MaterializeState.cpp - Graphs become functions over state ----------===//
//
// Stands before to-linalg; the form of the functions is in
// docs/architecture.md.
//
//===----------------------------------------------------------------------===//
#include "lib/Autodiff/AlgorithmBrick.h"
#include "lib/Roles/AnnotationEffects.h"
#include "lib/StepRules/Passes.h"

#include <llvm/ADT/MapVector.h>

namespace blocks {
#define GEN_PASS_DEF_MATERIALIZESTATE
#include "lib/StepRules/Passes.h.inc"
} // namespace blocks

using namespace mlir;

namespace blocks {
namespace {

/// Turns one graph into a function.
class GraphMaterializer {
public:
  GraphMaterializer(GraphOp graph, ArrayRef<ParameterOp> parameters)
      : graph(graph), parameters(parameters), context(graph.getContext()) {}

  LogicalResult run();

private:
  LogicalResult check();
  void findState();
  func::FuncOp createFunction();
  void moveBody(func::FuncOp function);
  void appendReturn(func::FuncOp function);
  DictionaryAttr stateAttributes(ParameterOp parameter);
  DictionaryAttr outputAttributes(OutputOp output);

  GraphOp graph;
  ArrayRef<ParameterOp> parameters;
  MLIRContext *context;
  SmallVector<ParameterOp> state; // that the graph reads or writes
  llvm::StringMap<AssignOp> updates;
  SmallVector<OutputOp> outputs;
};

/// What earlier stages should have removed.
LogicalResult GraphMaterializer::check() {
  WalkResult result = graph.walk([&](Operation *op) -> WalkResult {
    if (isa<ApplyOp>(op))
      return op->emitOpError() << "is still in graph @" << graph.getSymName()
                               << "; run blocks-inline-applications first";
    if (isa<StepOp>(op))
      return op->emitOpError() << "is still in graph @" << graph.getSymName()
                               << "; run blocks-step-rules first";
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

void GraphMaterializer::findState() {
  llvm::StringMap<bool> used;
  graph.walk([&](Operation *op) {
    if (auto get = dyn_cast<GetOp>(op))
      used[parameterPath(get.getParameter())] = true;
    if (auto assign = dyn_cast<AssignOp>(op)) {
      std::string path = parameterPath(assign.getParameter());
      used[path] = true;
      updates[path] = assign;
    }
    if (isa<RandomOp>(op))
      used["/algorithm.seed"] = used["/algorithm.step"] = true;
    if (auto output = dyn_cast<OutputOp>(op))
      outputs.push_back(output);
  });
  for (ParameterOp parameter : parameters)
    if (used.lookup(parameter.getPath()))
      state.push_back(parameter);
}

DictionaryAttr GraphMaterializer::stateAttributes(ParameterOp parameter) {
  Builder builder(context);
  return builder.getDictionaryAttr(builder.getNamedAttr(
      "blocks.state", builder.getStringAttr(parameter.getPath())));
}

DictionaryAttr GraphMaterializer::outputAttributes(OutputOp output) {
  Builder builder(context);
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("blocks.output", output.getNameAttr()),
       builder.getNamedAttr("blocks.roles", output.getRoles()),
       builder.getNamedAttr("blocks.aggregate",
                            builder.getStringAttr(stringifyAggregateKind(
                                output.getAggregate())))});
}

func::FuncOp GraphMaterializer::createFunction() {
  SmallVector<Type> arguments, results;
  SmallVector<DictionaryAttr> argumentAttributes, resultAttributes;
  for (ParameterOp parameter : state) {
    arguments.push_back(parameter.getTensorType());
    argumentAttributes.push_back(stateAttributes(parameter));
    if (!updates.count(parameter.getPath()))
      continue;
    results.push_back(parameter.getTensorType());
    resultAttributes.push_back(stateAttributes(parameter));
  }
  for (BlockArgument source : graph.getArguments()) {
    arguments.push_back(source.getType());
    argumentAttributes.push_back(graph.getArgAttrDict(source.getArgNumber()));
  }
  for (OutputOp output : outputs) {
    results.push_back(output.getValue().getType());
    resultAttributes.push_back(outputAttributes(output));
  }
  OpBuilder builder(graph);
  auto function =
      func::FuncOp::create(builder, graph.getLoc(), graph.getSymName(),
                           builder.getFunctionType(arguments, results));
  function->setAttr("blocks.entry", builder.getUnitAttr());
  if (graph.getVariant())
    function->setAttr("blocks.variant", graph.getVariantAttr());
  function.setAllArgAttrs(argumentAttributes);
  function.setAllResultAttrs(resultAttributes);
  return function;
}

void GraphMaterializer::moveBody(func::FuncOp function) {
  function.getBody().takeBody(graph.getBody());
  Block &body = function.getBody().front();
  llvm::StringMap<Value> values;
  for (auto [i, parameter] : llvm::enumerate(state))
    values[parameter.getPath()] =
        body.insertArgument(i, parameter.getTensorType(), parameter.getLoc());
  function.walk([&](GetOp get) {
    get.getResult().replaceAllUsesWith(
        values.lookup(parameterPath(get.getParameter())));
    get.erase();
  });
}

void GraphMaterializer::appendReturn(func::FuncOp function) {
  SmallVector<Value> results;
  for (ParameterOp parameter : state)
    if (AssignOp update = updates.lookup(parameter.getPath()))
      results.push_back(update.getValue());
  for (OutputOp output : outputs)
    results.push_back(output.getValue());
  OpBuilder builder = OpBuilder::atBlockEnd(&function.getBody().front());
  func::ReturnOp::create(builder, graph.getLoc(), results);
  for (auto &update : updates)
    update.second.erase();
  for (OutputOp output : outputs)
    output.erase();
}

LogicalResult GraphMaterializer::run() {
  if (failed(check()))
    return failure();
  findState();
  if (!outputs.empty() || !updates.empty()) {
    func::FuncOp function = createFunction();
    moveBody(function);
    appendReturn(function);
  }
  graph.erase();
  return success();
}

struct MaterializeState : impl::MaterializeStateBase<MaterializeState>,
                          AnnotationEffects {
  void runOnOperation() override {
    addRandomState();
    SmallVector<ParameterOp> parameters;
    getOperation().walk<WalkOrder::PreOrder>(
        [&](ParameterOp parameter) { parameters.push_back(parameter); });
    for (GraphOp graph :
         llvm::make_early_inc_range(getOperation().getOps<GraphOp>()))
      if (failed(GraphMaterializer(graph, parameters).run()))
        return signalPassFailure();
  }

  /// Functions keep the annotations of the graphs, which are no more.
  bool retires(AnnotationAttr) const override { return true; }

private:
  /// Random operations read seed and step, also where nothing is trained.
  void addRandomState() {
    bool random = false;
    for (GraphOp graph : getOperation().getOps<GraphOp>())
      graph.walk([&](RandomOp) { random = true; });
    if (!random)
      return;
    AlgorithmBrick algorithm = AlgorithmBrick::getOrCreate(getOperation());
    algorithm.seed();
    algorithm.step();
  }
};

} // namespace
} // namespace blocks
