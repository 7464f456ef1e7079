// Convolutions, their gradients and pools on the GPU: a thread computes one
// element of the result, in the order of the reference. The gradient of filters
// is computed for shares of the batch, as on the processor; the reduction that
// adds the shares follows.
#include "lib/Conversion/LinalgToGpu/DeviceKernel.h"
#include "lib/Conversion/LinalgToGpu/LaunchDispatch.h"

#include <limits>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Arith/Utils/Utils.h>

using namespace mlir;

namespace blocks {

static constexpr int64_t kImageThreads = 128;

namespace {

/// What an ImageCallOp's geometry says, by name.
struct Geometry {
  explicit Geometry(ArrayRef<int64_t> numbers)
      : channels(numbers[0]), height(numbers[1]), width(numbers[2]),
        filters(numbers[3]), kernel{numbers[4], numbers[5]},
        out{numbers[6], numbers[7]}, stride{numbers[8], numbers[9]},
        pad{numbers[10], numbers[11]}, option(numbers[12]) {}

  int64_t extent(unsigned axis) const { return axis == 0 ? height : width; }
  bool isFlipped() const { return option == 1; }

  int64_t channels, height, width, filters;
  int64_t kernel[2], out[2], stride[2], pad[2];
  int64_t option;
};

/// Two coordinates: down and across.
using Place = std::array<Value, 2>;

class ImageKernel {
public:
  ImageKernel(ImageCallOp call, DeviceEntry &entry)
      : call(call), entry(entry), kernel(call, entry), builder(kernel.builder),
        loc(kernel.loc), geometry(call.getGeometry()),
        element(getElementTypeOrSelf(call.getOutput().getType())) {}

  void launch() {
    Value output = call.getOutput();
    OpFoldResult count = builder.getIndexAttr(1);
    for (int64_t dim = 0; dim < cast<MemRefType>(output.getType()).getRank();
         ++dim)
      count = entry.extents.multiply(count, entry.extents.get(output, dim));
    Value number = add(multiply(kernel.getBlock(), constant(kImageThreads)),
                       kernel.getThreadX());
    Value isThere =
        compare(arith::CmpIPredicate::slt, number, kernel.getExtent(count));
    auto branch = scf::IfOp::create(builder, loc, isThere, false);
    builder.setInsertionPointToStart(branch.thenBlock());
    createStore(builder, loc, compute(number), getPointer(output, number));
    OpBuilder host(call);
    Value size = getValueOrCreateConstantIndexOp(host, call.getLoc(), count);
    entry.launch(host, kernel,
                 {entry.divideUp(host, size, kImageThreads), kImageThreads});
  }

private:
  Value compute(Value number) {
    switch (call.getRoutine()) {
    case ImageRoutine::Convolution:
      return computeConvolution(number);
    case ImageRoutine::ConvolutionInputGrad:
      return computeInputGrad(number);
    case ImageRoutine::ConvolutionFilterGrad:
      return computeFilterGrad(number);
    case ImageRoutine::Pool:
      return geometry.option == 0 ? computeMaxPool(number)
                                  : computeAveragePool(number);
    case ImageRoutine::PoolGrad:
      return geometry.option == 0 ? computeMaxPoolGrad(number)
                                  : computeAveragePoolGrad(number);
    }
    llvm_unreachable("a routine that is not in the enum");
  }

  // --- Scalars ---------------------------------------------------------------

