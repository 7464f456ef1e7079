//===- Scan.cpp - The loop over time --------------------------------------===//
//
// A scan is an scf.for over buffers, not over carried states: one-shot
// bufferization would copy a carried state in every step. A state's buffer has
// T+1 slices: forward, slice 0 holds the initial state, and step t reads slice
// t and writes slice t+1; in reverse, slice T holds it, and the step at
// position t reads slice t+1 and writes slice t. The result is the view of the
// other T slices. An output's buffer has T slices; the step at position t
// writes slice t. An output that is the state before or after the step, or the
// slice of a sequence, has no buffer: it is a view of what is there already.
//
// Slices are read by to_tensor and written by materialize_in_destination, both
// `restrict`: a step never writes what it reads, which the analysis of tensors
// could not see. A state's buffer has time and the state's first axis as one
// axis, so that the result can be collapsed along them without a copy.
//
// A state to which each step only adds, and of which only the last value is
// used, has one slice, which every step updates in place.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Generic.h"
#include "lib/Conversion/BlocksToLinalg/Layout.h"

#include <mlir/Dialect/Bufferization/IR/Bufferization.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

using namespace mlir;

namespace blocks {

namespace {

/// The buffer of a state or an output, and the extents of one slice.
struct Stack {
  Value memref;
  SymbolicShape slice;
  bool withInitial;   ///< A state's: one slice more, for its initial value.
  bool isFlat;        ///< Time and the slice's first axis are one axis.
  bool isSum = false; ///< One slice, updated in place.
};

/// Where a result is after the loop: the slices of a stack from `first` on, or
/// all of a sequence.
struct Place {
  Stack stack;
  int64_t first = 0;
  Value sequence = {};
};

/// Lowers one scan.
class ScanLowering {
public:
  ScanLowering(ScanOp op, Lowering &lowering)
      : op(op), lowering(lowering), builder(lowering.builder), loc(op.getLoc()),
        steps(1) {}
  LogicalResult lower();

private:
  LogicalResult findSteps();
  LogicalResult checkSequences();
  LogicalResult checkStates(YieldOp yield);
  LogicalResult lowerBody(scf::ForOp loop);
  void makeStateStacks();
  void placeStates();
  void placeOutputs(YieldOp yield);
  std::optional<Place> findPlace(YieldOp yield, Value output);
  void storeStep(YieldOp yield, ArrayRef<Value> nextStates, Operation *start);
  void bindArguments();
  void bindResults();
  Value resultAt(const Place &place, const SymbolicShape &shape);

  OpFoldResult countWithInitial(const Stack &stack);
  Stack makeStack(const SymbolicShape &slice, Type element, bool withInitial);
  Stack makeSum(const SymbolicShape &slice, Type element);
  Value allocate(ArrayRef<OpFoldResult> sizes, Type element);
  Value view(const Stack &stack, Value position, bool all = false);
  Value sliceOfSequence(Value sequence, const SymbolicShape &slice);
  void store(Value value, Value memref);
  Value read(Value memref, bool writable = false);
  bool isSum(unsigned state);
  void bindSum(Value result, const Stack &stack);

  Value plusOne(Value index);
  Value times(Value index, const Extent &extent);

  ScanOp op;
  Lowering &lowering;
  OpBuilder &builder;
  Location loc;
  Extent steps;
  Value position, next; ///< Of the running step; next = position + 1.
  SmallVector<Stack> states;
  SmallVector<Place> results;   ///< States, then outputs.
  SmallVector<unsigned> stored; ///< The outputs that have their own stack.
};

} // namespace

/// The number of steps is that of the first sequence, or `steps`.
LogicalResult ScanLowering::findSteps() {
  if (!op.getSequences().empty()) {
    steps = lowering.shape(op.getSequences()[0])[0];
    return checkSequences();
  }
  FailureOr<Extent> given =
      lowering.size(op, op.getSteps(), "makes its number of steps of");
  if (failed(given))
    return failure();
  steps = *given;
  return success();
}

LogicalResult ScanLowering::checkSequences() {
  for (Value sequence : op.getSequences())
    if (failed(requireEqualAxes(op, lowering, op.getSequences()[0], 0, sequence,
                                0)))
      return failure();
  return success();
}

/// A state keeps its extents from step to step.
LogicalResult ScanLowering::checkStates(YieldOp yield) {
  for (auto [state, next] : llvm::zip(op.getStates(), yield.getStates()))
    if (failed(requireEqualShapes(op, lowering, state, next)))
      return failure();
  return success();
}

/// Folded, so that sizes are constants where they can be, and types static.
Value ScanLowering::plusOne(Value index) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  return builder.createOrFold<arith::AddIOp>(loc, index, one);
}

