//===- ScanGradient.cpp - The gradient of the loop over time --------------===//
//
// The backward scan runs in the other direction. Its states are the gradients
// of the forward states, its sequences are the gradients that arrive at the
// forward results and the saved values, its outputs are the gradients of the
// sequences' slices and whatever the captured values need. It starts from the
// gradients of the states that the forward loop ended with.
//
// A captured matrix gets its gradient from one product after the loop: the sum
// over steps of hᵀ·dz is the product of all steps' h and dz, with time and
// batch merged; of a captured stack of matrices the same, position by position.
// A captured bias gets one sum over the same stacked dz, a captured table one
// scatter_add of all steps' rows. What is left is added up from step to step,
// in a state of its own.
//
//===----------------------------------------------------------------------===//
#include "lib/Autodiff/ScanGradient.h"

#include "lib/Autodiff/Expressions.h"
#include "lib/Autodiff/SavedValues.h"

#include <mlir/Dialect/Arith/Utils/Utils.h>

using namespace mlir;

namespace blocks {
namespace {

RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// A stacked tensor: a value outside of the loops, or one that the forward or
/// the backward scan will give.
struct Source {
  Value outside;
  std::optional<Stacked> forward;
  std::optional<unsigned> output;
};

/// The gradient of operand `operand` of `op`, which is built after the loop.
struct Deferred {
  Operation *op;
  unsigned operand;
  Source stackedGradient;
  std::optional<Stacked> stackedFactor; // of a product: the other operand; of
                                        // a gather: the indices
  bool isReduced = false; // of a broadcast: the step has summed all axes but 0
};

/// A captured value that the body repeats, and the gradient of the repetition.
struct Repeated {
  BroadcastOp op;
  Value gradient;
};

class ScanGradient {
public:
  ScanGradient(ScanOp scan, ReverseMode &outer)
      : scan(scan), outer(outer), builder(outer.getBuilder()),
        inner(builder.getContext()), visit(inner, outer.getActivity()),
        saved(scan) {}

  LogicalResult build();

private:
  void createBody();
  void seed();
  void yieldStateGradients();
  void yieldSequenceGradients();
  void sumRepetitions();
  void yieldCapturedGradients();
  void closeBody();
  void finish();
  void addStateGradients(ScanOp backward);
  Value lastStep(ScanOp backward, unsigned state);
  void addDeferred(Deferred &deferred, ScanOp backward);

  bool defer(Operation *op, unsigned operand, Value gradient);
  Value slice(const Source &source, Type type);
  Value slice(Stacked stacked);
  unsigned output(Value value, Type stackedType);
  /// The sequence of the backward scan that `value` is a slice of, or null.
  const Source *sequenceOf(Value value) const;
  bool isStacked(Value gradient);
  Source stackGradient(Value gradient);
  Value resolve(const Source &source, ScanOp backward);
  Value resolve(Stacked stacked);
  RankedTensorType stackedType(Type step);
  Value stepCount();
  Location loc() { return scan.getLoc(); }

  ScanOp scan;
  ReverseMode &outer;
  OpBuilder &builder;
  OpBuilder inner;
  ReverseMode visit;
  SavedValues saved;

