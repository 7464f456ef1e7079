//===- Differentiate.cpp - From a cost to one step for each parameter -----===//
//
// Stands between prune and step-rules (docs/architecture.md). The work is done
// by ReverseMode; here are the choice of graph, cost and parameters, the errors
// about them, and the training form.
//
//===----------------------------------------------------------------------===//
#include "lib/Autodiff/AlgorithmBrick.h"
#include "lib/Autodiff/Expressions.h"
#include "lib/Autodiff/Passes.h"
#include "lib/Autodiff/ReverseMode.h"
#include "lib/Autodiff/SavedValues.h"
#include "lib/Autodiff/ScanCheckpoints.h"
#include "lib/Autodiff/ScanInvariants.h"
#include "lib/Autodiff/ScanPruning.h"
#include "lib/Roles/AnnotationEffects.h"

namespace blocks {
#define GEN_PASS_DEF_DIFFERENTIATE
#include "lib/Autodiff/Passes.h.inc"
} // namespace blocks

using namespace mlir;

namespace blocks {
namespace {

struct Differentiate : impl::DifferentiateBase<Differentiate>,
                       AnnotationEffects {
  using DifferentiateBase::DifferentiateBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }
  bool adds(AnnotationAttr annotation) const override {
    return annotation.getRoles().has(Role::Gradient);
  }

private:
  LogicalResult run();
  FailureOr<GraphOp> findGraph();
  FailureOr<OutputOp> findCost(GraphOp graph);
  LogicalResult differentiate(GraphOp graph, OutputOp output);
};

using GetsOfParameter = SmallVector<std::pair<ParameterOp, SmallVector<GetOp>>>;

/// The trainable parameters in definition order, each with its reads.
GetsOfParameter trainableParameters(ModuleOp module, GraphOp graph) {
  llvm::StringMap<SmallVector<GetOp>> gets;
  graph.walk([&](GetOp get) {
    gets[parameterPath(get.getParameter())].push_back(get);
  });
  GetsOfParameter parameters;
  module.walk<WalkOrder::PreOrder>([&](ParameterOp parameter) {
    if (parameter.getRoles().has(Role::Parameter))
      parameters.push_back({parameter, gets.lookup(parameter.getPath())});
  });
  return parameters;
}

LogicalResult Differentiate::run() {
  FailureOr<GraphOp> graph = findGraph();
  if (failed(graph))
    return failure();
  FailureOr<OutputOp> output = findCost(*graph);
  if (failed(output))
    return failure();
  return differentiate(*graph, *output);
}

FailureOr<GraphOp> Differentiate::findGraph() {
  for (GraphOp candidate : getOperation().getOps<GraphOp>())
    if (graph.empty() ? candidate.getVariant() == "train"
                      : candidate.getSymName() == graph)
      return candidate;
  if (graph.empty())
    return getOperation().emitError()
           << "there is no training graph; derive the entries first "
              "(blocks-derive-entries), or name a graph by graph=";
  InFlightDiagnostic error = getOperation().emitError()
                             << "there is no graph @" << graph;
  for (GraphOp candidate : getOperation().getOps<GraphOp>())
    error.attachNote(candidate.getLoc())
        << "there is @" << candidate.getSymName();
  return error;
}

FailureOr<OutputOp> Differentiate::findCost(GraphOp graph) {
  InFlightDiagnostic error = graph.emitError()
                             << "graph @" << graph.getSymName()
                             << " has no output \"" << cost << "\"";
  for (OutputOp output : graph.getBody().front().getOps<OutputOp>()) {
    if (output.getName() == cost) {
      error.abandon();
      auto type = cast<RankedTensorType>(output.getValue().getType());
      if (type.getRank() == 0 && isFloatTensor(type))
        return output;
      return output.emitError()
             << "cost \"" << cost << "\" is " << type
             << "; a cost is one floating-point number: reduce it first";
    }
    error.attachNote(output.getLoc())
        << "there is \"" << output.getName() << "\"";
  }
  return error;
}

/// Reports all parameters that the cost does not reach.
LogicalResult checkReached(OutputOp output, const GetsOfParameter &parameters,
                           const ReverseMode &reverse) {
  SmallVector<ParameterOp> missing;
  for (auto &[parameter, gets] : parameters)
    if (llvm::none_of(gets, [&](GetOp get) {
          return bool(reverse.gradient(get.getResult()));
        }))
      missing.push_back(parameter);
  if (missing.empty())
    return success();
  InFlightDiagnostic error = output.emitError() << "cost \"" << output.getName()
                                                << "\" does not depend on ";
  llvm::interleaveComma(missing, error, [&](ParameterOp parameter) {
    error << parameter.getPath();
  });
  error << "; remove what is not used, or give it a role that is not trained";
  for (ParameterOp parameter : missing)
    error.attachNote(parameter.getLoc())
        << parameter.getPath() << " is declared here";
  return error;
}

/// The gradient with its annotation: the parameter's, with role GRADIENT.
Value annotate(OpBuilder &builder, ParameterOp parameter, Value gradient) {
  StringAttr none = builder.getStringAttr("");
  std::string path = brickPath(parentReference(parameter.getReference()));
  auto annotation = AnnotationAttr::get(
      builder.getContext(), builder.getStringAttr(path), none,
      parameter.getSymNameAttr(),
      RolesAttr::of(builder.getContext(), Role::Gradient), none);
  return TagOp::create(builder, parameter.getLoc(), gradient, annotation);
}

/// After the step, the step counter is one higher.
void incrementStep(OpBuilder &builder, ParameterOp counter) {
  Location loc = counter.getLoc();
  auto type = counter.getTensorType();
  Value now = GetOp::create(builder, loc, type, counter.getReference());
  Value one = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, builder.getI64IntegerAttr(1)));
  Value next = arith::AddIOp::create(builder, loc, now, one);
  AssignOp::create(builder, loc, counter.getReference(), next);
}

