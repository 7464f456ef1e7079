//===- Penalty.cpp - Adds l1·Σ|W| + l2·ΣW² to the cost --------------------===//
//
// The cost's output becomes the sum that is optimized; the penalty alone is an
// output too, so that both can be monitored.
//
//===----------------------------------------------------------------------===//
#include "lib/Regularize/Passes.h"
#include "lib/Regularize/Regularizer.h"

using namespace mlir;

namespace blocks {

#define GEN_PASS_DEF_PENALTY
#include "lib/Regularize/Passes.h.inc"

namespace {

class PenaltyPass : public impl::PenaltyBase<PenaltyPass> {
public:
  using PenaltyBase::PenaltyBase;

private:
  void runOnOperation() override {
    auto found = findMatches(getOperation(), "blocks-penalty", where);
    if (failed(found))
      return signalPassFailure();
    bool penalized = false;
    for (GraphMatches &matches : *found)
      for (OutputOp cost : costsOf(matches.graph)) {
        if (failed(penalize(cost, matches)))
          return signalPassFailure();
        penalized = true;
      }
    if (penalized)
      return;
    emitError(getOperation().getLoc())
        << "blocks-penalty: no graph with values that '" << where
        << "' matches has an output with role cost";
    signalPassFailure();
  }

  /// The cost that is trained, or every cost where none was chosen.
  static SmallVector<OutputOp> costsOf(GraphOp graph) {
    auto chosen = graph->getAttrOfType<StringAttr>("blocks.cost");
    SmallVector<OutputOp> costs;
    for (auto output : graph.getOps<OutputOp>())
      if (output.getRoles().has(Role::Cost) &&
          (!chosen || output.getNameAttr() == chosen))
        costs.push_back(output);
    return costs;
  }

  LogicalResult penalize(OutputOp cost, GraphMatches &found) {
    OpBuilder builder(cost);
    Value penalty;
    for (FilterMatch &match : found.matches) {
      if (failed(checkMatch(cost, match)))
        return failure();
      Value term = penaltyOf(builder, cost.getLoc(), match.tags.back());
      penalty =
          penalty ? arith::AddFOp::create(builder, cost.getLoc(), penalty, term)
                        .getResult()
                  : term;
    }
    Value total =
        arith::AddFOp::create(builder, cost.getLoc(), cost.getValue(), penalty);
    cost.getValueMutable().assign(total);
    builder.setInsertionPointAfter(cost);
    OutputOp::create(builder, cost.getLoc(), penalty, freeName(found.graph),
                     RolesAttr::empty(builder.getContext()),
                     cost.getAggregate());
    return success();
  }

  LogicalResult checkMatch(OutputOp cost, FilterMatch &match) {
    std::string path = annotationPath(match.tags.front().getAnnotation());
    if (match.value.getParentBlock() != cost->getBlock())
      return emitError(match.tags.front().getLoc())
             << "blocks-penalty: " << path
             << " is inside a scan, where it has a value for each step; "
                "penalize what the scan returns";
    Type element = getElementTypeOrSelf(match.value.getType());
    Type expected = getElementTypeOrSelf(cost.getValue().getType());
    if (element == expected)
      return success();
    return emitError(match.tags.front().getLoc())
           << "blocks-penalty: " << path << " holds " << element
           << ", but the cost is " << expected;
  }

  /// l1·Σ|v| + l2·Σv².
  Value penaltyOf(OpBuilder &builder, Location loc, Value value) {
    Value term;
    auto add = [&](double factor, Value elements) {
      Value sum = scaledSum(builder, loc, factor, elements);
      term = term ? arith::AddFOp::create(builder, loc, term, sum).getResult()
                  : sum;
    };
    if (l1 != 0 || l2 == 0)
      add(l1, math::AbsFOp::create(builder, loc, value));
    if (l2 != 0)
      add(l2, arith::MulFOp::create(builder, loc, value, value));
    return term;
  }

  Value scaledSum(OpBuilder &builder, Location loc, double factor,
                  Value elements) {
    auto type = cast<RankedTensorType>(elements.getType());
    auto axes = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    Value sum = axes.empty() ? elements
                             : ReduceOp::create(builder, loc, ReduceKind::Sum,
                                                elements, axes)
                                   .getResult();
    auto scalar = cast<RankedTensorType>(sum.getType());
    Value constant = arith::ConstantOp::create(
        builder, loc, scalar,
        DenseElementsAttr::get(
            scalar, builder.getFloatAttr(type.getElementType(), factor)));
    return arith::MulFOp::create(builder, loc, sum, constant);
  }

  /// "penalty", or "penalty_1", … when there is one already.
  static std::string freeName(GraphOp graph) {
    std::string name = "penalty";
    auto taken = [&](OutputOp output) { return output.getName() == name; };
    for (int i = 1; llvm::any_of(graph.getOps<OutputOp>(), taken); ++i)
      name = "penalty_" + std::to_string(i);
    return name;
  }
};

} // namespace
} // namespace blocks
