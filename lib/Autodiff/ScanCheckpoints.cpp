//===- ScanCheckpoints.cpp - Loops cut into segments ----------------------===//
//
// T steps become S segments of T/S steps, S about the square root of T: what
// the gradient keeps is S states, and what one segment needs. The numbers stay
// the same, random ones too: the position of a step in the whole loop is
// segment·length + step.
//
//===----------------------------------------------------------------------===//
#include "lib/Autodiff/ScanCheckpoints.h"

#include "lib/Autodiff/SavedValues.h"

using namespace mlir;

namespace blocks {
namespace {

RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Cuts one scan.
class ScanCutter {
public:
  ScanCutter(ScanOp scan, int64_t segments)
      : scan(scan), segments(segments), length(scan.getStepCount() / segments),
        loc(scan.getLoc()), builder(scan) {}

  void cut();

private:
  Value split(Value sequence);
  Value join(Value stacked);
  Value ofType(Type type, Value value);
  RankedTensorType with(ArrayRef<int64_t> leading, Type step);
  Block *createSegmentBody(ScanOp outer);
  ScanOp createSteps(Block *body);
  Value lastState(OpBuilder &inner, Value stacked);

  ScanOp scan;
  int64_t segments, length;
  Location loc;
  OpBuilder builder;
};

RankedTensorType ScanCutter::with(ArrayRef<int64_t> leading, Type step) {
  SmallVector<int64_t> shape(leading);
  llvm::append_range(shape, cast<RankedTensorType>(step).getShape());
  return RankedTensorType::get(shape, getElementTypeOrSelf(step));
}

/// Time as axis 0 of `rank` + 1 axes becomes axes 0 and 1.
SmallVector<ReassociationIndices> timeGroups(int64_t rank) {
  SmallVector<ReassociationIndices> groups{{0, 1}};
  for (int64_t axis = 0; axis < rank; ++axis)
    groups.push_back({axis + 2});
  return groups;
}

Value ScanCutter::split(Value sequence) {
  RankedTensorType type = typeOf(sequence);
  SmallVector<int64_t> shape{segments, length};
  llvm::append_range(shape, type.getShape().drop_front());
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, sequence);
  sizes[0] = builder.getIndexAttr(length);
  sizes.insert(sizes.begin(), builder.getIndexAttr(segments));
  return tensor::ExpandShapeOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()),
      sequence, timeGroups(type.getRank() - 1), sizes);
}

Value ScanCutter::ofType(Type type, Value value) {
  if (value.getType() == type)
    return value;
  return tensor::CastOp::create(builder, loc, type, value);
}

Value ScanCutter::join(Value stacked) {
  return tensor::CollapseShapeOp::create(
      builder, loc, stacked, timeGroups(typeOf(stacked).getRank() - 2));
}

/// (segment, slices of segments, states).
Block *ScanCutter::createSegmentBody(ScanOp outer) {
  Block *body = &outer.getBody().emplaceBlock();
  body->addArgument(builder.getIndexType(), loc);
  for (Value sequence : outer.getSequences())
    body->addArgument(
        RankedTensorType::get(typeOf(sequence).getShape().drop_front(),
                              typeOf(sequence).getElementType()),
        loc);
  for (Value state : outer.getStates())
    body->addArgument(state.getType(), loc);
  return body;
}

/// The loop over the steps of a segment, with the old body.
ScanOp ScanCutter::createSteps(Block *body) {
  OpBuilder inner = OpBuilder::atBlockEnd(body);
  unsigned sequences = scan.getSequences().size();
  SmallVector<Type> types;
  for (Type type : scan.getBody().front().getTerminator()->getOperandTypes())
    types.push_back(with({length}, type));
  SmallVector<Value> slices(body->getArguments().slice(1, sequences));
  SmallVector<Value> states(body->getArguments().drop_front(1 + sequences));
  Value count;
  if (scan.getSteps())
    count = arith::ConstantIndexOp::create(inner, loc, length);
  Value size = arith::ConstantIndexOp::create(inner, loc, length);
  Value first = arith::MulIOp::create(inner, loc, body->getArgument(0), size);
  auto steps = ScanOp::create(inner, loc, types, slices, states, count,
                              scan.getReverse());
  steps.getBody().takeBody(scan.getBody());
  inner.setInsertionPointToStart(&steps.getBody().front());
  Value position = steps.getPosition();
  if (!position.use_empty()) {
    auto whole = arith::AddIOp::create(inner, loc, first, position);
    position.replaceAllUsesExcept(whole, whole);
  }
  return steps;
}

/// What the segment ends with.
Value ScanCutter::lastState(OpBuilder &inner, Value stacked) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(inner, loc, stacked);
  SmallVector<OpFoldResult> offsets(sizes.size(), inner.getIndexAttr(0)),
      strides(sizes.size(), inner.getIndexAttr(1));
  offsets[0] = inner.getIndexAttr(scan.getReverse() ? 0 : length - 1);
  sizes[0] = inner.getIndexAttr(1);
  auto type = RankedTensorType::get(typeOf(stacked).getShape().drop_front(),
                                    typeOf(stacked).getElementType());
  return tensor::ExtractSliceOp::create(inner, loc, type, stacked, offsets,
                                        sizes, strides);
}

void ScanCutter::cut() {
  SmallVector<Value> sequences;
  for (Value sequence : scan.getSequences())
    sequences.push_back(split(sequence));
  Value count;
  if (scan.getSteps())
    count = arith::ConstantIndexOp::create(builder, loc, segments);
  SmallVector<Type> types(scan.getStates().getTypes()), all;
  for (Type type : scan.getBody().front().getTerminator()->getOperandTypes())
    types.push_back(with({length}, type));
  for (Type type : types)
    all.push_back(with({segments}, type));
  auto outer = ScanOp::create(builder, loc, all, sequences, scan.getStates(),
                              count, scan.getReverse());
  outer->setAttr(recomputeAttribute, builder.getUnitAttr());
  Block *body = createSegmentBody(outer);
  ScanOp steps = createSteps(body);
  OpBuilder inner = OpBuilder::atBlockEnd(body);
  SmallVector<Value> last;
  for (Value stacked : steps.getStackedStates())
    last.push_back(lastState(inner, stacked));
  YieldOp::create(inner, loc, last, steps.getResults());
  for (auto [old, fresh] :
       llvm::zip(scan.getResults(), outer.getStackedOutputs()))
    if (!old.use_empty())
      old.replaceAllUsesWith(ofType(old.getType(), join(fresh)));
  scan.erase();
}

/// The divisor of `steps` nearest to its square root.
int64_t segmentsOf(int64_t steps) {
  int64_t best = 1;
  for (int64_t d = 1; d * d <= steps; ++d)
    if (steps % d == 0)
      best = d;
  return best;
}

} // namespace

LogicalResult checkpointScans(Operation *root) {
  SmallVector<ScanOp> scans;
  root->walk([&](ScanOp scan) {
    if (scan->hasAttr(checkpointAttribute))
      scans.push_back(scan);
  });
  for (ScanOp scan : scans) {
    int64_t steps = scan.getStepCount();
    if (ShapedType::isDynamic(steps))
      return scan.emitError()
             << "a loop with checkpoints needs a known number of steps; give "
                "the time axis of its sequences a fixed extent, or recompute "
                "single steps instead (the option 'recompute')";
    if (segmentsOf(steps) > 1)
      ScanCutter(scan, segmentsOf(steps)).cut();
    else
      scan->setAttr(recomputeAttribute, UnitAttr::get(scan.getContext()));
  }
  return success();
}

} // namespace blocks
