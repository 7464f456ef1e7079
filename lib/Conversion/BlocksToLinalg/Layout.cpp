//===- Layout.cpp - Slices and the order of axes --------------------------===//
//
// A slice that lies within its tensor whatever the extents are is a view. Where
// a position depends on the data's extents (step 5 of a sequence), a view could
// reach beyond the memory: such an axis is searched for the position instead,
// as blocks.pick does; a position outside is reported and gives zeros.
//
// The stacked states of a scan are certain at their first and last step: with
// no steps at all, both are the initial state, for which there is a slice.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Layout.h"
#include "lib/Conversion/BlocksToLinalg/Generic.h"

#include <mlir/Dialect/SCF/IR/SCF.h>

using namespace mlir;

namespace blocks {

LogicalResult lowerTranspose(TransposeOp op, Lowering &lowering) {
  const SymbolicShape &from = lowering.shape(op.getInput());
  SymbolicShape shape;
  SmallVector<AffineExpr> exprs(from.size());
  for (auto [i, axis] : llvm::enumerate(op.getPermutation())) {
    shape.push_back(from[axis]);
    exprs[axis] = lowering.builder.getAffineDimExpr(i);
  }
  auto map = AffineMap::get(shape.size(), 0, exprs, op.getContext());
  Value input = lowering.get(op.getInput());
  auto same = [](OpBuilder &, Location, ValueRange arguments) -> Value {
    return arguments[0];
  };
  lowering.set(op,
               elementwise(lowering, op.getLoc(), {{input, map}}, shape,
                           elementType(input), same),
               shape);
  return success();
}

namespace {

/// Offsets and sizes of a slice, of unit stride.
struct Window {
  SmallVector<OpFoldResult> offsets; ///< Lowered values or numbers.
  SymbolicShape sizes;
  llvm::SmallBitVector dropped;   ///< Axes that the smaller tensor lacks.
  llvm::SmallBitVector uncertain; ///< Axes whose position may be outside.

