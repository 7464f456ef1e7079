//===- RecurrentLoop.cpp - A scan around one step -------------------------===//
//
// See the header. The states before the step are an output that is the body's
// own argument: the buffer of the stacked states one slice earlier.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/RecurrentLoop.h"

#include "lib/Bricks/TensorHelpers.h"

using namespace mlir;

namespace blocks {

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

namespace {

/// Builds one loop.
class LoopBuilder {
public:
  LoopBuilder(ApplicationBuilder &builder, const Loop &loop)
      : builder(builder), loop(loop), loc(builder.getLoc()) {}

  FailureOr<LoopResults> build(const LoopStep &step);

private:
  Block *createBody(NamedValues &arguments);
  FailureOr<YieldOp> buildStep(const LoopStep &step, NamedValues &arguments);
  RankedTensorType stacked(Type step);
  bool isState(StringRef name) { return bool(loop.states[name]); }

  ApplicationBuilder &builder;
  const Loop &loop;
  Location loc;
  ScanOp draft;
};

} // namespace

/// The body belongs to a scan without operands until its results are known.
Block *LoopBuilder::createBody(NamedValues &arguments) {
  draft = ScanOp::create(builder.ops, loc, TypeRange(), ValueRange(),
                         ValueRange(), loop.reverse);
  Block &body = draft.getBody().emplaceBlock();
  body.addArgument(builder.ops.getIndexType(), loc);
  for (auto &[name, sequence] : loop.sequences) {
    RankedTensorType type = typeOf(sequence);
    arguments.set(name, body.addArgument(
                            RankedTensorType::get(type.getShape().drop_front(),
                                                  type.getElementType()),
                            loc));
  }
  for (auto &[name, state] : loop.states)
    arguments.set(name, body.addArgument(state.getType(), loc));
  return &body;
}

FailureOr<YieldOp> LoopBuilder::buildStep(const LoopStep &step,
                                          NamedValues &arguments) {
  FailureOr<SmallVector<Value>> values = step(arguments);
  if (failed(values))
    return failure();
  SmallVector<Value> states, outputs;
  for (auto &[name, initial] : loop.states) {
    auto place = llvm::find(loop.outputs, name);
    if (place == loop.outputs.end()) {
      builder.error() << "has the state '" << name
                      << "', which is not among the outputs of its step";
      return failure();
    }
    Value next = (*values)[place - loop.outputs.begin()];
    if (next.getType() != initial.getType()) {
      builder.error() << "starts the state '" << name << "' as "
                      << initial.getType() << ", but its step gives "
                      << next.getType();
      return failure();
    }
    states.push_back(next);
  }
  for (auto [name, value] : llvm::zip(loop.outputs, *values))
    if (!isState(name))
      outputs.push_back(value);
  if (loop.keepsPrevious)
    for (auto &[name, initial] : loop.states)
      outputs.push_back(arguments[name]);
  return YieldOp::create(builder.ops, loc, states, outputs);
}

RankedTensorType LoopBuilder::stacked(Type step) {
  int64_t count = ShapedType::kDynamic;
  for (auto &[name, sequence] : loop.sequences)
    if (!typeOf(sequence).isDynamicDim(0))
      count = typeOf(sequence).getDimSize(0);
  if (std::optional<int64_t> given =
          loop.steps ? getConstantIntValue(loop.steps) : std::nullopt)
    count = *given;
  SmallVector<int64_t> shape{count};
  llvm::append_range(shape, cast<RankedTensorType>(step).getShape());
  return RankedTensorType::get(shape, getElementTypeOrSelf(step));
}

FailureOr<LoopResults> LoopBuilder::build(const LoopStep &step) {
  NamedValues arguments;
  FailureOr<YieldOp> yield = failure();
  {
    OpBuilder::InsertionGuard guard(builder.ops);
    builder.ops.setInsertionPointToStart(createBody(arguments));
    yield = buildStep(step, arguments);
  }
  if (failed(yield)) {
    draft.erase();
    return failure();
  }
  SmallVector<Value> sequences, states;
  for (auto &[name, sequence] : loop.sequences)
    sequences.push_back(sequence);
  for (auto &[name, state] : loop.states)
    states.push_back(state);
  SmallVector<Type> types;
  for (Type type : yield->getOperandTypes())
    types.push_back(stacked(type));
  auto scan = ScanOp::create(builder.ops, loc, types, sequences, states,
                             loop.steps, loop.reverse);
  scan.getBody().takeBody(draft.getBody());
  draft.erase();
  if (loop.recompute)
    scan->setAttr("blocks.recompute", builder.ops.getUnitAttr());
  if (loop.checkpoint)
    scan->setAttr("blocks.checkpoint", builder.ops.getUnitAttr());

  LoopResults results;
  unsigned state = 0, output = loop.states.size();
  NamedValues stackedStates;
  for (auto &[name, initial] : loop.states)
    stackedStates.set(name, scan.getResult(state++));
  for (StringRef name : loop.outputs)
    results.outputs.set(name, isState(name) ? stackedStates[name]
                                            : scan.getResult(output++));
  if (loop.keepsPrevious)
    for (auto &[name, initial] : loop.states)
      results.previous.set(name, scan.getResult(output++));
  return results;
}

FailureOr<LoopResults> buildLoop(ApplicationBuilder &builder, const Loop &loop,
                                 const LoopStep &step) {
  return LoopBuilder(builder, loop).build(step);
}

//===--- Pieces of steps --------------------------------------------------===//

/// Axis `axis` of `value` as a size.
static OpFoldResult sizeOf(OpBuilder &ops, Location loc, Value value,
                           int64_t axis) {
  int64_t extent = typeOf(value).getDimSize(axis);
  if (!ShapedType::isDynamic(extent))
    return ops.getIndexAttr(extent);
  return tensor::DimOp::create(ops, loc, value, axis).getResult();
}

Value batchOf(OpBuilder &ops, Location loc, Value like, int64_t batchAxis) {
  SmallVector<OpFoldResult> sizes{sizeOf(ops, loc, like, batchAxis)};
  return tensor::EmptyOp::create(ops, loc, sizes, ops.getF32Type());
}

Value joinFeatures(OpBuilder &ops, Location loc, ArrayRef<Value> parts) {
  unsigned last = typeOf(parts.front()).getRank() - 1;
  SmallVector<OpFoldResult> sizes, offsets(last + 1, ops.getIndexAttr(0)),
      strides(last + 1, ops.getIndexAttr(1));
  for (unsigned axis = 0; axis < last; ++axis)
    sizes.push_back(sizeOf(ops, loc, parts.front(), axis));
  int64_t features = 0;
  for (Value part : parts)
    features += typeOf(part).getDimSize(last);
  sizes.push_back(ops.getIndexAttr(features));
  Value joined = tensor::EmptyOp::create(
      ops, loc, sizes, typeOf(parts.front()).getElementType());
  int64_t first = 0;
  for (Value part : parts) {
    int64_t count = typeOf(part).getDimSize(last);
    offsets[last] = ops.getIndexAttr(first);
    sizes[last] = ops.getIndexAttr(count);
    joined = tensor::InsertSliceOp::create(ops, loc, part, joined, offsets,
                                           sizes, strides);
    first += count;
  }
  return joined;
}

/// A tensor without values, of shape (batch, shape of `value`).
static Value rowsLike(OpBuilder &ops, Location loc, Value value, Value like,
                      int64_t batchAxis) {
  SmallVector<OpFoldResult> sizes{sizeOf(ops, loc, like, batchAxis)};
  for (int64_t extent : typeOf(value).getShape())
    sizes.push_back(ops.getIndexAttr(extent));
  return tensor::EmptyOp::create(ops, loc, sizes,
                                 typeOf(value).getElementType());
}

Value forEachRow(OpBuilder &ops, Location loc, Value value, Value like,
                 int64_t batchAxis) {
  Value rows = rowsLike(ops, loc, value, like, batchAxis);
  auto dims =
      llvm::to_vector(llvm::seq<int64_t>(1, typeOf(value).getRank() + 1));
  return BroadcastOp::create(ops, loc, value, rows, dims);
}

Value zeroRows(OpBuilder &ops, Location loc, int64_t dim, Type element,
               Value like, int64_t batchAxis) {
  auto type = RankedTensorType::get({dim}, element);
  Value zeros = arith::ConstantOp::create(
      ops, loc, DenseElementsAttr::get(type, ops.getZeroAttr(element)));
  return forEachRow(ops, loc, zeros, like, batchAxis);
}

Value withInitialState(OpBuilder &ops, Location loc, Value stacked,
                       Value initial, bool reverse) {
  SmallVector<int64_t> shape{1};
  llvm::append_range(shape, typeOf(initial).getShape());
  SmallVector<ReassociationIndices> groups;
  for (int64_t axis = 0; axis < typeOf(initial).getRank(); ++axis)
    groups.push_back(axis == 0 ? ReassociationIndices{0, 1}
                               : ReassociationIndices{axis + 1});
  SmallVector<OpFoldResult> sizes{ops.getIndexAttr(1)};
  llvm::append_range(sizes, tensor::getMixedSizes(ops, loc, initial));
  Value first = tensor::ExpandShapeOp::create(
      ops, loc, RankedTensorType::get(shape, typeOf(initial).getElementType()),
      initial, groups, sizes);
  SmallVector<Value> parts{first, stacked};
  if (reverse)
    std::swap(parts[0], parts[1]);
  return tensor::ConcatOp::create(ops, loc, /*dim=*/0, parts);
}

Value maskedState(OpBuilder &ops, Location loc, Value mask, Value next,
                  Value old) {
  if (!mask)
    return next;
  Value m = BroadcastOp::create(ops, loc, mask, old, ArrayRef<int64_t>{0});
  Value kept =
      arith::SubFOp::create(ops, loc, splatLike(ops, loc, 1.0, old), m);
  Value taken = arith::MulFOp::create(ops, loc, m, next);
  Value stays = arith::MulFOp::create(ops, loc, kept, old);
  return arith::AddFOp::create(ops, loc, taken, stays);
}

Value columns(OpBuilder &ops, Location loc, Value value, int64_t first,
              int64_t count) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(ops, loc, value);
  SmallVector<OpFoldResult> offsets(sizes.size(), ops.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), ops.getIndexAttr(1));
  offsets.back() = ops.getIndexAttr(first);
  sizes.back() = ops.getIndexAttr(count);
  return tensor::ExtractSliceOp::create(ops, loc, value, offsets, sizes,
                                        strides);
}

} // namespace blocks