  ScanOp draft; // holds the body until its operands and results are known
  Block *body = nullptr;
  SmallVector<Source> sequences;
  SmallVector<unsigned> states; // the forward states that carry gradients
  SmallVector<Value> ends;      // their gradients after the last step, or null
  SmallVector<Value> nextStates;
  SmallVector<Value> outputs;
  SmallVector<Type> outputTypes;
  SmallVector<Value> accumulated; // captured values; states after the others
  SmallVector<Repeated> repetitions;
  SmallVector<std::pair<Value, unsigned>> spread; // sequence, output
  SmallVector<Deferred> deferred;
};

//===--- Building the body ------------------------------------------------===//

LogicalResult ScanGradient::build() {
  createBody();
  visit.setHook([&](Operation *op, unsigned operand, Value gradient) {
    return defer(op, operand, gradient);
  });
  visit.setReplaced([&](Value old, Value fresh) { saved.replace(old, fresh); });
  seed();
  if (failed(visit.visit(scan.getBody().front())))
    return failure();
  yieldStateGradients();
  yieldSequenceGradients();
  sumRepetitions();
  yieldCapturedGradients();
  closeBody();
  finish();
  return success();
}

/// The body starts with the position and the states' gradients; slices are put
/// between them as they are asked for.
void ScanGradient::createBody() {
  draft = ScanOp::create(builder, loc(), TypeRange(), ValueRange(),
                         ValueRange(), Value(), !scan.getReverse());
  body = &draft.getBody().emplaceBlock();
  body->addArgument(inner.getIndexType(), loc());
  inner.setInsertionPointToEnd(body);
  for (auto [i, argument] : llvm::enumerate(scan.getStateArguments()))
    if (outer.getActivity().contains(argument)) {
      states.push_back(i);
      ends.push_back(outer.lastGradient(scan.getResult(i)));
      body->addArgument(argument.getType(), loc());
    }
}

Value ScanGradient::slice(const Source &source, Type type) {
  sequences.push_back(source);
  return body->insertArgument(sequences.size(), type, loc());
}

/// One argument for each stacked tensor of the forward scan.
Value ScanGradient::slice(Stacked stacked) {
  for (auto [i, source] : llvm::enumerate(sequences))
    if (source.forward && source.forward->kind == stacked.kind &&
        source.forward->index == stacked.index)
      return body->getArgument(1 + i);
  Block &forward = scan.getBody().front();
  auto yield = cast<YieldOp>(forward.getTerminator());
  Type type;
  if (stacked.kind == Stacked::Sequence)
    type = scan.getSliceArguments()[stacked.index].getType();
  else if (stacked.index < yield.getNumOperands())
    type = yield.getOperand(stacked.index).getType();
  else
    type = saved.savedType(stacked.index - yield.getNumOperands());
  return slice(Source{{}, stacked, {}}, type);
}

/// The gradients that arrive at the yielded values: from the results, and for
/// states also from the step after.
void ScanGradient::seed() {
  auto yield = cast<YieldOp>(scan.getBody().front().getTerminator());
  for (auto [i, result] : llvm::enumerate(scan.getResults()))
    if (Value gradient = outer.gradient(result))
      if (outer.getActivity().contains(result))
        visit.add(yield.getOperand(i), slice(Source{gradient, {}, {}},
                                             yield.getOperand(i).getType()));
  unsigned first = 1 + sequences.size();
  for (auto [k, i] : llvm::enumerate(states))
    visit.add(yield.getStates()[i], body->getArgument(first + k));
}

/// Products with a captured matrix, rows of a captured table and broadcasts of
/// a captured value are put off until after the loop.
bool ScanGradient::defer(Operation *op, unsigned operand, Value gradient) {
  if (saved.isInside(op->getOperand(operand)))
    return false;
  Deferred later{op, operand, {}, {}, false};
  // Rows of time and batch merge only if they lead in both factors.
  auto stackLhs = [&](auto product) {
    if (operand != 1 || product.getTransposeLhs() ||
        !saved.isInside(product.getLhs()))
      return false;
    later.stackedFactor = saved.stack(product.getLhs());
    return true;
  };
  if (auto product = dyn_cast<MatmulOp>(op)) {
    if (!stackLhs(product))
      return false;
  } else if (auto product = dyn_cast<BatchMatmulOp>(op)) {
    if (!stackLhs(product))
      return false;
  } else if (auto gather = dyn_cast<GatherOp>(op)) {
    if (operand != 0 || !saved.isInside(gather.getIndices()))
      return false;
    later.stackedFactor = saved.stack(gather.getIndices());
  } else if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    repetitions.push_back({broadcast, gradient});
    return true;
  } else {
    return false;
  }
  later.stackedGradient = stackGradient(gradient);
  deferred.push_back(later);
  return true;
}

const Source *ScanGradient::sequenceOf(Value value) const {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != body || argument.getArgNumber() < 1 ||
      argument.getArgNumber() > sequences.size())
    return nullptr;
  return &sequences[argument.getArgNumber() - 1];
}

/// True if the gradients of all steps are there without a further output.
bool ScanGradient::isStacked(Value gradient) {
  return sequenceOf(gradient) || llvm::is_contained(outputs, gradient);
}

/// The gradient of all steps: the sequence it is a slice of, or a new output.
Source ScanGradient::stackGradient(Value gradient) {
  if (const Source *known = sequenceOf(gradient))
    return *known;
  return Source{{}, {}, output(gradient, stackedType(gradient.getType()))};
}

