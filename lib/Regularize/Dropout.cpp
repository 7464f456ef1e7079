//===- Dropout.cpp - Sets elements of values to 0 -------------------------===//
//
// Acts once per underlying value: one mask, whatever tags name the value. The
// mask is made where the value is defined; inside scans the positions are part
// of the counter, so that each step has its own.
//
//===----------------------------------------------------------------------===//
#include "lib/Regularize/Passes.h"
#include "lib/Regularize/Regularizer.h"
#include "lib/Roles/AnnotationEffects.h"

using namespace mlir;

namespace blocks {

#define GEN_PASS_DEF_DROPOUT
#include "lib/Regularize/Passes.h.inc"

namespace {

/// `number` in the shape of `like`.
Value splat(OpBuilder &builder, Location loc, double number, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  auto scalar = RankedTensorType::get({}, type.getElementType());
  Value constant = arith::ConstantOp::create(
      builder, loc, scalar,
      DenseElementsAttr::get(
          scalar, builder.getFloatAttr(type.getElementType(), number)));
  return BroadcastOp::create(builder, loc, constant, like, ArrayRef<int64_t>());
}

class DropoutPass : public impl::DropoutBase<DropoutPass>,
                    public AnnotationEffects {
public:
  using DropoutBase::DropoutBase;

private:
  bool adds(AnnotationAttr a) const override {
    return a.getRoles().has(Role::Dropout);
  }

  void runOnOperation() override {
    if (!(p >= 0 && p < 1)) {
      emitError(getOperation().getLoc())
          << "blocks-dropout: p is the probability of setting an element to 0, "
             "from 0 to below 1; found "
          << double(p);
      return signalPassFailure();
    }
    auto found = findMatches(getOperation(), "blocks-dropout", where);
    if (failed(found))
      return signalPassFailure();
    Sites sites(getOperation());
    for (GraphMatches &matches : *found)
      if (failed(dropIn(matches, sites)))
        return signalPassFailure();
  }

  LogicalResult dropIn(GraphMatches &found, Sites &sites) {
    SmallVector<Value> dropped;
    for (FilterMatch &match : found.matches) {
      Type element = getElementTypeOrSelf(match.value.getType());
      if (!element.isF32() && !element.isF64())
        return emitError(match.tags.front().getLoc())
               << "blocks-dropout: "
               << annotationPath(match.tags.front().getAnnotation())
               << " holds " << element
               << ", which cannot be dropped; narrow the filter '" << where
               << "'";
      dropped.append(drop(match, sites));
    }
    warnIfCostUnreached("blocks-dropout", where, found.graph, dropped);
    return success();
  }

  SmallVector<Value> drop(FilterMatch &match, Sites &sites) {
    uint32_t site = sites.take("dropout", match.tags.back().getAnnotation());
    Value factors = buildFactors(match.value, site);
    return replaceUsers(match, [&](OpBuilder &builder, TagOp tag) -> Value {
      Value product =
          arith::MulFOp::create(builder, tag.getLoc(), tag, factors);
      AnnotationAttr a = tag.getAnnotation();
      auto annotation = AnnotationAttr::get(
          a.getContext(), a.getBrick(), a.getApplication(), a.getName(),
          RolesAttr::of(a.getContext(), Role::Dropout), a.getCall());
      return TagOp::create(builder, tag.getLoc(), product, annotation);
    });
  }

  /// 1/(1-p) where the element stays, 0 where it goes.
  Value buildFactors(Value value, uint32_t site) {
    OpBuilder builder = builderAfter(value);
    Location loc = value.getLoc();
    SmallVector<Value> positions;
    if (!perSequence)
      positions = scanPositions(value.getParentBlock());
    Value uniform = RandomOp::create(
        builder, loc, value.getType(),
        RandomKindAttr::get(builder.getContext(), RandomKind::Uniform), value,
        builder.getI32IntegerAttr(int32_t(site)), positions);
    Value keep = splat(builder, loc, 1.0 - p, value);
    Value kept = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                                       uniform, keep);
    return arith::SelectOp::create(builder, loc, kept,
                                   splat(builder, loc, 1.0 / (1.0 - p), value),
                                   splat(builder, loc, 0.0, value));
  }
};

} // namespace
} // namespace blocks
