// Convolutions, their gradients and pools on the GPU: a thread computes one
// element of the result, in the order of the reference. The gradient of filters
// is computed for shares of the batch, as on the processor; the reduction that
// adds the shares follows. Large convolutions are products instead, see
// ConvolutionProduct.cpp.
#include "lib/Conversion/LinalgToGpu/ConvolutionProduct.h"
#include "lib/Conversion/LinalgToGpu/ImageCode.h"
#include "lib/Conversion/LinalgToGpu/LaunchDispatch.h"

#include <limits>

using namespace mlir;

namespace blocks {

namespace {

class ImageKernel : ImageCode {
public:
  ImageKernel(ImageCallOp call, DeviceEntry &entry)
      : ImageCode(call, entry, call.getGeometry(),
                  getElementTypeOrSelf(call.getOutput().getType())),
        call(call) {}

  void launch() {
    Value output = call.getOutput();
    OpFoldResult count = builder.getIndexAttr(1);
    for (int64_t dim = 0; dim < cast<MemRefType>(output.getType()).getRank();
         ++dim)
      count = entry.extents.multiply(count, entry.extents.get(output, dim));
    launchElements(count, output,
                   [&](Value number) { return compute(number); });
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
};

} // namespace

LogicalResult launchImageCall(ImageCallOp call, DeviceEntry &entry) {
  if (isConvolutionProduct(call))
    launchConvolutionProduct(call, entry);
  else
    ImageKernel(call, entry).launch();
  return success();
}

} // namespace blocks