unsigned ScanGradient::output(Value value, Type type) {
  for (auto [i, known] : llvm::enumerate(outputs))
    if (known == value && outputTypes[i] == type)
      return i;
  outputs.push_back(value);
  outputTypes.push_back(type);
  return outputs.size() - 1;
}

void ScanGradient::yieldStateGradients() {
  Expressions e(inner, loc());
  for (unsigned i : states) {
    Value state = scan.getStateArguments()[i];
    Value gradient = visit.gradient(state);
    nextStates.push_back(gradient ? gradient : e.constant(0.0, state));
  }
}

void ScanGradient::yieldSequenceGradients() {
  for (auto [sequence, argument] :
       llvm::zip(scan.getSequences(), scan.getSliceArguments()))
    if (Value gradient = visit.gradient(argument))
      spread.push_back({sequence, output(gradient, sequence.getType())});
}

/// A repetition's gradient is summed over the new axes: after the loop for all
/// steps at once, if it is stacked anyway or the new axis is axis 0 alone;
/// else by each step over all of them but axis 0, whose elements stay apart
/// until after the loop, so that a step can work on them one by one.
void ScanGradient::sumRepetitions() {
  for (auto [op, gradient] : repetitions) {
    SmallVector<int64_t> newAxes;
    for (int64_t axis = 1; axis < typeOf(op.getResult()).getRank(); ++axis)
      if (!llvm::is_contained(op.getDims(), axis))
        newAxes.push_back(axis);
    bool isAlongRows = !llvm::is_contained(op.getDims(), 0);
    if (newAxes.empty() || isStacked(gradient)) {
      deferred.push_back({op, 0, stackGradient(gradient), {}, false});
      continue;
    }
    Value sum = ReduceOp::create(inner, loc(), ReduceKind::Sum, gradient,
                                 ArrayRef<int64_t>(newAxes));
    if (isAlongRows)
      deferred.push_back({op, 0, stackGradient(sum), {}, true});
    else
      visit.add(op.getInput(), sum);
  }
}

void ScanGradient::yieldCapturedGradients() {
  Expressions e(inner, loc());
  for (auto &[value, gradient] : visit.all())
    if (!saved.isInside(value)) {
      Value sum = body->addArgument(gradient.getType(), loc());
      nextStates.push_back(e.add(sum, gradient));
      accumulated.push_back(value);
    }
}

/// Ends the body and gives it the forward values that it uses.
void ScanGradient::closeBody() {
  YieldOp::create(inner, loc(), nextStates, outputs);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*body)))
    if (isOpTriviallyDead(&op))
      op.erase();
  saved.resolveUses(*body, body->getArgument(0),
                    [&](Stacked stacked) { return slice(stacked); });
}

//===--- After the loop ---------------------------------------------------===//

RankedTensorType ScanGradient::stackedType(Type step) {
  auto type = cast<RankedTensorType>(step);
  SmallVector<int64_t> shape{scan.getStepCount()};
  llvm::append_range(shape, type.getShape());
  return RankedTensorType::get(shape, type.getElementType());
}

Value ScanGradient::resolve(Stacked stacked) {
  return stacked.kind == Stacked::Sequence
             ? Value(scan.getSequences()[stacked.index])
             : Value(scan.getResult(stacked.index));
}

Value ScanGradient::resolve(const Source &source, ScanOp backward) {
  if (source.forward)
    return resolve(*source.forward);
  if (source.output)
    return backward.getStackedOutputs()[*source.output];
  return source.outside;
}