  unsigned rank() const { return sizes.size(); }
  /// The smaller tensor's shape.
  SymbolicShape reduced() const {
    SymbolicShape shape;
    for (unsigned axis = 0; axis < rank(); ++axis)
      if (!dropped.test(axis))
        shape.push_back(sizes[axis]);
    return shape;
  }
};

} // namespace

/// True if `index`, an original value, is one less than `extent`.
static bool isLast(OpFoldResult index, const Extent &extent,
                   Lowering &lowering) {
  if (std::optional<int64_t> number = getConstantIntValue(index))
    return extent == Extent(*number + 1);
  auto value = dyn_cast<Value>(index);
  Operation *op = value ? value.getDefiningOp() : nullptr;
  if (!op || !isa<arith::SubIOp, arith::AddIOp>(op))
    return false;
  std::optional<int64_t> step = getConstantIntValue(op->getOperand(1));
  return step == (isa<arith::SubIOp>(op) ? 1 : -1) &&
         lowering.extent(op->getOperand(0)) == extent;
}

/// True if the slice is within the axis for every extent of it.
static bool isCertain(OpFoldResult offset, const Extent &size,
                      const Extent &whole, bool holdsInitial,
                      Lowering &lowering) {
  std::optional<int64_t> from = getConstantIntValue(offset);
  if (from == 0 && size == whole)
    return true;
  if (from && size.constant() && whole.constant())
    return *from >= 0 && *from + *size.constant() <= *whole.constant();
  std::optional<Extent> start =
      from ? Extent(*from) : lowering.extent(cast<Value>(offset));
  if (start && lowering.axes.isWithin(*start, size, whole))
    return true;
  return holdsInitial && size == Extent(1) &&
         (from == 0 || isLast(offset, whole, lowering));
}

/// True for the stacked states of a scan.
static bool isStackedState(Value value) {
  while (auto tag = value.getDefiningOp<TagOp>())
    value = tag.getInput();
  auto scan = value.getDefiningOp<ScanOp>();
  return scan &&
         cast<OpResult>(value).getResultNumber() < scan.getStates().size();
}

bool isLastStep(tensor::ExtractSliceOp op, Lowering &lowering) {
  auto scan = op.getSource().getDefiningOp<ScanOp>();
  if (!scan || !isStackedState(op.getSource()) || !op.hasUnitStride())
    return false;
  const SymbolicShape &whole = lowering.shape(op.getSource());
  for (auto [axis, offset, size] :
       llvm::enumerate(op.getMixedOffsets(), op.getMixedSizes())) {
    std::optional<int64_t> constant = getConstantIntValue(size);
    std::optional<Extent> extent =
        constant ? Extent(*constant) : lowering.extent(cast<Value>(size));
    bool isFirst = getConstantIntValue(offset) == 0;
    if (axis == 0
            ? extent != Extent(1) || !op.getDroppedDims().test(0) ||
                  !(scan.getReverse() ? isFirst
                                      : isLast(offset, whole[0], lowering))
            : extent != whole[axis] || !isFirst)
      return false;
  }
  return true;
}

/// The window of a slice operation in `whole`; reports what has no lowering.
template <typename Op>
static FailureOr<Window> windowOf(Op op, Value whole, Lowering &lowering) {
  Window window;
  window.dropped = op.getDroppedDims();
  const SymbolicShape &shape = lowering.shape(whole);
  window.uncertain.resize(shape.size());
  for (auto [axis, offset, size, stride] : llvm::enumerate(
           op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
    std::optional<Extent> extent;
    if (std::optional<int64_t> constant = getConstantIntValue(size))
      extent = Extent(*constant);
    else
      extent = lowering.extent(cast<Value>(size));
    if (!extent || getConstantIntValue(stride) != 1)
      return op.emitOpError("has no lowering for axis ")
             << axis << ": a slice takes a number of elements, or all of an "
             << "axis, one after the other (stride 1)";
    if (!isCertain(offset, *extent, shape[axis],
                   axis == 0 && isStackedState(whole), lowering))
      window.uncertain.set(axis);
    window.sizes.push_back(*extent);
    auto value = dyn_cast<Value>(offset);
    window.offsets.push_back(
        value && !getConstantIntValue(offset)
            ? getAsOpFoldResult(lowering.get(value))
            : lowering.builder.getIndexAttr(*getConstantIntValue(offset)));
  }
  for (unsigned axis : window.uncertain.set_bits())
    if (window.sizes[axis] != Extent(1) || !window.dropped.test(axis))
      return op.emitOpError("takes ")
             << lowering.axes.describe(window.sizes[axis])
             << " elements along axis " << axis << ", whose extent '"
             << lowering.axes.describe(shape[axis])
             << "' may be too small; take one, and leave the axis out of the "
                "result's type, so that its position can be checked";
  return window;
}

static Value offsetValue(const Window &window, unsigned axis,
                         Lowering &lowering, Location loc) {
  if (auto value = dyn_cast<Value>(window.offsets[axis]))
    return value;
  return arith::ConstantIndexOp::create(
      lowering.builder, loc, *getConstantIntValue(window.offsets[axis]));
}

/// Reports a position outside of its axis; the row of the report is the axis.
static void checkPosition(Lowering &lowering, Location loc, unsigned axis,
                          Value position, const Extent &extent) {
  OpBuilder &builder = lowering.builder;
  int64_t site = lowering.sites.add("extract_slice", "");
  func::FuncOp report = lowering.sites.reportFunction();
  Value limit = lowering.axes.value(extent);
  Value outside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge,
                                        position, limit);
  auto then = [&](OpBuilder &inner, Location loc) {
    auto word = [&](int64_t number) -> Value {
      return arith::ConstantOp::create(inner, loc,
                                       inner.getI64IntegerAttr(number));
    };
    auto wide = [&](Value index) -> Value {
      return arith::IndexCastOp::create(inner, loc, inner.getI64Type(), index);
    };
    func::CallOp::create(inner, loc, report,
                         ValueRange{lowering.context, word(site), word(axis),
                                    wide(position), wide(limit)});
    scf::YieldOp::create(inner, loc);
  };
  scf::IfOp::create(builder, loc, outside, then, nullptr);
}

/// In the body of a generic: true where the loops stand at the positions.
static Value atPositions(OpBuilder &builder, Location loc,
                         ArrayRef<std::pair<unsigned, Value>> positions) {
  Value all;
  for (auto [axis, position] : positions) {
    Value here = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq,
        linalg::IndexOp::create(builder, loc, axis), position);
    all =
        all ? arith::AndIOp::create(builder, loc, all, here).getResult() : here;
  }
  return all;
}

//===--- extract_slice ----------------------------------------------------===//

/// The part of `source` that is certain; uncertain axes are kept whole.
static Value certainView(Window &window, Value source, SymbolicShape &shape,
                         Lowering &lowering, Location loc) {
  SmallVector<OpFoldResult> offsets = window.offsets, strides, sizes;
  SymbolicShape rest;
  for (unsigned axis = 0; axis < window.rank(); ++axis) {
    bool keep = window.uncertain.test(axis);
    if (keep)
      offsets[axis] = lowering.builder.getIndexAttr(0);
    const Extent &size = keep ? shape[axis] : window.sizes[axis];
    sizes.push_back(lowering.axes.fold(size));
    strides.push_back(lowering.builder.getIndexAttr(1));
    if (keep || !window.dropped.test(axis))
      rest.push_back(size);
  }
  shape = rest;
  return tensor::ExtractSliceOp::create(lowering.builder, loc,
                                        tensorType(shape, elementType(source)),
                                        source, offsets, sizes, strides);
}

