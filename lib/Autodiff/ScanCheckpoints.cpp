//===- ScanCheckpoints.cpp - Loops cut into segments ----------------------===//
//
// T steps become K segments of S steps, S about the square root of T, and a
// loop over the R < S steps that are left: T = K·S + R. What the gradient keeps
// is K states, and what one segment and the rest need. Every step is done once
// as before, none is guarded or padded, so that the values are the same to the
// last bit, random ones too: the position of a step in the whole loop is
// segment·S + step, or K·S + step. S, K and R are numbers of the compiler, or,
// where T is known by the run alone, extents made of it:
//
//   S = max(⌊√T⌋, 1)   R = T mod S   K = (T - R) / S
//
//===----------------------------------------------------------------------===//
#include "lib/Autodiff/ScanCheckpoints.h"

#include "dialects/Blocks/SquareRoot.h"
#include "lib/Autodiff/LastState.h"
#include "lib/Autodiff/SavedValues.h"

#include <mlir/Dialect/Arith/Utils/Utils.h>

using namespace mlir;

namespace blocks {
namespace {

RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

int64_t numberOf(OpFoldResult size) {
  return getConstantIntValue(size).value_or(ShapedType::kDynamic);
}

/// The type of `leading` axes before those of `step`.
RankedTensorType with(ArrayRef<int64_t> leading, Type step) {
  SmallVector<int64_t> shape(leading);
  llvm::append_range(shape, cast<RankedTensorType>(step).getShape());
  return RankedTensorType::get(shape, getElementTypeOrSelf(step));
}

/// How the steps are cut: the first `whole` are `count` segments of `length`.
struct Cut {
  OpFoldResult count, length, whole, rest, steps;
  bool hasRest() const { return getConstantIntValue(rest) != 0; }
};

/// Cuts one scan.
class ScanCutter {
public:
  ScanCutter(ScanOp scan, const Cut &cut)
      : scan(scan), cut(cut), loc(scan.getLoc()), builder(scan) {}

  void run();

private:
  Value index(OpBuilder &at, OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(at, loc, size);
  }
  Value part(Value sequence, OpFoldResult from, OpFoldResult size);
  Value split(Value sequence);
  Value join(Value stacked);
  void addToPosition(ScanOp loop, Value first);
  ScanOp createSegments(ValueRange states);
  ScanOp createSteps(Block *body);
  ScanOp createRest(ValueRange states);
  SmallVector<Value> lastStates(OpBuilder &at, ScanOp loop);
  void findJoined();
  void replaceForms(ValueRange last);

  ScanOp scan;
  Cut cut;
  Location loc;
  OpBuilder builder;
  SmallVector<unsigned> joined; // results that are wanted step by step
};

//===--- Sequences and results --------------------------------------------===//

/// `size` steps of a sequence.
Value ScanCutter::part(Value sequence, OpFoldResult from, OpFoldResult size) {
  if (!cut.hasRest())
    return sequence;
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, sequence);
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0)),
      strides(sizes.size(), builder.getIndexAttr(1));
  offsets[0] = from;
  sizes[0] = size;
  SmallVector<int64_t> shape(typeOf(sequence).getShape());
  shape[0] = numberOf(size);
  auto type = RankedTensorType::get(shape, typeOf(sequence).getElementType());
  return tensor::ExtractSliceOp::create(builder, loc, type, sequence, offsets,
                                        sizes, strides);
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
  SmallVector<int64_t> shape{numberOf(cut.count), numberOf(cut.length)};
  llvm::append_range(shape, type.getShape().drop_front());
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, sequence);
  sizes[0] = cut.length;
  sizes.insert(sizes.begin(), cut.count);
  return tensor::ExpandShapeOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()),
      sequence, timeGroups(type.getRank() - 1), sizes);
}

Value ScanCutter::join(Value stacked) {
  return tensor::CollapseShapeOp::create(
      builder, loc, stacked, timeGroups(typeOf(stacked).getRank() - 2));
}

/// The states after all steps of `loop`.
SmallVector<Value> ScanCutter::lastStates(OpBuilder &at, ScanOp loop) {
  SmallVector<Value> last;
  for (Value stacked : loop.getStackedStates())
    last.push_back(lastState(at, loc, stacked, loop.getReverse()));
  return last;
}

/// The users of a result and of its annotated forms.
SmallVector<Operation *> usersOf(Value result) {
  SmallVector<Operation *> users(result.getUsers());
  for (unsigned i = 0; i < users.size(); ++i)
    if (auto tag = dyn_cast<TagOp>(users[i]))
      llvm::append_range(users, tag.getResult().getUsers());
  return users;
}

