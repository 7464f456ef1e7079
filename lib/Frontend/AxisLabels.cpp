//===- AxisLabels.cpp - Names of axes, followed through a graph -----------===//
#include "lib/Frontend/AxisLabels.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/TypeSwitch.h>

using namespace mlir;

namespace blocks {

static int64_t rankOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getRank() : 0;
}

const AxisLabels::Names &AxisLabels::names(Value value) {
  Names &names = known[value];
  names.resize(rankOf(value));
  return names;
}

LogicalResult AxisLabels::join(Operation *op, Value a, int64_t i, Value b,
                               int64_t j) {
  StringRef left = names(a)[i], right = names(b)[j];
  if (left.empty() || right.empty() || left == right)
    return success();
  return op->emitOpError("combines axis '")
         << left << "' (axis " << i << " of " << shapeText(a.getType())
         << ") with axis '" << right << "' (axis " << j << " of "
         << shapeText(b.getType())
         << "); transpose one of the tensors, or give both axes one name in "
            "blocks.axes if they are the same";
}

//===--- Operations -------------------------------------------------------===//

/// Operands of one shape, and a scalar condition.
LogicalResult AxisLabels::visitElementwise(Operation *op) {
  Value result = op->getResult(0);
  Names merged(rankOf(result));
  Value first;
  for (Value operand : op->getOperands()) {
    if (rankOf(operand) != rankOf(result) || merged.empty())
      continue;
    for (int64_t axis = 0; first && axis < rankOf(result); ++axis)
      if (failed(join(op, first, axis, operand, axis)))
        return failure();
    first = first ? first : operand;
    for (auto [name, other] : llvm::zip(merged, names(operand)))
      name = name.empty() ? other : name;
  }
  set(result, merged);
  return success();
}

LogicalResult AxisLabels::visitBroadcast(BroadcastOp op) {
  Names merged = names(op.getLike());
  for (auto [i, axis] : llvm::enumerate(op.getDims())) {
    if (failed(join(op, op.getInput(), i, op.getLike(), axis)))
      return failure();
    if (merged[axis].empty())
      merged[axis] = names(op.getInput())[i];
  }
  set(op.getResult(), merged);
  return success();
}

/// The last two axes are a matrix, those before them a stack of them.
LogicalResult AxisLabels::visitProduct(Operation *op, bool transposeLhs,
                                       bool transposeRhs) {
  Value a = op->getOperand(0), b = op->getOperand(1);
  int64_t rank = rankOf(a), row = rank - 2, column = rank - 1;
  for (int64_t axis = 0; axis < row; ++axis)
    if (failed(join(op, a, axis, b, axis)))
      return failure();
  if (failed(join(op, a, transposeLhs ? row : column, b,
                  transposeRhs ? column : row)))
    return failure();
  Names result = names(a);
  result[row] = names(a)[transposeLhs ? column : row];
  result[column] = names(b)[transposeRhs ? row : column];
  set(op->getResult(0), result);
  return success();
}

/// Values that stand one a row of `rows`.
LogicalResult AxisLabels::visitRows(Operation *op, Value rows,
                                    ValueRange perRow) {
  for (Value value : perRow)
    for (int64_t axis = 0; axis < std::min(rankOf(value), rankOf(rows)); ++axis)
      if (failed(join(op, rows, axis, value, axis)))
        return failure();
  for (Value result : op->getResults()) {
    Names part = names(rows);
    part.resize(rankOf(result));
    set(result, part);
  }
  return success();
}

LogicalResult AxisLabels::visitConcat(tensor::ConcatOp op) {
  Value first = op.getInputs().front();
  for (Value part : op.getInputs())
    for (int64_t axis = 0; axis < rankOf(part); ++axis)
      if (failed(join(op, first, axis, part, axis)))
        return failure();
  set(op.getResult(), names(first));
  return success();
}

/// A kernel's name for an axis stands for the caller's.
LogicalResult AxisLabels::visitKernel(CallKernelOp op) {
  KernelOp kernel = op.getCallee();
  llvm::StringMap<std::pair<Value, int64_t>> places;
  for (auto [i, input] : llvm::enumerate(op.getInputs()))
    for (auto [axis, name] : llvm::enumerate(kernel.getArgumentAxes(i))) {
      if (name.empty())
        continue;
      auto [place, isNew] = places.try_emplace(name, input, int64_t(axis));
      auto [first, firstAxis] = place->second;
      if (!isNew && failed(join(op, first, firstAxis, input, axis)))
        return failure();
      if (names(first)[firstAxis].empty())
        place->second = {input, int64_t(axis)};
    }
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    Names found(rankOf(result));
    for (auto [name, own] : llvm::zip(kernel.getResultAxes(i), found))
      if (auto place = places.find(name); place != places.end())
        own = names(place->second.first)[place->second.second];
    set(result, found);
  }
  return success();
}

void AxisLabels::visitReduce(ReduceOp op) {
  Names rest;
  for (auto [axis, name] : llvm::enumerate(names(op.getInput())))
    if (!llvm::is_contained(op.getDims(), int64_t(axis)))
      rest.push_back(name);
  set(op.getResult(), rest);
}

