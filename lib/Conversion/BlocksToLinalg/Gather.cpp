//===- Gather.cpp - Rows of a table by number, and their sums -------------===//
//
// A gather is one elementwise operation that reads the table at computed
// places. Its gradient cannot be one, since the places that it writes are data:
// it is a loop over the rows, in their order, each of which adds to its row of
// the result; the result is a buffer, as the stacked states of a scan are, and
// only the filling with zeros touches all of it.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Gather.h"
#include "lib/Conversion/BlocksToLinalg/Generic.h"

#include <mlir/Dialect/Bufferization/IR/Bufferization.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

using namespace mlir;

namespace blocks {

static bool isUnsignedIndex(Value original) {
  Type type = elementType(original);
  return type.isUnsignedInteger() || type.isInteger(1);
}

//===--- gather -----------------------------------------------------------===//

/// table[place, j…] where the loops after the first `rank` stand at j….
static Value readRow(OpBuilder &builder, Location loc, Value table, Value place,
                     unsigned rank) {
  SmallVector<Value> position{place};
  for (int64_t axis = 1; axis < tensorTypeOf(table).getRank(); ++axis)
    position.push_back(linalg::IndexOp::create(builder, loc, rank + axis - 1));
  return tensor::ExtractOp::create(builder, loc, table, position);
}

/// A table without any row must not be read at all.
static Value readIf(OpBuilder &builder, Location loc, Value valid, Value zero,
                    function_ref<Value(OpBuilder &)> read) {
  auto branch = scf::IfOp::create(
      builder, loc, valid,
      [&](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(inner, loc, read(inner));
      },
      [&](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(inner, loc, zero);
      });
  return branch.getResult(0);
}

LogicalResult lowerGather(GatherOp op, Lowering &lowering) {
  Location loc = op.getLoc();
  Value table = lowering.get(op.getTable());
  Value indices = lowering.get(op.getIndices());
  bool isUnsigned = isUnsignedIndex(op.getIndices());
  SymbolicShape rows = lowering.shape(op.getIndices());
  SymbolicShape tableShape = lowering.shape(op.getTable());
  checkLabels(lowering, loc, indices, isUnsigned, rows, tableShape[0], "gather",
              op.getBrick());
  unsigned rank = rows.size();
  SymbolicShape shape = rows;
  shape.insert(shape.end(), tableShape.begin() + 1, tableShape.end());
  SmallVector<int64_t> columns =
      llvm::to_vector(llvm::seq<int64_t>(rank, shape.size()));
  AffineMap map = mapWithout(op.getContext(), shape.size(), columns);
  Value limit = lowering.axes.value(tableShape[0]);
  bool mayBeEmpty = !tableShape[0].constant();
  auto body = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    LabelPlace row = labelPlace(builder, loc, arguments[0], isUnsigned, limit);
    Value zero = number(builder, loc, elementType(table), 0);
    auto read = [&](OpBuilder &inner) {
      return readRow(inner, loc, table, row.place, rank);
    };
    if (mayBeEmpty)
      return readIf(builder, loc, row.valid, zero, read);
    return arith::SelectOp::create(builder, loc, row.valid, read(builder), zero)
        .getResult();
  };
  lowering.set(op,
               elementwise(lowering, loc, {{indices, map}}, shape,
                           elementType(table), body),
               shape);
  return success();
}

//===--- scatter_add ------------------------------------------------------===//

namespace {

/// Lowers one scatter_add.
class ScatterLowering {
public:
  ScatterLowering(ScatterAddOp op, Lowering &lowering)
      : op(op), lowering(lowering), builder(lowering.builder), loc(op.getLoc()),
        shape(lowering.shape(op.getLike())),
        indexShape(lowering.shape(op.getIndices())) {}
  LogicalResult lower();

private:
  LogicalResult checkRows();
  void makeBuffer();
  void addRow(Value step);
  Value flattened(Value tensor, unsigned leading);
  Value viewOfRow(Value place);
  Value sliceOfRows(Value rows, Value step);
  SymbolicShape rowShape() { return {shape.begin() + 1, shape.end()}; }

  ScatterAddOp op;
  Lowering &lowering;
  OpBuilder &builder;
  Location loc;
  SymbolicShape shape, indexShape;
  Value buffer, rows, indices;
};

} // namespace

LogicalResult ScatterLowering::checkRows() {
  unsigned rank = indexShape.size();
  for (unsigned i = 0; i < rank; ++i)
    if (failed(requireEqualAxes(op, lowering, op.getRows(), i, op.getIndices(),
                                i)))
      return failure();
  for (unsigned i = 1; i < shape.size(); ++i)
    if (failed(requireEqualAxes(op, lowering, op.getRows(), rank + i - 1,
                                op.getLike(), i)))
      return failure();
  return success();
}