  Value constant(int64_t value) { return kernel.getConstant(value); }
  Value real(double value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(element, value));
  }
  Value add(Value a, Value b) {
    return builder.createOrFold<arith::AddIOp>(loc, a, b);
  }
  Value add(Value a, int64_t b) { return b == 0 ? a : add(a, constant(b)); }
  Value multiply(Value a, Value b) {
    return builder.createOrFold<arith::MulIOp>(loc, a, b);
  }
  Value multiply(Value a, int64_t b) {
    return b == 1 ? a : multiply(a, constant(b));
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  Value both(Value a, Value b) {
    return arith::AndIOp::create(builder, loc, a, b);
  }
  Value addTo(Value sum, Value a, Value b) {
    return arith::AddFOp::create(builder, loc, sum,
                                 arith::MulFOp::create(builder, loc, a, b));
  }

  /// Takes a number apart; the first extent may be anything.
  SmallVector<Value> split(Value number, ArrayRef<int64_t> extents) {
    SmallVector<Value> parts(extents.size() + 1);
    for (size_t i = extents.size(); i > 0; --i) {
      Value extent = constant(extents[i - 1]);
      parts[i] = builder.createOrFold<arith::RemUIOp>(loc, number, extent);
      number = builder.createOrFold<arith::DivUIOp>(loc, number, extent);
    }
    parts[0] = number;
    return parts;
  }

  /// The inverse of split.
  Value join(ValueRange parts, ArrayRef<int64_t> extents) {
    Value number = parts[0];
    for (size_t i = 0; i < extents.size(); ++i)
      number = add(multiply(number, extents[i]), parts[i + 1]);
    return number;
  }

  Value getPointer(Value memref, Value number) {
    return createElementPointer(builder, loc, element,
                                kernel.getPointer(memref), number);
  }
  Value load(Value memref, Value number) {
    return createLoad(builder, loc, element, getPointer(memref, number));
  }

  Value loadImage(Value memref, Value n, Value c, const Place &at) {
    return load(memref,
                join({n, c, at[0], at[1]},
                     {geometry.channels, geometry.height, geometry.width}));
  }
  Value loadResult(Value memref, Value n, Value f, const Place &at) {
    return load(memref,
                join({n, f, at[0], at[1]},
                     {geometry.filters, geometry.out[0], geometry.out[1]}));
  }
  Value loadFilter(Value memref, Value f, Value c, const Place &at) {
    return load(memref, join({f, c, at[0], at[1]},
                             {geometry.channels, geometry.kernel[0],
                              geometry.kernel[1]}));
  }

  // --- Loops -----------------------------------------------------------------

  using Body = function_ref<SmallVector<Value>(Value, ValueRange)>;

  SmallVector<Value> emitLoop(Value low, Value high, ValueRange carried,
                              Body body) {
    auto loop =
        scf::ForOp::create(builder, loc, low, high, constant(1), carried);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> next =
        body(loop.getInductionVar(), loop.getRegionIterArgs());
    scf::YieldOp::create(builder, loc, next);
    return llvm::to_vector(ValueRange(loop.getResults()));
  }
  SmallVector<Value> emitLoop(int64_t count, ValueRange carried, Body body) {
    return emitLoop(constant(0), constant(count), carried, body);
  }

  /// Loops over the places of a kernel or window.
  SmallVector<Value>
  emitPlaces(ValueRange carried,
             function_ref<SmallVector<Value>(const Place &, ValueRange)> body) {
    return emitLoop(geometry.kernel[0], carried, [&](Value v, ValueRange row) {
      return emitLoop(geometry.kernel[1], row, [&](Value u, ValueRange inner) {
        return body({v, u}, inner);
      });
    });
  }

  /// `body` where the condition holds, else the carried values. A null
  /// condition always holds.
  SmallVector<Value> emitIf(Value condition, ValueRange carried,
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

  /// Where the tap of a kernel at a pixel of the result lies in the image.
  Place getTap(const Place &pixel, const Place &tap) {
    Place at;
    for (unsigned axis = 0; axis < 2; ++axis)
      at[axis] =
          add(add(multiply(pixel[axis], geometry.stride[axis]), tap[axis]),
              -geometry.pad[axis]);
    return at;
  }

  /// True if 0 <= at < the extent, as one unsigned comparison; null if no tap
  /// ever lies outside of the image.
  Value isInImage(const Place &at) {
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

  /// The place in the filters that a tap uses.
  Place getWeight(const Place &tap) {
    if (!geometry.isFlipped())
      return tap;
    Place weight;
    for (unsigned axis = 0; axis < 2; ++axis)
      weight[axis] = arith::SubIOp::create(
          builder, loc, constant(geometry.kernel[axis] - 1), tap[axis]);
    return weight;
  }

  // --- Convolutions ----------------------------------------------------------

  Value computeConvolution(Value number) {
    SmallVector<Value> at =
        split(number, {geometry.filters, geometry.out[0], geometry.out[1]});
    Value image = call.getInputs()[0], filters = call.getInputs()[1];
    return emitLoop(geometry.channels, real(0), [&](Value c, ValueRange sums) {
      return emitPlaces(sums, [&](const Place &tap, ValueRange sum) {
        Place in = getTap({at[2], at[3]}, tap);
        return emitIf(isInImage(in), sum, [&] {
          return SmallVector<Value>{
              addTo(sum[0], loadImage(image, at[0], c, in),
                    loadFilter(filters, at[1], c, getWeight(tap)))};
        });
      });
    })[0];
  }

  /// Of an axis: the pixel of the result whose tap lies at `at`, and whether
  /// there is one.
  std::pair<Value, Value> getPixel(unsigned axis, Value at, Value tap) {
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

  Value computeInputGrad(Value number) {
    SmallVector<Value> at =
        split(number, {geometry.channels, geometry.height, geometry.width});
    Value gradient = call.getInputs()[0], filters = call.getInputs()[1];
    return emitLoop(geometry.filters, real(0), [&](Value f, ValueRange sums) {
      return emitPlaces(sums, [&](const Place &tap, ValueRange sum) {
        auto [i, hasI] = getPixel(0, at[2], tap[0]);
        auto [j, hasJ] = getPixel(1, at[3], tap[1]);
        Place pixel{i, j};
        return emitIf(both(hasI, hasJ), sum, [&] {
          return SmallVector<Value>{
              addTo(sum[0], loadResult(gradient, at[0], f, pixel),
                    loadFilter(filters, f, at[1], getWeight(tap)))};
        });
      });
    })[0];
  }

  Value computeFilterGrad(Value number) {
    SmallVector<Value> at =
        split(number, {geometry.filters, geometry.channels, geometry.kernel[0],
                       geometry.kernel[1]});
    Value image = call.getInputs()[0], gradient = call.getInputs()[1];
    Value shares = kernel.getExtent(entry.extents.get(call.getOutput(), 0)),
          batch = kernel.getExtent(entry.extents.get(image, 0));
    auto getStart = [&](Value share) -> Value {
      return arith::DivUIOp::create(builder, loc, multiply(share, batch),
                                    shares);
    };
    // The weight's own tap: the flip is its own inverse.
    Place tap = getWeight({at[3], at[4]});
    return emitLoop(
        getStart(at[0]), getStart(add(at[0], 1)), real(0),
        [&](Value n, ValueRange sums) {
          return emitLoop(geometry.out[0], sums, [&](Value i, ValueRange row) {
            return emitLoop(geometry.out[1], row, [&](Value j, ValueRange sum) {
              Place in = getTap({i, j}, tap);
              return emitIf(isInImage(in), sum, [&] {
                return SmallVector<Value>{
                    addTo(sum[0], loadImage(image, n, at[2], in),
                          loadResult(gradient, n, at[1], {i, j}))};
              });
            });
          });
        })[0];
  }

  // --- Pools -----------------------------------------------------------------

  /// True if `value` takes the place of `best`: it is not smaller or equal, and
  /// no NaN came before it.
  Value isBetter(Value value, Value best) {
    Value larger = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::UGT, value, best);
    return both(larger,
                arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::ORD,
                                      best, best));
  }

  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }

  /// The largest element of a window and where it is in its channel (-1: none
  /// is larger than -inf, so the first).
  SmallVector<Value> findLargest(Value image, Value n, Value c,
                                 const Place &pixel) {
    Value none = real(-std::numeric_limits<double>::infinity());
    return emitPlaces(
        {none, constant(-1)}, [&](const Place &tap, ValueRange best) {
          Place in = getTap(pixel, tap);
          return emitIf(isInImage(in), best, [&] {
            Value value = loadImage(image, n, c, in);
            Value place = add(multiply(in[0], geometry.width), in[1]);
            Value isFirst =
                compare(arith::CmpIPredicate::slt, best[1], constant(0));
            Value better = arith::OrIOp::create(builder, loc, isFirst,
                                                isBetter(value, best[0]));
            return SmallVector<Value>{select(better, value, best[0]),
                                      select(better, place, best[1])};
          });
        });
  }

  Value computeMaxPool(Value number) {
    SmallVector<Value> at =
        split(number, {geometry.channels, geometry.out[0], geometry.out[1]});
    return findLargest(call.getInputs()[0], at[0], at[1], {at[2], at[3]})[0];
  }

  /// Over how many elements the average of a window at a pixel is.
  Value getCount(const Place &pixel) {
    Value count;
    for (unsigned axis = 0; axis < 2; ++axis) {
      bool countsPadding = geometry.option == 2;
      Value start = add(multiply(pixel[axis], geometry.stride[axis]),
                        -geometry.pad[axis]);
      Value end = arith::MinSIOp::create(
          builder, loc, add(start, geometry.kernel[axis]),
          constant(geometry.extent(axis) +
                   (countsPadding ? geometry.pad[axis] : 0)));
      Value low =
          countsPadding
              ? start
              : Value(arith::MaxSIOp::create(builder, loc, start, constant(0)));
      Value length = arith::SubIOp::create(builder, loc, end, low);
      count = count ? multiply(count, length) : length;
    }
    Value word =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), count);
    return arith::SIToFPOp::create(builder, loc, element, word);
  }

