//===- Slice.cpp - Parts of tensors ---------------------------------------===//
//
// A slice that is certain to lie within its tensor (SliceWindow.cpp) is a view.
// Elsewhere a view could reach beyond the memory. An axis with one position is
// searched for it, as blocks.pick does; where a range of positions is taken, it
// is read element by element. What is outside is reported and gives zeros.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Generic.h"
#include "lib/Conversion/BlocksToLinalg/Layout.h"
#include "lib/Conversion/BlocksToLinalg/SliceWindow.h"

#include <mlir/Dialect/SCF/IR/SCF.h>

using namespace mlir;

namespace blocks {

static Value offsetValue(const SliceWindow &window, unsigned axis,
                         Lowering &lowering, Location loc) {
  if (auto value = dyn_cast<Value>(window.offsets[axis]))
    return value;
  return arith::ConstantIndexOp::create(
      lowering.builder, loc, *getConstantIntValue(window.offsets[axis]));
}

/// The first position of `count` from `start` that is not below `limit`, and
/// whether there is one. A negative start is a very large one.
static std::pair<Value, Value> firstOutside(OpBuilder &builder, Location loc,
                                            Value start, Value count,
                                            Value limit) {
  auto isBeyond = [&](Value end) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, end,
                                 limit);
  };
  Value end = arith::AddIOp::create(builder, loc, start, count),
        starts = isBeyond(start);
  return {arith::SelectOp::create(builder, loc, starts, start, limit),
          arith::OrIOp::create(builder, loc, starts, isBeyond(end))};
}

/// Reports positions outside of their axis; the row of the report is the axis.
static void checkPositions(Lowering &lowering, Location loc, unsigned axis,
                           Value start, const Extent &count,
                           const Extent &extent) {
  OpBuilder &builder = lowering.builder;
  int64_t site = lowering.sites.add("extract_slice", "");
  func::FuncOp report = lowering.sites.reportFunction();
  Value limit = lowering.axes.value(extent), position = start, outside;
  if (count == Extent(1))
    outside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge,
                                    start, limit);
  else
    std::tie(position, outside) =
        firstOutside(builder, loc, start, lowering.axes.value(count), limit);
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

static Value isBelow(OpBuilder &builder, Location loc, Value place,
                     Value limit) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, place,
                               limit);
}

/// `condition` and what was required before, if anything.
static Value allOf(OpBuilder &builder, Location loc, Value before,
                   Value condition) {
  return before ? arith::AndIOp::create(builder, loc, before, condition)
                      .getResult()
                : condition;
}

/// The element of `source` at `places` if `inside`, else `other`; nothing is
/// read outside.
static Value readIf(OpBuilder &builder, Location loc, Value inside,
                    Value source, ValueRange places, Value other) {
  auto branch = scf::IfOp::create(
      builder, loc, inside,
      [&](OpBuilder &inner, Location loc) {
        Value element = tensor::ExtractOp::create(inner, loc, source, places);
        scf::YieldOp::create(inner, loc, element);
      },
      [&](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(inner, loc, other);
      });
  return branch.getResult(0);
}

//===--- extract_slice ----------------------------------------------------===//

