//===- BatchNormalize.cpp - Training with the batch's statistics ----------===//
//
// The training form of the bricks in lib/Bricks/Normalization.cpp. What to
// replace is found by roles: a broadcast of a population's statistic in the
// shape of a value tagged as the batch's estimate of it.
//
//===----------------------------------------------------------------------===//
#include "lib/Regularize/Passes.h"
#include "lib/Regularize/Regularizer.h"

using namespace mlir;

namespace blocks {

#define GEN_PASS_DEF_BATCHNORMALIZE
#include "lib/Regularize/Passes.h.inc"

namespace {

/// A statistic of the population where it is used, and the batch's estimate.
struct NormalizedBy {
  BroadcastOp use;
  TagOp estimate;
  GetOp population;
};

class BatchNormalizePass : public impl::BatchNormalizeBase<BatchNormalizePass> {
  void runOnOperation() override {
    for (GraphOp graph : graphsToRegularize(getOperation()))
      if (failed(normalize(graph)))
        return signalPassFailure();
  }

  LogicalResult normalize(GraphOp graph) {
    SmallVector<NormalizedBy> found;
    graph.walk([&](BroadcastOp use) {
      if (std::optional<NormalizedBy> statistic = match(use))
        found.push_back(*statistic);
    });
    llvm::StringMap<TagOp> updated;
    for (NormalizedBy &statistic : found)
      if (failed(check(graph, statistic, updated)))
        return failure();
    for (NormalizedBy &statistic : found)
      replace(graph, statistic);
    return success();
  }

  ParameterOp lookup(GetOp get) {
    return dyn_cast_or_null<ParameterOp>(
        SymbolTable::lookupSymbolIn(getOperation(), get.getParameter()));
  }

  std::optional<NormalizedBy> match(BroadcastOp use) {
    auto estimate = use.getLike().getDefiningOp<TagOp>();
    if (!estimate || !estimate.getAnnotation().getRoles().has(
                         Role::BatchNormMinibatchEstimate))
      return std::nullopt;
    Operation *source = use.getInput().getDefiningOp();
    while (isa_and_nonnull<TagOp, tensor::CollapseShapeOp>(source))
      source = source->getOperand(0).getDefiningOp();
    auto population = dyn_cast_or_null<GetOp>(source);
    ParameterOp parameter = population ? lookup(population) : ParameterOp();
    if (!parameter ||
        !parameter.getRoles().has(Role::BatchNormPopulationStatistics))
      return std::nullopt;
    return NormalizedBy{use, estimate, population};
  }

  LogicalResult check(GraphOp graph, NormalizedBy &statistic,
                      llvm::StringMap<TagOp> &updated) {
    std::string path = parameterPath(statistic.population.getParameter());
    if (statistic.use->getParentOp() != graph)
      return emitError(statistic.estimate.getLoc())
             << "blocks-batch-normalize: " << path
             << " is used inside a scan, where each step has a batch of its "
                "own; normalize the sequences before the loop";
    auto [place, isNew] = updated.try_emplace(path, statistic.estimate);
    if (isNew)
      return success();
    InFlightDiagnostic error =
        emitError(statistic.estimate.getLoc())
        << "blocks-batch-normalize: " << path
        << " would be updated by two applications of its brick ("
        << place->second.getAnnotation().getCall() << " and "
        << statistic.estimate.getAnnotation().getCall()
        << ") in one step; apply two bricks";
    error.attachNote(place->second.getLoc()) << "the first is here";
    return error;
  }

  /// What the brick was configured with, or Blocks' example.
  double updateRate(ParameterOp parameter) {
    auto brick = cast<BrickOp>(parameter->getParentOp());
    std::optional<DictionaryAttr> config = brick.getConfig();
    auto rate = config ? config->getAs<FloatAttr>("update_rate") : FloatAttr();
    return rate ? rate.getValueAsDouble() : 0.1;
  }

  void replace(GraphOp graph, NormalizedBy &statistic) {
    ParameterOp parameter = lookup(statistic.population);
    Value old = statistic.use.getInput(), estimate = statistic.estimate;
    statistic.use.replaceAllUsesWith(estimate);
    statistic.use.erase();
    OpBuilder builder = OpBuilder::atBlockEnd(&graph.getBody().front());
    Location loc = parameter.getLoc();
    Value step = arith::SubFOp::create(builder, loc, estimate, old);
    auto type = cast<RankedTensorType>(old.getType());
    auto scalar = RankedTensorType::get({}, type.getElementType());
    Value rate = arith::ConstantOp::create(
        builder, loc, scalar,
        DenseElementsAttr::get(scalar,
                               builder.getFloatAttr(type.getElementType(),
                                                    updateRate(parameter))));
    if (type.getRank() > 0)
      rate = BroadcastOp::create(builder, loc, rate, old, ArrayRef<int64_t>());
    Value next = arith::AddFOp::create(
        builder, loc, old, arith::MulFOp::create(builder, loc, rate, step));
    AssignOp::create(builder, loc, statistic.population.getParameter(),
                     inShapeOf(builder, loc, next, old, parameter));
  }

  /// With the axes of extent 1 of the parameter, which `old` may lack.
  static Value inShapeOf(OpBuilder &builder, Location loc, Value value,
                         Value old, ParameterOp parameter) {
    while (auto tag = old.getDefiningOp<TagOp>())
      old = tag.getInput();
    auto collapse = old.getDefiningOp<tensor::CollapseShapeOp>();
    if (!collapse)
      return value;
    return tensor::ExpandShapeOp::create(builder, loc,
                                         parameter.getTensorType(), value,
                                         collapse.getReassociationIndices());
  }
};

} // namespace
} // namespace blocks