Value ScanLowering::times(Value index, const Extent &extent) {
  return builder.createOrFold<arith::MulIOp>(loc, index,
                                             lowering.axes.value(extent));
}

static void splitSizes(ArrayRef<OpFoldResult> sizes,
                       SmallVectorImpl<int64_t> &shape,
                       SmallVectorImpl<Value> &dynamic) {
  for (OpFoldResult size : sizes) {
    std::optional<int64_t> constant = getConstantIntValue(size);
    shape.push_back(constant.value_or(ShapedType::kDynamic));
    if (!constant)
      dynamic.push_back(cast<Value>(size));
  }
}

/// The extent of axis 0 of a buffer of one slice more than there are steps.
OpFoldResult ScanLowering::countWithInitial(const Stack &stack) {
  if (std::optional<int64_t> number = steps.constant()) {
    Extent more(*number + 1);
    return lowering.axes.fold(stack.isFlat ? more * stack.slice[0] : more);
  }
  Value more = plusOne(lowering.axes.value(steps));
  return getAsOpFoldResult(stack.isFlat ? times(more, stack.slice[0]) : more);
}

/// Room for `steps` slices, one more if it holds the initial state too.
Stack ScanLowering::makeStack(const SymbolicShape &slice, Type element,
                              bool withInitial) {
  Stack stack{{}, slice, withInitial, withInitial && !slice.empty()};
  OpFoldResult count = lowering.axes.fold(steps);
  if (withInitial) {
    count = countWithInitial(stack);
  }
  SmallVector<OpFoldResult> sizes{count};
  for (const Extent &extent : ArrayRef(slice).drop_front(stack.isFlat))
    sizes.push_back(lowering.axes.fold(extent));
  stack.memref = allocate(sizes, element);
  return stack;
}

/// Room for one slice.
Stack ScanLowering::makeSum(const SymbolicShape &slice, Type element) {
  Stack stack{{}, slice, false, false, /*isSum=*/true};
  stack.memref = allocate(lowering.axes.fold(slice), element);
  return stack;
}

Value ScanLowering::allocate(ArrayRef<OpFoldResult> sizes, Type element) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  splitSizes(sizes, shape, dynamic);
  return memref::AllocOp::create(builder, loc, MemRefType::get(shape, element),
                                 dynamic, builder.getI64IntegerAttr(64));
}

/// The slice at `position`, without its time axis; or `all`: as many as there
/// are steps, from there on.
Value ScanLowering::view(const Stack &stack, Value position, bool all) {
  if (stack.isSum)
    return stack.memref;
  unsigned rank = cast<MemRefType>(stack.memref.getType()).getRank();
  OpFoldResult one = builder.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets(rank, builder.getIndexAttr(0)),
      strides(rank, one), sizes = lowering.axes.fold(stack.slice);
  auto scaled = [&](Value slices) {
    return stack.isFlat ? times(slices, stack.slice[0]) : slices;
  };
  offsets[0] = getAsOpFoldResult(scaled(position));
  if (!stack.isFlat)
    sizes.insert(sizes.begin(), one);
  if (all)
    sizes[0] =
        lowering.axes.fold(stack.isFlat ? steps * stack.slice[0] : steps);
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  bool dropsTime = !stack.isFlat && !all;
  splitSizes(ArrayRef(sizes).drop_front(dropsTime), shape, dynamic);
  auto type = memref::SubViewOp::inferRankReducedResultType(
      shape, cast<MemRefType>(stack.memref.getType()), offsets, sizes, strides);
  return memref::SubViewOp::create(builder, loc, type, stack.memref, offsets,
                                   sizes, strides);
}

