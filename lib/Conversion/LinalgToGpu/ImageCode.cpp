// See ImageCode.h.
#include "lib/Conversion/LinalgToGpu/ImageCode.h"

#include <mlir/Dialect/Arith/Utils/Utils.h>

using namespace mlir;

namespace blocks {

static constexpr int64_t kImageThreads = 128;

void ImageCode::launchElements(OpFoldResult count, Value to,
                               function_ref<Value(Value)> compute) {
  Value number = add(multiply(kernel.getBlock(), constant(kImageThreads)),
                     kernel.getThreadX());
  Value isThere =
      compare(arith::CmpIPredicate::slt, number, kernel.getExtent(count));
  auto branch = scf::IfOp::create(builder, loc, isThere, false);
  builder.setInsertionPointToStart(branch.thenBlock());
  createStore(builder, loc, compute(number), getPointer(to, number));
  OpBuilder host(site);
  Value size = getValueOrCreateConstantIndexOp(host, site->getLoc(), count);
  entry.launch(host, kernel,
               {entry.divideUp(host, size, kImageThreads), kImageThreads});
}

// --- Scalars ---------------------------------------------------------------

Value ImageCode::real(double value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(element, value));
}

Value ImageCode::add(Value a, Value b) {
  return builder.createOrFold<arith::AddIOp>(loc, a, b);
}

Value ImageCode::multiply(Value a, Value b) {
  return builder.createOrFold<arith::MulIOp>(loc, a, b);
}

Value ImageCode::multiply(Value a, int64_t b) {
  return b == 1 ? a : multiply(a, constant(b));
}

Value ImageCode::compare(arith::CmpIPredicate predicate, Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, predicate, a, b);
}

Value ImageCode::both(Value a, Value b) {
  return arith::AndIOp::create(builder, loc, a, b);
}

Value ImageCode::addTo(Value sum, Value a, Value b) {
  return arith::AddFOp::create(builder, loc, sum,
                               arith::MulFOp::create(builder, loc, a, b));
}

SmallVector<Value> ImageCode::split(Value number, ArrayRef<int64_t> extents) {
  SmallVector<Value> parts(extents.size() + 1);
  for (size_t i = extents.size(); i > 0; --i) {
    Value extent = constant(extents[i - 1]);
    parts[i] = builder.createOrFold<arith::RemUIOp>(loc, number, extent);
    number = builder.createOrFold<arith::DivUIOp>(loc, number, extent);
  }
  parts[0] = number;
  return parts;
}

Value ImageCode::join(ValueRange parts, ArrayRef<int64_t> extents) {
  Value number = parts[0];
  for (size_t i = 0; i < extents.size(); ++i)
    number = add(multiply(number, extents[i]), parts[i + 1]);
  return number;
}

/// Behind a pointer there is what the kernel computes.
Type ImageCode::getStored(Value array) {
  auto memref = dyn_cast<MemRefType>(array.getType());
  return memref ? memref.getElementType() : element;
}

Value ImageCode::getPointer(Value array, Value number) {
  bool isPointer = isa<LLVM::LLVMPointerType>(array.getType());
  return createElementPointer(
      builder, loc, getStored(array),
      isPointer ? kernel.getScalar(array) : kernel.getPointer(array), number);
}

/// A number of bf16 is the upper half of one of f32; not every architecture has
/// a conversion.
Value ImageCode::load(Value array, Value number) {
  Value place = getPointer(array, number);
  if (getStored(array) == element)
    return createLoad(builder, loc, element, place);
  Value half = createLoad(builder, loc, builder.getI16Type(), place);
  Value bits = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), half);
  Value shift =
      arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(16));
  return arith::BitcastOp::create(
      builder, loc, element, arith::ShLIOp::create(builder, loc, bits, shift));
}

Value ImageCode::loadImage(Value memref, Value n, Value c, const Place &at) {
  return load(memref,
              join({n, c, at[0], at[1]},
                   {geometry.channels, geometry.height, geometry.width}));
}