  Value computeAveragePool(Value number) {
    SmallVector<Value> at =
        split(number, {geometry.channels, geometry.out[0], geometry.out[1]});
    Place pixel{at[2], at[3]};
    Value sum = emitPlaces(real(0), [&](const Place &tap, ValueRange sums) {
      Place in = getTap(pixel, tap);
      return emitIf(isInImage(in), sums, [&] {
        Value value = loadImage(call.getInputs()[0], at[0], at[1], in);
        return SmallVector<Value>{
            arith::AddFOp::create(builder, loc, sums[0], value)};
      });
    })[0];
    return arith::DivFOp::create(builder, loc, sum, getCount(pixel));
  }

  /// Loops over the pixels whose windows may hold a place of the image.
  Value
  sumOverWindows(const Place &at,
                 function_ref<Value(const Place &pixel, Value sum)> body) {
    Place low, high;
    for (unsigned axis = 0; axis < 2; ++axis) {
      int64_t stride = geometry.stride[axis];
      // ceil((at + pad - kernel + 1) / stride), from 0 on.
      Value first =
          add(at[axis], geometry.pad[axis] - geometry.kernel[axis] + stride);
      first = arith::MaxSIOp::create(builder, loc, first, constant(0));
      low[axis] =
          builder.createOrFold<arith::DivUIOp>(loc, first, constant(stride));
      Value last = builder.createOrFold<arith::DivUIOp>(
          loc, add(at[axis], geometry.pad[axis]), constant(stride));
      high[axis] = arith::MinSIOp::create(builder, loc, add(last, 1),
                                          constant(geometry.out[axis]));
    }
    return emitLoop(low[0], high[0], real(0), [&](Value i, ValueRange row) {
      return emitLoop(low[1], high[1], row, [&](Value j, ValueRange sum) {
        return SmallVector<Value>{body({i, j}, sum[0])};
      });
    })[0];
  }

