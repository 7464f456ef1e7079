// See Extents.h.
#include "lib/Conversion/LinalgToCpu/Extents.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>

using namespace mlir;

namespace blocks {

OpBuilder buildAfter(Value value) {
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  return builder;
}

/// An extent may be wanted before the operation that first asked for it.
static void moveToStart(memref::DimOp dim) {
  Block *block = dim->getBlock();
  dim->moveBefore(block, block->begin());
  if (Operation *index = dim.getIndex().getDefiningOp())
    index->moveBefore(dim);
}

/// Existing dim operations of arguments become the one value of that extent.
Extents::Extents(func::FuncOp function) : function(function) {
  for (Operation &op : llvm::make_early_inc_range(function.getBody().front())) {
    auto dim = dyn_cast<memref::DimOp>(op);
    auto argument = dim ? dyn_cast<BlockArgument>(dim.getSource()) : nullptr;
    std::optional<int64_t> index =
        argument ? dim.getConstantIndex() : std::nullopt;
    if (!index)
      continue;
    Value &known = arguments[{argument.getArgNumber(), unsigned(*index)}];
    if (known) {
      dim.replaceAllUsesWith(known);
      dim.erase();
    } else {
      moveToStart(dim);
      known = dim;
    }
  }
  // Equal names of axes are equal extents; the first source gives the value.
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (auto names = function.getArgAttrOfType<ArrayAttr>(i, "blocks.axes"))
      for (auto [dim, name] : llvm::enumerate(names))
        if (auto type = dyn_cast<MemRefType>(function.getArgument(i).getType()))
          if (dim < size_t(type.getRank()) && type.isDynamicDim(dim))
            axes.try_emplace(
                cast<StringAttr>(name).str(),
                cast<Value>(getOfArgument(function.getArgument(i), dim)));
}

OpFoldResult Extents::getOfArgument(BlockArgument argument, unsigned dim) {
  for (StringRef name : {"blocks.axes", "blocks.result_axes"})
    if (auto names =
            function.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(), name))
      if (dim < names.size())
        if (auto axis = axes.find(cast<StringAttr>(names[dim]).str());
            axis != axes.end())
          return axis->second;
  Value &known = arguments[{argument.getArgNumber(), dim}];
  if (!known) {
    OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
    known = memref::DimOp::create(builder, argument.getLoc(), argument, dim);
  }
  return known;
}

/// The source dimensions that a subview keeps, in order.
static SmallVector<unsigned> getKeptDims(memref::SubViewOp view) {
  llvm::SmallBitVector dropped = view.getDroppedDims();
  SmallVector<unsigned> kept;
  for (unsigned dim = 0; dim < dropped.size(); ++dim)
    if (!dropped.test(dim))
      kept.push_back(dim);
  return kept;
}

OpFoldResult Extents::get(Value memref, unsigned dim) {
  auto type = cast<MemRefType>(memref.getType());
  Builder builder(memref.getContext());
  if (!type.isDynamicDim(dim))
    return builder.getIndexAttr(type.getDimSize(dim));
  if (auto argument = dyn_cast<BlockArgument>(memref))
    if (argument.getOwner() == &function.getBody().front())
      return getOfArgument(argument, dim);
  Operation *definition = memref.getDefiningOp();
  if (auto alloc = dyn_cast_or_null<memref::AllocOp>(definition))
    return alloc.getDynamicSizes()[type.getDynamicDimIndex(dim)];
  if (auto view = dyn_cast_or_null<memref::ViewOp>(definition))
    return view.getSizes()[type.getDynamicDimIndex(dim)];
  if (auto view = dyn_cast_or_null<memref::SubViewOp>(definition))
    return view.getMixedSizes()[getKeptDims(view)[dim]];
  if (auto expand = dyn_cast_or_null<memref::ExpandShapeOp>(definition))
    return expand.getMixedOutputShape()[dim];
  if (auto cast = dyn_cast_or_null<memref::CastOp>(definition))
    return get(cast.getSource(), dim);
  if (auto collapse = dyn_cast_or_null<memref::CollapseShapeOp>(definition)) {
    OpFoldResult size = builder.getIndexAttr(1);
    auto groups = collapse.getReassociationIndices();
    for (int64_t source : groups[dim])
      size = multiply(size, get(collapse.getSrc(), source));
    return size;
  }
  OpBuilder after = buildAfter(memref);
  return Value(memref::DimOp::create(after, memref.getLoc(), memref, dim));
}