void ScanLowering::store(Value value, Value memref) {
  bufferization::MaterializeInDestinationOp::create(builder, loc, Type(), value,
                                                    memref, /*restrict=*/true,
                                                    /*writable=*/true);
}

Value ScanLowering::read(Value memref, bool writable) {
  auto type = cast<MemRefType>(memref.getType());
  return bufferization::ToTensorOp::create(
      builder, loc,
      RankedTensorType::get(type.getShape(), type.getElementType()), memref,
      /*restrict=*/true, writable);
}

/// True if the steps read the state only to add to it, and after the loop only
/// its last value is used.
bool ScanLowering::isSum(unsigned state) {
  BlockArgument argument = op.getStateArguments()[state];
  auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
  auto sum = yield.getStates()[state].getDefiningOp<arith::AddFOp>();
  if (!sum || sum->getBlock() != argument.getOwner() || !argument.hasOneUse() ||
      *argument.user_begin() != sum || !sum.getResult().hasOneUse())
    return false;
  return llvm::all_of(
      op.getStackedStates()[state].getUsers(), [&](Operation *user) {
        auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
        return isa<tensor::DimOp>(user) ||
               (slice && slice.getType() == argument.getType() &&
                isLastStep(slice, lowering));
      });
}

void ScanLowering::makeStateStacks() {
  Value first = op.getReverse()
                    ? lowering.axes.value(steps)
                    : Value(arith::ConstantIndexOp::create(builder, loc, 0));
  for (auto [i, state] : llvm::enumerate(op.getStates())) {
    Value initial = lowering.get(state);
    SymbolicShape slice = lowering.shape(state), stacked = slice;
    // The extents of what follows the loop are asked for here.
    stacked.insert(stacked.begin(), steps);
    lowering.set(op.getStackedStates()[i], initial, stacked);
    states.push_back(isSum(i) ? makeSum(slice, elementType(initial))
                              : makeStack(slice, elementType(initial),
                                          /*withInitial=*/true));
    store(initial, view(states.back(), first));
  }
}

void ScanLowering::placeStates() {
  for (const Stack &stack : states)
    results.push_back({stack, op.getReverse() ? 0 : 1});
}

/// Where the stacked values of `output` are without a buffer of their own.
/// Annotations are gone, so that equal lowered values are equal.
std::optional<Place> ScanLowering::findPlace(YieldOp yield, Value output) {
  Value value = lowering.get(output);
  for (auto [i, state] : llvm::enumerate(op.getStateArguments()))
    if (lowering.get(state) == value)
      return Place{states[i], op.getReverse() ? 1 : 0};
  for (auto [sequence, slice] :
       llvm::zip(op.getSequences(), op.getSliceArguments()))
    if (lowering.get(slice) == value)
      return Place{{}, 0, lowering.get(sequence)};
  for (auto [i, known] :
       llvm::enumerate(yield.getOperands().take_front(results.size())))
    if (lowering.get(known) == value)
      return results[i];
  return std::nullopt;
}

void ScanLowering::placeOutputs(YieldOp yield) {
  for (auto [i, output] : llvm::enumerate(yield.getOutputs())) {
    std::optional<Place> place = findPlace(yield, output);
    if (!place) {
      place = Place{makeStack(lowering.shape(output),
                              elementType(lowering.get(output)),
                              /*withInitial=*/false)};
      stored.push_back(i);
    }
    results.push_back(*place);
  }
}

Value ScanLowering::sliceOfSequence(Value sequence,
                                    const SymbolicShape &slice) {
  unsigned rank = slice.size() + 1;
  OpFoldResult one = builder.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets(rank, builder.getIndexAttr(0)),
      strides(rank, one), sizes = lowering.axes.fold(slice);
  offsets[0] = position;
  sizes.insert(sizes.begin(), one);
  return tensor::ExtractSliceOp::create(
      builder, loc, tensorType(slice, elementType(sequence)), sequence, offsets,
      sizes, strides);
}