/// States of which only the last one or an extent is asked need not be joined:
/// a segment then leaves nothing but its last state.
void ScanCutter::findJoined() {
  for (OpResult result : scan.getResults())
    if (llvm::any_of(usersOf(result), [&](Operation *user) {
          auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
          auto dim = dyn_cast<tensor::DimOp>(user);
          bool isState = result.getResultNumber() < scan.getStates().size();
          return !isa<TagOp>(user) &&
                 !(slice && stackOfLastState(slice) == result) &&
                 !(isState && dim && dim.getConstantIndex());
        }))
      joined.push_back(result.getResultNumber());
}

/// What takes the last of the stacked states takes it from the last loop, and
/// what asks for an extent gets it from elsewhere.
void ScanCutter::replaceForms(ValueRange last) {
  for (auto [result, state] : llvm::zip(scan.getStackedStates(), last))
    for (Operation *user : usersOf(result))
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user)) {
        if (stackOfLastState(slice) == result) {
          slice.replaceAllUsesWith(state);
          slice.erase();
        }
      }
  for (auto [result, initial] :
       llvm::zip(scan.getStackedStates(), scan.getStates()))
    for (Operation *user : usersOf(result)) {
      auto dim = dyn_cast<tensor::DimOp>(user);
      std::optional<int64_t> axis = dim ? dim.getConstantIndex() : std::nullopt;
      if (!axis)
        continue;
      dim.replaceAllUsesWith(
          *axis == 0
              ? index(builder, cut.steps)
              : Value(tensor::DimOp::create(builder, loc, initial, *axis - 1)));
      dim.erase();
    }
}

//===--- The loops --------------------------------------------------------===//

/// The body of `loop` counts from `first`.
void ScanCutter::addToPosition(ScanOp loop, Value first) {
  Value position = loop.getPosition();
  if (position.use_empty())
    return;
  OpBuilder inner = OpBuilder::atBlockBegin(&loop.getBody().front());
  auto whole = arith::AddIOp::create(inner, loc, first, position);
  position.replaceAllUsesExcept(whole, whole);
}

/// The loop over the steps of a segment, with the old body.
ScanOp ScanCutter::createSteps(Block *body) {
  OpBuilder inner = OpBuilder::atBlockEnd(body);
  unsigned sequences = scan.getSequences().size();
  SmallVector<Type> types;
  for (Type type : scan.getBody().front().getTerminator()->getOperandTypes())
    types.push_back(with({numberOf(cut.length)}, type));
  SmallVector<Value> slices(body->getArguments().slice(1, sequences));
  SmallVector<Value> states(body->getArguments().drop_front(1 + sequences));
  Value length = index(inner, cut.length);
  Value first = arith::MulIOp::create(inner, loc, body->getArgument(0), length);
  auto steps =
      ScanOp::create(inner, loc, types, slices, states,
                     scan.getSteps() ? length : Value(), scan.getReverse());
  steps.getBody().takeBody(scan.getBody());
  addToPosition(steps, first);
  return steps;
}

/// The loop over segments, whose body takes (segment, slices of segments,
/// states); of the old one it takes the body.
ScanOp ScanCutter::createSegments(ValueRange states) {
  SmallVector<Value> sequences;
  for (Value sequence : scan.getSequences())
    sequences.push_back(
        split(part(sequence, builder.getIndexAttr(0), cut.whole)));
  int64_t count = numberOf(cut.count);
  SmallVector<Type> types;
  for (Value state : states)
    types.push_back(with({count}, state.getType()));
  Operation *yield = scan.getBody().front().getTerminator();
  for (unsigned i : joined)
    types.push_back(
        with({count, numberOf(cut.length)}, yield->getOperand(i).getType()));
  auto outer = ScanOp::create(
      builder, loc, types, sequences, states,
      scan.getSteps() ? index(builder, cut.count) : Value(), scan.getReverse());
  outer->setAttr(recomputeAttribute, builder.getUnitAttr());
  Block *body = &outer.getBody().emplaceBlock();
  body->addArgument(builder.getIndexType(), loc);
  for (Value sequence : sequences)
    body->addArgument(
        RankedTensorType::get(typeOf(sequence).getShape().drop_front(),
                              typeOf(sequence).getElementType()),
        loc);
  for (Value state : states)
    body->addArgument(state.getType(), loc);
  ScanOp steps = createSteps(body);
  OpBuilder inner = OpBuilder::atBlockEnd(body);
  SmallVector<Value> last = lastStates(inner, steps);
  SmallVector<Value> outputs;
  for (unsigned i : joined)
    outputs.push_back(steps.getResult(i));
  YieldOp::create(inner, loc, last, outputs);
  return outer;
}