void ScanGradient::finish() {
  SmallVector<Value> old(scan.getResults());
  scan = saved.rebuild();
  for (auto [before, after] : llvm::zip(old, scan.getResults()))
    outer.replace(before, after);
  SmallVector<Value> sequenceValues, initial;
  for (const Source &source : sequences)
    sequenceValues.push_back(resolve(source, {}));
  builder.setInsertionPoint(draft);
  Expressions e(builder, loc());
  SmallVector<Type> types;
  for (auto [i, end] : llvm::zip(states, ends)) {
    Value state = scan.getStates()[i];
    initial.push_back(end ? end : e.constant(0.0, state));
    types.push_back(stackedType(state.getType()));
  }
  for (Value value : accumulated) {
    initial.push_back(e.constant(0.0, value));
    types.push_back(stackedType(value.getType()));
  }
  llvm::append_range(types, outputTypes);
  auto backward =
      ScanOp::create(builder, loc(), types, sequenceValues, initial,
                     sequenceValues.empty() ? stepCount() : scan.getSteps(),
                     !scan.getReverse());
  backward.getBody().takeBody(draft.getBody());
  builder.setInsertionPointAfter(draft);
  draft.erase();

  addStateGradients(backward);
  for (auto [sequence, i] : spread)
    outer.add(sequence, backward.getStackedOutputs()[i]);
  for (auto [i, value] : llvm::enumerate(accumulated))
    outer.add(value, lastStep(backward, states.size() + i));
  for (Deferred &later : deferred)
    addDeferred(later, backward);
}

/// The number of steps, for a loop that needs nothing of the forward steps.
Value ScanGradient::stepCount() {
  if (Value steps = scan.getSteps())
    return steps;
  return getValueOrCreateConstantIndexOp(
      builder, loc(),
      tensor::getMixedSize(builder, loc(), scan.getSequences()[0], 0));
}

/// The gradient of an initial state is that after the last backward step.
void ScanGradient::addStateGradients(ScanOp backward) {
  for (auto [k, i] : llvm::enumerate(states)) {
    Value initial = scan.getStates()[i];
    if (outer.getActivity().contains(initial))
      outer.add(initial, lastStep(backward, k));
  }
}

/// A state of the backward scan after its last step.
Value ScanGradient::lastStep(ScanOp backward, unsigned state) {
  return lastState(builder, loc(), backward.getStackedStates()[state],
                   backward.getReverse());
}

/// [time, positions…, m, n] as [positions…, time·m, n].
static Value mergeTime(OpBuilder &builder, Location loc, Value stacked) {
  int64_t rank = typeOf(stacked).getRank();
  SmallVector<int64_t> permutation;
  SmallVector<ReassociationIndices> groups;
  for (int64_t axis = 1; axis < rank - 2; ++axis) {
    permutation.push_back(axis);
    groups.push_back({axis - 1});
  }
  permutation.append({0, rank - 2, rank - 1});
  groups.push_back({rank - 3, rank - 2});
  groups.push_back({rank - 1});
  if (rank > 3) // Else time leads already.
    stacked = TransposeOp::create(builder, loc, stacked, permutation);
  return tensor::CollapseShapeOp::create(builder, loc, stacked, groups);
}

void ScanGradient::addDeferred(Deferred &later, ScanOp backward) {
  Value captured = later.op->getOperand(later.operand);
  Value gradients = resolve(later.stackedGradient, backward);
  auto addProduct = [&](auto product) {
    Value dz = mergeTime(builder, loc(), gradients);
    Value h = mergeTime(builder, loc(), resolve(*later.stackedFactor));
    bool transposed = product.getTransposeRhs();
    outer.add(captured, decltype(product)::create(
                            builder, loc(), captured.getType(),
                            transposed ? dz : h, transposed ? h : dz,
                            /*transposeLhs=*/true, /*transposeRhs=*/false));
  };
  if (auto product = dyn_cast<MatmulOp>(later.op))
    return addProduct(product);
  if (auto product = dyn_cast<BatchMatmulOp>(later.op))
    return addProduct(product);
  if (isa<GatherOp>(later.op)) {
    outer.add(captured,
              ScatterAddOp::create(builder, loc(), gradients,
                                   resolve(*later.stackedFactor), captured));
    return;
  }
  auto broadcast = cast<BroadcastOp>(later.op);
  SmallVector<int64_t> axes{0};
  int64_t rank = later.isReduced ? 1 : typeOf(broadcast.getResult()).getRank();
  for (int64_t axis = 0; axis < rank; ++axis)
    if (!llvm::is_contained(broadcast.getDims(), axis))
      axes.push_back(axis + 1);
  outer.add(captured, ReduceOp::create(builder, loc(), captured.getType(),
                                       ReduceKind::Sum, gradients,
                                       builder.getDenseI64ArrayAttr(axes)));
}

} // namespace

LogicalResult differentiateScan(ScanOp scan, ReverseMode &outer) {
  return ScanGradient(scan, outer).build();
}

} // namespace blocks