  Value computeMaxPoolGrad(Value number) {
    SmallVector<Value> at =
        split(number, {geometry.channels, geometry.height, geometry.width});
    Value own = add(multiply(at[2], geometry.width), at[3]);
    Value image = call.getInputs()[0], gradient = call.getInputs()[1];
    return sumOverWindows({at[2], at[3]}, [&](const Place &pixel, Value sum) {
      Value place = findLargest(image, at[0], at[1], pixel)[1];
      Value isOwn = compare(arith::CmpIPredicate::eq, place, own);
      return emitIf(isOwn, sum, [&] {
        Value share = loadResult(gradient, at[0], at[1], pixel);
        return SmallVector<Value>{
            arith::AddFOp::create(builder, loc, sum, share)};
      })[0];
    });
  }

  Value computeAveragePoolGrad(Value number) {
    SmallVector<Value> at =
        split(number, {geometry.channels, geometry.height, geometry.width});
    Value gradient = call.getInputs()[0];
    return sumOverWindows({at[2], at[3]}, [&](const Place &pixel, Value sum) {
      Value share = arith::DivFOp::create(
          builder, loc, loadResult(gradient, at[0], at[1], pixel),
          getCount(pixel));
      return Value(arith::AddFOp::create(builder, loc, sum, share));
    });
  }

  ImageCallOp call;
  DeviceEntry &entry;
  DeviceKernel kernel;
  OpBuilder &builder;
  Location loc;
  Geometry geometry;
  Type element;
};

} // namespace

LogicalResult launchImageCall(ImageCallOp call, DeviceEntry &entry) {
  ImageKernel(call, entry).launch();
  return success();
}

} // namespace blocks