/// The loop over the steps after the last segment, with a copy of the body.
ScanOp ScanCutter::createRest(ValueRange states) {
  SmallVector<Value> sequences;
  for (Value sequence : scan.getSequences())
    sequences.push_back(part(sequence, cut.whole, cut.rest));
  SmallVector<Type> types;
  for (Type type : scan.getBody().front().getTerminator()->getOperandTypes())
    types.push_back(with({numberOf(cut.rest)}, type));
  Value first = index(builder, cut.whole);
  auto rest = ScanOp::create(
      builder, loc, types, sequences, states,
      scan.getSteps() ? index(builder, cut.rest) : Value(), scan.getReverse());
  IRMapping same;
  scan.getBody().cloneInto(&rest.getBody(), same);
  addToPosition(rest, first);
  return rest;
}

/// In the order in which their steps are done.
void ScanCutter::run() {
  findJoined();
  SmallVector<Value> states(scan.getStates());
  ScanOp segments, rest;
  if (scan.getReverse() && cut.hasRest()) {
    rest = createRest(states);
    states = lastStates(builder, rest);
  }
  // The body leaves the old loop last.
  if (!scan.getReverse() && cut.hasRest()) {
    IRMapping same;
    Region copy;
    scan.getBody().cloneInto(&copy, same);
    segments = createSegments(states);
    scan.getBody().takeBody(copy);
    rest = createRest(lastStates(builder, segments));
    states = lastStates(builder, rest);
  } else {
    segments = createSegments(states);
    states = lastStates(builder, segments);
  }
  replaceForms(states);
  for (auto [i, stacked] : llvm::zip(joined, segments.getStackedOutputs())) {
    Value old = scan.getResult(i), whole = join(stacked);
    if (cut.hasRest())
      whole = tensor::ConcatOp::create(builder, loc, 0,
                                       ValueRange{whole, rest.getResult(i)});
    if (whole.getType() != old.getType())
      whole = tensor::CastOp::create(builder, loc, old.getType(), whole);
    old.replaceAllUsesWith(whole);
  }
  // Annotations of what is not there any more.
  for (OpResult result : scan.getResults()) {
    auto tags = usersOf(result); // What `reverse` shows must outlive it.
    for (Operation *tag : llvm::reverse(tags))
      tag->erase();
  }
  scan.erase();
}

//===--- The lengths ------------------------------------------------------===//

/// A divisor near the root leaves no rest.
Cut cutOf(Builder &builder, int64_t steps) {
  int64_t root = 1, segments = 1;
  while ((root + 1) * (root + 1) <= steps)
    ++root;
  for (int64_t d = 1; d <= root; ++d)
    if (steps % d == 0)
      segments = d;
  int64_t length = 2 * segments > root ? steps / segments : root;
  auto size = [&](int64_t number) { return builder.getIndexAttr(number); };
  return {size(steps / length), size(length), size(steps / length * length),
          size(steps % length), size(steps)};
}

Cut cutOf(ScanOp scan) {
  OpBuilder builder(scan);
  if (int64_t steps = scan.getStepCount(); !ShapedType::isDynamic(steps))
    return cutOf(builder, steps);
  Location loc = scan.getLoc();
  Value steps = scan.getSteps();
  if (!scan.getSequences().empty())
    steps = tensor::DimOp::create(builder, loc, scan.getSequences()[0], 0);
  Value length = createSquareRoot(builder, loc, steps);
  Value rest = arith::RemUIOp::create(builder, loc, steps, length);
  Value whole = arith::SubIOp::create(builder, loc, steps, rest);
  Value count = arith::DivUIOp::create(builder, loc, whole, length);
  return {count, length, whole, rest, steps};
}

} // namespace

void checkpointScans(Operation *root) {
  SmallVector<ScanOp> scans;
  root->walk([&](ScanOp scan) {
    if (scan->hasAttr(checkpointAttribute))
      scans.push_back(scan);
  });
  for (ScanOp scan : scans) {
    int64_t steps = scan.getStepCount();
    if (ShapedType::isDynamic(steps) || steps > 3)
      ScanCutter(scan, cutOf(scan)).run();
    else // no two segments of two
      scan->setAttr(recomputeAttribute, UnitAttr::get(scan.getContext()));
  }
}

} // namespace blocks