/// Sums over the uncertain axes what is at their positions: one element.
static Value search(const Window &window, Value source,
                    const SymbolicShape &whole, const SymbolicShape &shape,
                    Lowering &lowering, Location loc) {
  SmallVector<std::pair<unsigned, Value>> positions;
  SmallVector<int64_t> axes;
  unsigned next = 0; // axis of `source`
  for (unsigned axis = 0; axis < window.rank(); ++axis) {
    if (window.uncertain.test(axis)) {
      Value position = offsetValue(window, axis, lowering, loc);
      checkPosition(lowering, loc, axis, position, whole[axis]);
      positions.push_back({next, position});
      axes.push_back(next);
    }
    next += window.uncertain.test(axis) || !window.dropped.test(axis);
  }
  auto body = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    Value zero = number(builder, loc, arguments[0].getType(), 0);
    Value taken = arith::SelectOp::create(
        builder, loc, atPositions(builder, loc, positions), arguments[0], zero);
    if (isa<FloatType>(zero.getType()))
      return sum(builder, loc, taken, arguments[1]);
    return arith::OrIOp::create(builder, loc, taken, arguments[1]).getResult();
  };
  Value zero = number(lowering.builder, loc, elementType(source), 0);
  return reduction(lowering, loc, {{source}}, shape, axes, zero, body);
}

LogicalResult lowerExtractSlice(tensor::ExtractSliceOp op, Lowering &lowering) {
  if (lowering.has(op)) // the last step of a sum: see Scan.cpp
    return success();
  FailureOr<Window> window = windowOf(op, op.getSource(), lowering);
  if (failed(window))
    return failure();
  Location loc = op.getLoc();
  SymbolicShape whole = lowering.shape(op.getSource()), shape = whole;
  Value result =
      certainView(*window, lowering.get(op.getSource()), shape, lowering, loc);
  if (window->uncertain.any())
    result = search(*window, result, whole, shape, lowering, loc);
  lowering.set(op, result, window->reduced());
  return success();
}

//===--- insert_slice -----------------------------------------------------===//

/// The whole, with the source where the loops stand at the window: for windows
/// that are one position of some axes and all of the others.
static Value selectInto(const Window &window, Value source, Value into,
                        const SymbolicShape &shape, Lowering &lowering,
                        Location loc) {
  SmallVector<std::pair<unsigned, Value>> positions;
  SmallVector<AffineExpr> exprs;
  for (unsigned axis = 0; axis < window.rank(); ++axis)
    if (window.dropped.test(axis))
      positions.push_back({axis, offsetValue(window, axis, lowering, loc)});
    else
      exprs.push_back(lowering.builder.getAffineDimExpr(axis));
  if (positions.empty()) // the window is the whole
    return source;
  auto map = AffineMap::get(window.rank(), 0, exprs, source.getContext());
  auto body = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    return arith::SelectOp::create(builder, loc,
                                   atPositions(builder, loc, positions),
                                   arguments[0], arguments[1])
        .getResult();
  };
  return elementwise(lowering, loc, {{source, map}, {into}}, shape,
                     elementType(into), body);
}

/// Writes the source into the whole: bufferization makes it a view's copy.
static Value writeInto(const Window &window, Value source, Value into,
                       Lowering &lowering, Location loc) {
  SmallVector<OpFoldResult> strides(window.rank(),
                                    lowering.builder.getIndexAttr(1));
  return tensor::InsertSliceOp::create(
      lowering.builder, loc, source, into, window.offsets,
      lowering.axes.fold(window.sizes), strides);
}

static bool isPositions(const Window &window, const SymbolicShape &whole) {
  for (unsigned axis = 0; axis < window.rank(); ++axis)
    if (!window.dropped.test(axis) && window.sizes[axis] != whole[axis])
      return false;
  return true;
}

LogicalResult lowerInsertSlice(tensor::InsertSliceOp op, Lowering &lowering) {
  FailureOr<Window> window = windowOf(op, op.getDest(), lowering);
  if (failed(window))
    return failure();
  SymbolicShape shape = lowering.shape(op.getDest());
  bool positions = isPositions(*window, shape);
  if (!positions && window->uncertain.any())
    return op.emitOpError("has positions that may be outside beside a part of "
                          "an axis; insert along one axis after the other");
  Value source = lowering.get(op.getSource()),
        into = lowering.get(op.getDest());
  Value result =
      positions
          ? selectInto(*window, source, into, shape, lowering, op.getLoc())
          : writeInto(*window, source, into, lowering, op.getLoc());
  lowering.set(op, result, shape);
  return success();
}

} // namespace blocks
