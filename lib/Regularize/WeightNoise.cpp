//===- WeightNoise.cpp - Adds normal noise to parameters ------------------===//
//
// The noise is new in each step and the same for all uses of a parameter. The
// parameter's own annotation stays on the clean value, which a penalty sees.
//
//===----------------------------------------------------------------------===//
#include "lib/Regularize/Passes.h"
#include "lib/Regularize/Regularizer.h"

using namespace mlir;

namespace blocks {

#define GEN_PASS_DEF_WEIGHTNOISE
#include "lib/Regularize/Passes.h.inc"

namespace {

class WeightNoisePass : public impl::WeightNoiseBase<WeightNoisePass> {
public:
  using WeightNoiseBase::WeightNoiseBase;

private:
  void runOnOperation() override {
    auto found = findMatches(getOperation(), "blocks-weight-noise", where);
    if (failed(found))
      return signalPassFailure();
    Sites sites(getOperation());
    for (GraphMatches &matches : *found) {
      SmallVector<Value> noisy;
      for (FilterMatch &match : matches.matches) {
        if (failed(checkType(match)))
          return signalPassFailure();
        noisy.append(addNoise(match, sites));
      }
      warnIfCostUnreached("blocks-weight-noise", where, matches.graph, noisy);
    }
  }

  LogicalResult checkType(FilterMatch &match) {
    Type element = getElementTypeOrSelf(match.value.getType());
    if (element.isF32() || element.isF64())
      return success();
    return emitError(match.tags.front().getLoc())
           << "blocks-weight-noise: "
           << annotationPath(match.tags.front().getAnnotation()) << " holds "
           << element << ", to which no noise can be added; narrow the filter '"
           << where << "'";
  }

  SmallVector<Value> addNoise(FilterMatch &match, Sites &sites) {
    uint32_t site =
        sites.take("weight_noise", match.tags.back().getAnnotation());
    Value noise = buildNoise(match.value, site);
    return replaceUsers(match, [&](OpBuilder &builder, TagOp tag) -> Value {
      return arith::AddFOp::create(builder, tag.getLoc(), tag, noise);
    });
  }

  Value buildNoise(Value value, uint32_t site) {
    OpBuilder builder = builderAfter(value);
    Location loc = value.getLoc();
    auto type = cast<RankedTensorType>(value.getType());
    Value normal = RandomOp::create(
        builder, loc, type,
        RandomKindAttr::get(builder.getContext(), RandomKind::Normal), value,
        builder.getI32IntegerAttr(int32_t(site)),
        scanPositions(value.getParentBlock()));
    auto scalar = RankedTensorType::get({}, type.getElementType());
    Value deviation = arith::ConstantOp::create(
        builder, loc, scalar,
        DenseElementsAttr::get(
            scalar, builder.getFloatAttr(type.getElementType(), std)));
    Value wide = BroadcastOp::create(builder, loc, deviation, value,
                                     ArrayRef<int64_t>());
    return arith::MulFOp::create(builder, loc, normal, wide);
  }
};

} // namespace
} // namespace blocks