/// Erases the operations after `last` that nothing uses: gradients of operands
/// that need none. What was there before is left alone.
void eraseDeadAfter(Operation *last) {
  Block &block = *last->getBlock();
  while (true) {
    SmallVector<Operation *> dead;
    for (Operation *op = &block.back(); op != last; op = op->getPrevNode())
      if (isOpTriviallyDead(op))
        dead.push_back(op);
    if (dead.empty())
      return;
    for (Operation *op : dead)
      op->erase();
  }
}

/// Loops in loops were given outputs that recomputed steps do not read.
void eraseUnread(Block &block) {
  for (ScanOp scan : block.getOps<ScanOp>())
    if (scan->hasAttr(recomputeAttribute))
      eraseDeadOperations(scan.getBody().front());
}

LogicalResult Differentiate::differentiate(GraphOp graph, OutputOp output) {
  checkpointScans(graph);
  hoistScanInvariants(graph);
  GetsOfParameter parameters = trainableParameters(getOperation(), graph);
  Activity activity;
  for (auto &[parameter, gets] : parameters)
    for (GetOp get : gets)
      activity.add(get.getResult());
  Block &block = graph.getBody().front();
  activity.propagate(block);

  Operation *last = &block.back();
  OpBuilder builder = OpBuilder::atBlockEnd(&block);
  ReverseMode reverse(builder, activity);
  Expressions e(builder, output.getLoc());
  reverse.add(output.getValue(), e.scalar(1.0, output.getValue()));
  if (failed(reverse.visit(block)) ||
      failed(checkReached(output, parameters, reverse)))
    return failure();

  AlgorithmBrick algorithm = AlgorithmBrick::getOrCreate(getOperation());
  algorithm.seed();
  for (auto &[parameter, gets] : parameters) {
    Value total;
    for (GetOp get : gets)
      if (Value gradient = reverse.gradient(get.getResult()))
        total = total ? e.add(total, gradient) : gradient;
    StepOp::create(builder, parameter.getLoc(), parameter.getReference(),
                   annotate(builder, parameter, total));
  }
  incrementStep(builder, algorithm.step());
  eraseDeadAfter(last);
  eraseUnread(block);
  return success();
}

} // namespace
} // namespace blocks