/// The part of `source` that is certain; uncertain axes are kept whole.
static Value certainView(SliceWindow &window, Value source,
                         SymbolicShape &shape, Lowering &lowering,
                         Location loc) {
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
static Value search(const SliceWindow &window, Value source,
                    const SymbolicShape &whole, const SymbolicShape &shape,
                    Lowering &lowering, Location loc) {
  SmallVector<std::pair<unsigned, Value>> positions;
  SmallVector<int64_t> axes;
  unsigned next = 0; // axis of `source`
  for (unsigned axis = 0; axis < window.rank(); ++axis) {
    if (window.uncertain.test(axis)) {
      Value position = offsetValue(window, axis, lowering, loc);
      checkPositions(lowering, loc, axis, position, Extent(1), whole[axis]);
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

/// Reads where the window stands in `source`, which has the uncertain axes
/// whole; what is outside is reported, and 0.
static Value readWindow(const SliceWindow &window, Value source,
                        const SymbolicShape &whole, Lowering &lowering,
                        Location loc) {
  SmallVector<Value> starts(window.rank());
  for (unsigned axis : window.uncertain.set_bits()) {
    starts[axis] = offsetValue(window, axis, lowering, loc);
    checkPositions(lowering, loc, axis, starts[axis], window.sizes[axis],
                   whole[axis]);
  }
  auto body = [&](OpBuilder &builder, Location loc, ValueRange) {
    SmallVector<Value> places;
    Value inside;
    unsigned loop = 0;
    for (unsigned axis = 0; axis < window.rank(); ++axis) {
      Value place = starts[axis];
      if (!window.dropped.test(axis)) {
        Value index = linalg::IndexOp::create(builder, loc, loop++);
        place =
            place
                ? arith::AddIOp::create(builder, loc, place, index).getResult()
                : index;
      }
      if (place)
        places.push_back(place);
      if (starts[axis])
        inside = allOf(
            builder, loc, inside,
            isBelow(builder, loc, place, lowering.axes.value(whole[axis])));
    }
    Value zero = number(builder, loc, elementType(source), 0);
    return readIf(builder, loc, inside, source, places, zero);
  };
  return elementwise(lowering, loc, {}, window.reduced(), elementType(source),
                     body);
}

LogicalResult lowerExtractSlice(tensor::ExtractSliceOp op, Lowering &lowering) {
  if (lowering.has(op)) // the last step of a sum: see Scan.cpp
    return success();
  FailureOr<SliceWindow> window =
      sliceWindow(op, op.getDroppedDims(), op.getSource(), lowering);
  if (failed(window))
    return failure();
  Location loc = op.getLoc();
  SymbolicShape whole = lowering.shape(op.getSource()), shape = whole;
  Value result =
      certainView(*window, lowering.get(op.getSource()), shape, lowering, loc);
  if (window->moves())
    result = readWindow(*window, result, whole, lowering, loc);
  else if (window->uncertain.any())
    result = search(*window, result, whole, shape, lowering, loc);
  lowering.set(op, result, window->reduced());
  return success();
}

//===--- insert_slice -----------------------------------------------------===//

/// The whole, with the source where the loops stand at the window: for windows
/// that are one position of some axes and all of the others.
static Value selectInto(const SliceWindow &window, Value source, Value into,
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
static Value writeInto(const SliceWindow &window, Value source, Value into,
                       Lowering &lowering, Location loc) {
  SmallVector<OpFoldResult> strides(window.rank(),
                                    lowering.builder.getIndexAttr(1));
  return tensor::InsertSliceOp::create(
      lowering.builder, loc, source, into, window.offsets,
      lowering.axes.fold(window.sizes), strides);
}

/// The whole, with the source where the loops stand in a window that moves.
static Value writeWindow(const SliceWindow &window, Value source, Value into,
                         const SymbolicShape &shape, Lowering &lowering,
                         Location loc) {
  SmallVector<Value> starts;
  for (unsigned axis = 0; axis < window.rank(); ++axis)
    starts.push_back(offsetValue(window, axis, lowering, loc));
  auto body = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    SmallVector<Value> places;
    Value inside;
    for (unsigned axis = 0; axis < window.rank(); ++axis) {
      Value index = linalg::IndexOp::create(builder, loc, axis);
      Value place = arith::SubIOp::create(builder, loc, index, starts[axis]);
      inside = allOf(builder, loc, inside,
                     isBelow(builder, loc, place,
                             lowering.axes.value(window.sizes[axis])));
      if (!window.dropped.test(axis))
        places.push_back(place);
    }
    return readIf(builder, loc, inside, source, places, arguments[0]);
  };
  return elementwise(lowering, loc, {{into}}, shape, elementType(into), body);
}

static bool isPositions(const SliceWindow &window, const SymbolicShape &whole) {
  for (unsigned axis = 0; axis < window.rank(); ++axis)
    if (!window.dropped.test(axis) && window.sizes[axis] != whole[axis])
      return false;
  return true;
}

LogicalResult lowerInsertSlice(tensor::InsertSliceOp op, Lowering &lowering) {
  FailureOr<SliceWindow> window =
      sliceWindow(op, op.getDroppedDims(), op.getDest(), lowering);
  if (failed(window))
    return failure();
  SymbolicShape shape = lowering.shape(op.getDest());
  Value source = lowering.get(op.getSource()),
        into = lowering.get(op.getDest());
  Location loc = op.getLoc();
  Value result;
  if (isPositions(*window, shape))
    result = selectInto(*window, source, into, shape, lowering, loc);
  else if (window->uncertain.any())
    result = writeWindow(*window, source, into, shape, lowering, loc);
  else
    result = writeInto(*window, source, into, lowering, loc);
  lowering.set(op, result, shape);
  return success();
}

} // namespace blocks