void AxisLabels::visitTranspose(TransposeOp op) {
  Names moved;
  for (int64_t axis : op.getPermutation())
    moved.push_back(names(op.getInput())[axis]);
  set(op.getResult(), moved);
}

/// An axis that stays alone keeps its name.
void AxisLabels::visitReshape(Operation *op) {
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(op);
  auto groups = collapse
                    ? collapse.getReassociationIndices()
                    : cast<tensor::ExpandShapeOp>(op).getReassociationIndices();
  Value from = op->getOperand(0);
  Names result(rankOf(op->getResult(0)));
  for (auto [g, group] : llvm::enumerate(groups))
    if (group.size() == 1)
      (collapse ? result[g] : result[group[0]]) =
          names(from)[collapse ? group[0] : int64_t(g)];
  set(op->getResult(0), result);
}

/// Equally named axes have equal extents, so a part of a fixed one has no name:
/// one gate of several may meet any features.
void AxisLabels::visitSlice(tensor::ExtractSliceOp op) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  ArrayRef<int64_t> whole = op.getSourceType().getShape();
  ArrayRef<int64_t> sizes = op.getStaticSizes();
  Names kept;
  for (auto [axis, name] : llvm::enumerate(names(op.getSource())))
    if (!dropped.test(axis))
      kept.push_back(!ShapedType::isDynamic(whole[axis]) &&
                             sizes[axis] != whole[axis]
                         ? StringRef()
                         : name);
  set(op.getResult(), kept);
}

void AxisLabels::visitGather(GatherOp op) {
  Names result = names(op.getIndices());
  llvm::append_range(result, ArrayRef(names(op.getTable())).drop_front());
  set(op.getResult(), result);
}

//===--- Loops ------------------------------------------------------------===//

LogicalResult AxisLabels::visitScan(ScanOp op) {
  for (Value sequence : op.getSequences()) {
    if (names(sequence)[0] == "batch")
      return op.emitOpError("takes its steps along axis 'batch' (axis 0 of ")
             << shapeText(sequence.getType())
             << "); sequences are time-first: put the time first by "
                "blocks.transpose";
    if (failed(join(op, op.getSequences().front(), 0, sequence, 0)))
      return failure();
  }
  for (auto [sequence, slice] :
       llvm::zip(op.getSequences(), op.getSliceArguments()))
    set(slice, Names(llvm::drop_begin(names(sequence))));
  for (auto [initial, state] :
       llvm::zip(op.getStates(), op.getStateArguments()))
    set(state, names(initial));
  Block &body = op.getBody().front();
  if (failed(follow(body)))
    return failure();
  StringRef time =
      op.getSequences().empty() ? "" : names(op.getSequences().front())[0];
  for (auto [result, value] :
       llvm::zip(op.getResults(), body.getTerminator()->getOperands())) {
    Names stacked{time};
    llvm::append_range(stacked, names(value));
    set(result, stacked);
  }
  return success();
}

//===--- Walking ----------------------------------------------------------===//

LogicalResult AxisLabels::visit(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](BroadcastOp o) { return visitBroadcast(o); })
      .Case([&](MatmulOp o) {
        return visitProduct(o, o.getTransposeLhs(), o.getTransposeRhs());
      })
      .Case([&](BatchMatmulOp o) {
        return visitProduct(o, o.getTransposeLhs(), o.getTransposeRhs());
      })
      .Case([&](SoftmaxCrossEntropyOp o) {
        return visitRows(o, o.getLogits(), o.getLabels());
      })
      .Case(
          [&](PickOp o) { return visitRows(o, o.getInput(), o.getIndices()); })
      .Case([&](ArgmaxOp o) { return visitRows(o, o.getInput(), {}); })
      .Case([&](tensor::ConcatOp o) { return visitConcat(o); })
      .Case([&](ScanOp o) { return visitScan(o); })
      .Case([&](CallKernelOp o) { return visitKernel(o); })
      .Case([&](ReduceOp o) { return visitReduce(o), success(); })
      .Case([&](TransposeOp o) { return visitTranspose(o), success(); })
      .Case<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
          [&](auto o) { return visitReshape(o), success(); })
      .Case([&](tensor::ExtractSliceOp o) { return visitSlice(o), success(); })
      .Case([&](GatherOp o) { return visitGather(o), success(); })
      .Case<TagOp, CastOp, RectifierOp, LogisticOp, SoftmaxOp, LogSoftmaxOp>(
          [&](auto o) { return visitElementwise(o); })
      .Default([&](Operation *o) {
        return o->hasTrait<OpTrait::Elementwise>() && o->getNumResults() == 1
                   ? visitElementwise(o)
                   : success();
      });
}

LogicalResult AxisLabels::follow(Block &block) {
  for (Operation &op : block)
    if (failed(visit(&op)))
      return failure();
  return success();
}

LogicalResult AxisLabels::follow(GraphOp graph) {
  for (BlockArgument source : graph.getArguments()) {
    Names names(rankOf(source));
    if (auto axes = graph.getArgAttrOfType<ArrayAttr>(source.getArgNumber(),
                                                      "blocks.axes"))
      for (auto [name, attribute] : llvm::zip(names, axes))
        name = cast<StringAttr>(attribute).getValue();
    set(source, names);
  }
  return follow(graph.getBody().front());
}

} // namespace blocks