OpFoldResult Extents::getStride(Value memref, unsigned dim) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  Builder builder(memref.getContext());
  if (succeeded(type.getStridesAndOffset(strides, offset)) &&
      !ShapedType::isDynamic(strides[dim]))
    return builder.getIndexAttr(strides[dim]);
  Operation *definition = memref.getDefiningOp();
  if (auto view = dyn_cast_or_null<memref::SubViewOp>(definition)) {
    unsigned source = getKeptDims(view)[dim];
    return multiply(getStride(view.getSource(), source),
                    view.getMixedStrides()[source]);
  }
  if (auto cast = dyn_cast_or_null<memref::CastOp>(definition))
    return getStride(cast.getSource(), dim);
  if (auto collapse = dyn_cast_or_null<memref::CollapseShapeOp>(definition))
    return getStride(collapse.getSrc(),
                     collapse.getReassociationIndices()[dim].back());
  if (auto expand = dyn_cast_or_null<memref::ExpandShapeOp>(definition))
    for (auto [source, group] :
         llvm::enumerate(expand.getReassociationIndices()))
      if (llvm::is_contained(group, int64_t(dim))) {
        OpFoldResult stride = getStride(expand.getSrc(), source);
        for (int64_t inner : llvm::reverse(group)) {
          if (inner == int64_t(dim))
            return stride;
          stride = multiply(stride, get(memref, inner));
        }
      }
  OpFoldResult stride = builder.getIndexAttr(1);
  for (unsigned inner = type.getRank() - 1; inner > dim; --inner)
    stride = multiply(stride, get(memref, inner));
  return stride;
}

/// Prefers constants, then sizes of allocations, which are values shared by
/// all that have the extent; an argument's own dimension comes last.
OpFoldResult Extents::getLoop(linalg::LinalgOp op, unsigned loop) {
  OpFoldResult best;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, result] : llvm::enumerate(map.getResults())) {
      auto position = dyn_cast<AffineDimExpr>(result);
      if (!position || position.getPosition() != loop)
        continue;
      OpFoldResult extent = get(operand.get(), dim);
      if (isa<Attribute>(extent))
        return extent;
      if (!best || !isa<BlockArgument>(operand.get()))
        best = extent;
    }
  }
  return best;
}

/// Of two values that are visible together, the one that is defined later.
static Value getLater(Value a, Value b) {
  Block *blockA = a.getParentBlock(), *blockB = b.getParentBlock();
  if (blockA != blockB) {
    bool isNested = blockB->getParent()->isProperAncestor(blockA->getParent());
    return isNested ? a : b;
  }
  Operation *opA = a.getDefiningOp(), *opB = b.getDefiningOp();
  return !opB || (opA && opB->isBeforeInBlock(opA)) ? a : b;
}

OpFoldResult Extents::multiply(OpFoldResult a, OpFoldResult b) {
  std::optional<int64_t> x = getConstantIntValue(a), y = getConstantIntValue(b);
  Builder attributes(function.getContext());
  if (x && y)
    return attributes.getIndexAttr(*x * *y);
  if (x == 1)
    return b;
  if (y == 1)
    return a;
  if (x) {
    std::swap(a, b);
    std::swap(x, y);
  }
  Value value = cast<Value>(a);
  Value &known = products[{a.getOpaqueValue(), b.getOpaqueValue()}];
  if (known)
    return known;
  Value last = y ? value : getLater(value, cast<Value>(b));
  OpBuilder builder = buildAfter(last);
  Location loc = function.getLoc();
  Value factor = y ? Value(arith::ConstantIndexOp::create(builder, loc, *y))
                   : cast<Value>(b);
  known = arith::MulIOp::create(builder, loc, value, factor,
                                arith::IntegerOverflowFlags::nsw);
  return known;
}

} // namespace blocks