void ScatterLowering::makeBuffer() {
  RankedTensorType type = tensorType(shape, elementType(rows));
  SmallVector<Value> dynamic;
  for (const Extent &extent : shape)
    if (!extent.constant())
      dynamic.push_back(lowering.axes.value(extent));
  buffer = memref::AllocOp::create(
      builder, loc, MemRefType::get(type.getShape(), type.getElementType()),
      dynamic, builder.getI64IntegerAttr(64));
  Value zero = number(builder, loc, type.getElementType(), 0);
  linalg::FillOp::create(builder, loc, zero, buffer);
}

/// The leading axes of the indices as one; a single index becomes one row.
Value ScatterLowering::flattened(Value tensor, unsigned leading) {
  unsigned rank = tensorTypeOf(tensor).getRank();
  SymbolicShape flat{volume(indexShape)};
  if (rank > indexShape.size())
    flat.insert(flat.end(), shape.begin() + 1, shape.end());
  RankedTensorType type = tensorType(flat, elementType(tensor));
  SmallVector<ReassociationIndices> groups;
  if (leading > 1) {
    groups.push_back(llvm::to_vector(llvm::seq<int64_t>(0, leading)));
    for (unsigned axis = leading; axis < rank; ++axis)
      groups.push_back({int64_t(axis)});
    return tensor::CollapseShapeOp::create(builder, loc, type, tensor, groups);
  }
  if (leading == 1)
    return tensor;
  for (unsigned axis = 0; axis < rank; ++axis)
    groups.push_back({int64_t(axis + 1)});
  if (!groups.empty())
    groups.front().insert(groups.front().begin(), 0);
  return tensor::ExpandShapeOp::create(builder, loc, type, tensor, groups,
                                       lowering.axes.fold(flat));
}

/// Row `place` of the result.
Value ScatterLowering::viewOfRow(Value place) {
  OpFoldResult one = builder.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets(shape.size(), builder.getIndexAttr(0)),
      strides(shape.size(), one), sizes = lowering.axes.fold(shape);
  offsets[0] = place;
  sizes[0] = one;
  auto type = memref::SubViewOp::inferRankReducedResultType(
      tensorType(rowShape(), elementType(rows)).getShape(),
      cast<MemRefType>(buffer.getType()), offsets, sizes, strides);
  return memref::SubViewOp::create(builder, loc, type, buffer, offsets, sizes,
                                   strides);
}

/// Row `step` of what is added.
Value ScatterLowering::sliceOfRows(Value rows, Value step) {
  SymbolicShape flat = rowShape();
  flat.insert(flat.begin(), Extent(1));
  SmallVector<OpFoldResult> offsets(flat.size(), builder.getIndexAttr(0)),
      strides(flat.size(), builder.getIndexAttr(1)),
      sizes = lowering.axes.fold(flat);
  offsets[0] = step;
  return tensor::ExtractSliceOp::create(
      builder, loc, tensorType(rowShape(), elementType(rows)), rows, offsets,
      sizes, strides);
}

/// Reads and writes one row of the buffer, element by element.
void ScatterLowering::addRow(Value step) {
  Value label =
      tensor::ExtractOp::create(builder, loc, indices, ValueRange{step});
  LabelPlace row =
      labelPlace(builder, loc, label, isUnsignedIndex(op.getIndices()),
                 lowering.axes.value(shape[0]));
  Value target = viewOfRow(row.place);
  Value old = bufferization::ToTensorOp::create(
      builder, loc, tensorType(rowShape(), elementType(rows)), target,
      /*restrict=*/true, /*writable=*/true);
  Value added = sliceOfRows(rows, step);
  unsigned rank = shape.size() - 1;
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto sum = linalg::GenericOp::create(
      builder, loc, old.getType(), added, old, maps, loops,
      [&](OpBuilder &inner, Location loc, ValueRange values) {
        Value zero = number(inner, loc, values[0].getType(), 0);
        Value term =
            arith::SelectOp::create(inner, loc, row.valid, values[0], zero);
        Value total = arith::AddFOp::create(inner, loc, values[1], term);
        linalg::YieldOp::create(inner, loc, total);
      });
  bufferization::MaterializeInDestinationOp::create(
      builder, loc, Type(), sum.getResult(0), target, /*restrict=*/true,
      /*writable=*/true);
}

LogicalResult ScatterLowering::lower() {
  if (failed(checkRows()))
    return failure();
  unsigned leading = indexShape.size();
  rows = flattened(lowering.get(op.getRows()), leading);
  indices = flattened(lowering.get(op.getIndices()), leading);
  makeBuffer();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0),
        one = arith::ConstantIndexOp::create(builder, loc, 1),
        count = lowering.axes.value(volume(indexShape));
  auto loop = scf::ForOp::create(builder, loc, zero, count, one);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    addRow(loop.getInductionVar());
  }
  Value result = bufferization::ToTensorOp::create(
      builder, loc, tensorType(shape, elementType(rows)), buffer,
      /*restrict=*/true);
  lowering.set(op, result, shape);
  return success();
}

LogicalResult lowerScatterAdd(ScatterAddOp op, Lowering &lowering) {
  return ScatterLowering(op, lowering).lower();
}

} // namespace blocks