Value ImageCode::loadResult(Value memref, Value n, Value f, const Place &at) {
  return load(memref,
              join({n, f, at[0], at[1]},
                   {geometry.filters, geometry.out[0], geometry.out[1]}));
}

Value ImageCode::loadFilter(Value memref, Value f, Value c, const Place &at) {
  return load(memref,
              join({f, c, at[0], at[1]}, {geometry.channels, geometry.kernel[0],
                                          geometry.kernel[1]}));
}

// --- Loops -----------------------------------------------------------------

SmallVector<Value> ImageCode::emitLoop(Value low, Value high,
                                       ValueRange carried, Body body) {
  auto loop = scf::ForOp::create(builder, loc, low, high, constant(1), carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(builder, loc, next);
  return llvm::to_vector(ValueRange(loop.getResults()));
}

SmallVector<Value> ImageCode::emitLoop(int64_t count, ValueRange carried,
                                       Body body) {
  return emitLoop(constant(0), constant(count), carried, body);
}

SmallVector<Value> ImageCode::emitPlaces(
    ValueRange carried,
    function_ref<SmallVector<Value>(const Place &, ValueRange)> body) {
  return emitLoop(geometry.kernel[0], carried, [&](Value v, ValueRange row) {
    return emitLoop(geometry.kernel[1], row, [&](Value u, ValueRange inner) {
      return body({v, u}, inner);
    });
  });
}

SmallVector<Value> ImageCode::emitIf(Value condition, ValueRange carried,
                                     function_ref<SmallVector<Value>()> body) {
  if (!condition)
    return body();
  SmallVector<Type> types(carried.getTypes());
  auto branch = scf::IfOp::create(builder, loc, types, condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, body());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, carried);
  return llvm::to_vector(ValueRange(branch.getResults()));
}

// --- Geometry --------------------------------------------------------------

Place ImageCode::getTap(const Place &pixel, const Place &tap) {
  Place at;
  for (unsigned axis = 0; axis < 2; ++axis)
    at[axis] = add(add(multiply(pixel[axis], geometry.stride[axis]), tap[axis]),
                   -geometry.pad[axis]);
  return at;
}

Value ImageCode::isInImage(const Place &at) {
  Value inside;
  for (unsigned axis = 0; axis < 2; ++axis) {
    int64_t last = (geometry.out[axis] - 1) * geometry.stride[axis] -
                   geometry.pad[axis] + geometry.kernel[axis] - 1;
    if (geometry.pad[axis] <= 0 && last < geometry.extent(axis))
      continue;
    Value here = compare(arith::CmpIPredicate::ult, at[axis],
                         constant(geometry.extent(axis)));
    inside = inside ? both(inside, here) : here;
  }
  return inside;
}

Place ImageCode::getWeight(const Place &tap) {
  if (!geometry.isFlipped())
    return tap;
  Place weight;
  for (unsigned axis = 0; axis < 2; ++axis)
    weight[axis] = arith::SubIOp::create(
        builder, loc, constant(geometry.kernel[axis] - 1), tap[axis]);
  return weight;
}

std::pair<Value, Value> ImageCode::getPixel(unsigned axis, Value at,
                                            Value tap) {
  Value distance =
      arith::SubIOp::create(builder, loc, add(at, geometry.pad[axis]), tap);
  Value stride = constant(geometry.stride[axis]);
  Value pixel = distance;
  Value isThere = compare(arith::CmpIPredicate::sge, distance, constant(0));
  if (geometry.stride[axis] > 1) {
    pixel = arith::DivSIOp::create(builder, loc, distance, stride);
    isThere = both(isThere, compare(arith::CmpIPredicate::eq,
                                    multiply(pixel, stride), distance));
  }
  return {pixel, both(isThere, compare(arith::CmpIPredicate::slt, pixel,
                                       constant(geometry.out[axis])))};
}

} // namespace blocks