void ScanLowering::bindArguments() {
  lowering.setScalar(op.getPosition(), position);
  for (auto [sequence, argument] :
       llvm::zip(op.getSequences(), op.getSliceArguments())) {
    SymbolicShape slice = lowering.shape(sequence);
    slice.erase(slice.begin());
    lowering.set(argument, sliceOfSequence(lowering.get(sequence), slice),
                 slice);
  }
  for (auto [stack, argument] : llvm::zip(states, op.getStateArguments()))
    lowering.set(
        argument,
        read(view(stack, op.getReverse() ? next : position), stack.isSum),
        stack.slice);
}

/// The stacked value of shape `shape`, (T, slice…).
Value ScanLowering::resultAt(const Place &place, const SymbolicShape &shape) {
  if (place.sequence)
    return place.sequence;
  if (!place.stack.withInitial)
    return read(place.stack.memref);
  Value first = arith::ConstantIndexOp::create(builder, loc, place.first);
  Value value = read(view(place.stack, first, /*all=*/true));
  if (!place.stack.isFlat)
    return value;
  SmallVector<ReassociationIndices> groups{{0, 1}};
  for (unsigned d = 2; d < shape.size(); ++d)
    groups.push_back({int64_t(d)});
  return tensor::ExpandShapeOp::create(
      builder, loc, tensorType(shape, elementType(value)), value, groups,
      lowering.axes.fold(shape));
}

void ScanLowering::bindResults() {
  auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
  for (auto [place, result, value] :
       llvm::zip(results, op.getResults(), yield.getOperands())) {
    SymbolicShape shape = lowering.shape(value);
    if (place.stack.isSum) {
      bindSum(result, place.stack);
      continue;
    }
    shape.insert(shape.begin(), steps);
    lowering.set(result, resultAt(place, shape), shape);
  }
}

/// All that is taken of the sum is its last value.
void ScanLowering::bindSum(Value result, const Stack &stack) {
  Value last = read(stack.memref);
  for (Operation *user : result.getUsers())
    if (isa<tensor::ExtractSliceOp>(user))
      lowering.set(user->getResult(0), last, stack.slice);
}

LogicalResult ScanLowering::lower() {
  if (failed(findSteps()))
    return failure();
  makeStateStacks();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value count = lowering.axes.value(steps);
  auto loop = scf::ForOp::create(builder, loc, zero, count, one);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    position = loop.getInductionVar();
    if (op.getReverse()) {
      Value rest = arith::SubIOp::create(builder, loc, count, position);
      position = arith::SubIOp::create(builder, loc, rest, one);
    }
    next = plusOne(position);
    if (failed(lowerBody(loop)))
      return failure();
  }
  bindResults();
  return success();
}

/// Where a step writes is known before it computes, so that its operations can
/// write there directly.
LogicalResult ScanLowering::lowerBody(scf::ForOp loop) {
  bindArguments();
  SmallVector<Value> nextStates;
  for (const Stack &stack : states)
    nextStates.push_back(view(stack, op.getReverse() ? position : next));
  Operation *start = &*std::prev(builder.getInsertionPoint());
  auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
  if (failed(lowering.lowerBlock(op.getBody().front())) ||
      failed(checkStates(yield)))
    return failure();
  builder.setInsertionPoint(loop);
  placeStates();
  placeOutputs(yield);
  storeStep(yield, nextStates, start);
  return success();
}

/// Writes the step's states and outputs; `start` stands before its operations.
void ScanLowering::storeStep(YieldOp yield, ArrayRef<Value> nextStates,
                             Operation *start) {
  builder.setInsertionPointAfter(start);
  SmallVector<Value> targets;
  for (unsigned i : stored)
    targets.push_back(view(results[states.size() + i].stack, position));
  builder.setInsertionPoint(start->getBlock()->getTerminator());
  for (auto [value, target] : llvm::zip(yield.getStates(), nextStates))
    store(lowering.get(value), target);
  for (auto [i, target] : llvm::zip(stored, targets))
    store(lowering.get(yield.getOutputs()[i]), target);
}

LogicalResult lowerScan(ScanOp op, Lowering &lowering) {
  return ScanLowering(op, lowering).lower();
}

} // namespace blocks
