// A convolution as products of matrices. The patch of an image under the
// filters at one pixel of the result is a column of channels × taps numbers;
// the columns of a chunk of images are gathered into scratch memory, and a
// product with the filters gives the results, in their own layout. The gradient
// of the input goes the other way: a product gives the gradient of the columns,
// and each element of the image adds up those of its copies, in a fixed order.
// The gradient of the filters is one product over all pixels of a share of the
// images. Chunks depend on the geometry alone. Operands of bf16 stay so in
// their columns, and are multiplied as such.
#include "lib/Conversion/LinalgToGpu/ConvolutionProduct.h"
#include "lib/Conversion/LinalgToGpu/DeviceProduct.h"
#include "lib/Conversion/LinalgToGpu/ImageCode.h"

#include <mlir/Dialect/Arith/Utils/Utils.h>

using namespace mlir;

namespace blocks {

/// Multiplications an image below which a kernel without scratch is as good.
static constexpr int64_t kSmallConvolution = 65536;
/// Shorter columns make products that cost more than what they save.
static constexpr int64_t kShortColumn = 16;
/// Elements of all columns of a chunk, unless one share of images has more.
static constexpr int64_t kChunkElements = int64_t(1) << 23;

namespace {

/// Sizes of the matrices of one image.
struct Sizes {
  explicit Sizes(const Geometry &geometry)
      : filters(geometry.filters),
        column(geometry.channels * geometry.kernel[0] * geometry.kernel[1]),
        pixels(geometry.out[0] * geometry.out[1]),
        image(geometry.channels * geometry.height * geometry.width) {}

  int64_t filters, column, pixels, image;
};

/// The images of a chunk, as the host knows them.
struct Chunk {
  Value first; ///< The number of the first image.
  Value count;
  Value room; ///< For how many there are columns; `count`, or a bit more.
};

/// One of the kernels around the products.
class ColumnCode : ImageCode {
public:
  ColumnCode(Operation *site, DeviceEntry &entry, ArrayRef<int64_t> geometry,
             Type element, const Chunk &chunk)
      : ImageCode(site, entry, geometry, element), sizes(this->geometry),
        chunk(chunk) {}

  /// Columns, image by image: [image][channel, tap][pixel].
  void gather(Value image, Value columns) {
    launchElements(
        times(chunk.count, sizes.column * sizes.pixels), columns,
        [&](Value number) {
          SmallVector<Value> at = split(
              number, {geometry.channels, geometry.kernel[0],
                       geometry.kernel[1], geometry.out[0], geometry.out[1]});
          return getPatch(image, at[0], at[1], {at[2], at[3]}, {at[4], at[5]});
        });
  }

  /// Columns side by side: [channel, tap][image][pixel], zero where the share
  /// has room for more images than there are.
  void gatherWide(Value image, Value columns) {
    launchElements(times(chunk.room, sizes.column * sizes.pixels), columns,
                   [&](Value number) {
                     auto [row, i, pixel] = splitWide(number);
                     SmallVector<Value> at =
                         split(row, {geometry.kernel[0], geometry.kernel[1]});
                     return ifThere(i, [&] {
                       return getPatch(image, i, at[0], {at[1], at[2]}, pixel);
                     });
                   });
  }

  /// The gradient of the results in that order: [filter][image][pixel].
  void turnGradient(Value gradient, Value turned) {
    launchElements(times(chunk.room, sizes.filters * sizes.pixels), turned,
                   [&](Value number) {
                     auto [filter, i, pixel] = splitWide(number);
                     return ifThere(i, [&] {
                       return loadResult(gradient, getNumber(i), filter, pixel);
                     });
                   });
  }

  /// The gradient of the image of that of its columns, image by image.
  void collect(Value columns, Value first) {
    launchElements(times(chunk.count, sizes.image), first, [&](Value number) {
      SmallVector<Value> at =
          split(number, {geometry.channels, geometry.height, geometry.width});
      return emitPlaces(real(0), [&](const Place &tap, ValueRange sum) {
        auto [i, hasI] = getPixel(0, at[2], tap[0]);
        auto [j, hasJ] = getPixel(1, at[3], tap[1]);
        Place weight = getWeight(tap);
        Value place =
            join({at[0], at[1], weight[0], weight[1], i, j},
                 {geometry.channels, geometry.kernel[0], geometry.kernel[1],
                  geometry.out[0], geometry.out[1]});
        return emitIf(both(hasI, hasJ), sum, [&] {
          return SmallVector<Value>{arith::AddFOp::create(
              builder, loc, sum[0], load(columns, place))};
        });
      })[0];
    });
  }

private:
  /// The element of an image that a tap of the filters meets at a pixel.
  Value getPatch(Value image, Value i, Value channel, const Place &weight,
                 const Place &pixel) {
    Place in = getTap(pixel, getWeight(weight));
    return emitIf(isInImage(in), real(0), [&] {
      return SmallVector<Value>{loadImage(image, getNumber(i), channel, in)};
    })[0];
  }

  struct Wide {
    Value row, image;
    Place pixel;
  };
  Wide splitWide(Value number) {
    SmallVector<Value> at = split(number, {geometry.out[0], geometry.out[1]});
    Value room = kernel.getExtent(chunk.room);
    return {arith::DivUIOp::create(builder, loc, at[0], room),
            arith::RemUIOp::create(builder, loc, at[0], room),
            {at[1], at[2]}};
  }

  Value ifThere(Value i, function_ref<Value()> value) {
    Value isThere =
        compare(arith::CmpIPredicate::ult, i, kernel.getExtent(chunk.count));
    return emitIf(isThere, real(0),
                  [&] { return SmallVector<Value>{value()}; })[0];
  }

  Value getNumber(Value i) { return add(kernel.getExtent(chunk.first), i); }

  OpFoldResult times(Value images, int64_t elements) {
    return entry.extents.multiply(OpFoldResult(images),
                                  builder.getIndexAttr(elements));
  }

  Sizes sizes;
  const Chunk &chunk;
};

/// The calls of the host.
class ConvolutionProduct {
public:
  ConvolutionProduct(ImageCallOp call, DeviceEntry &entry)
      : call(call), entry(entry), host(call), loc(call.getLoc()),
        sizes(Geometry(call.getGeometry())),
        element(getElementTypeOrSelf(call.getOutput().getType())),
        factor(getElementTypeOrSelf(call.getInputs()[0].getType())) {}

  void launch() {
    bool isFilters = call.getRoutine() == ImageRoutine::ConvolutionFilterGrad;
    shares = isFilters
                 ? cast<MemRefType>(call.getOutput().getType()).getDimSize(0)
                 : 1;
    int64_t perShare = std::max<int64_t>(
        1, kChunkElements / (sizes.column * sizes.pixels * shares));
    startChunks(perShare * shares);
    int64_t columns = perShare * shares * sizes.column * sizes.pixels;
    int64_t turned = perShare * shares * sizes.filters * sizes.pixels;
    bool isInput = call.getRoutine() == ImageRoutine::ConvolutionInputGrad;
    int64_t bytes = (isInput ? element : factor).getIntOrFloatBitWidth() / 8;
    scratch = entry.getScratch((columns + (isFilters ? turned : 0)) * bytes);
    if (isFilters)
      computeFilterGrad(move(factor, scratch, constant(columns)));
    else if (call.getRoutine() == ImageRoutine::Convolution)
      computeResult();
    else
      computeInputGrad();
  }

private:
  /// Starts a loop over chunks of images. Without images it runs once, so that
  /// the gradient of filters is zero.
  void startChunks(int64_t most) {
    Value batch = getValueOrCreateConstantIndexOp(
        host, loc, entry.extents.get(call.getInputs()[0], 0));
    Value end = arith::MaxUIOp::create(host, loc, batch, constant(1));
    auto loop = scf::ForOp::create(host, loc, constant(0), end, constant(most));
    site = loop.getBody()->getTerminator();
    host.setInsertionPoint(site);
    chunk.first = loop.getInductionVar();
    Value left = arith::SubIOp::create(host, loc, batch, chunk.first);
    chunk.count = arith::MinUIOp::create(host, loc, left, constant(most));
    Value imagesPerShare = entry.divideUp(host, chunk.count, shares);
    chunk.room = shares == 1 ? chunk.count
                             : arith::MulIOp::create(host, loc, imagesPerShare,
                                                     constant(shares));
    pixelsPerShare = arith::MulIOp::create(host, loc, imagesPerShare,
                                           constant(sizes.pixels));
  }

  /// Of a kernel that copies factors, or adds up results.
  ColumnCode code(Type type) {
    return ColumnCode(site, entry, call.getGeometry(), type, chunk);
  }

  /// result[image] = filters × columns[image].
  void computeResult() {
    code(factor).gather(call.getInputs()[0], scratch);
    DeviceProduct product = createProduct();
    product.m = constant(sizes.filters);
    product.n = constant(sizes.pixels);
    product.k = constant(sizes.column);
    product.a = {getPointer(call.getInputs()[1]), product.k, constant(0)};
    product.b = {scratch, product.n, constant(sizes.column * sizes.pixels)};
    product.c = {getImages(call.getOutput(), sizes.filters * sizes.pixels),
                 product.n, constant(sizes.filters * sizes.pixels)};
    callProduct(host, entry, element, product);
  }

  /// columns[image] = filtersᵀ × gradient[image].
  void computeInputGrad() {
    DeviceProduct product = createProduct();
    product.m = constant(sizes.column);
    product.n = constant(sizes.pixels);
    product.k = constant(sizes.filters);
    product.a = {getPointer(call.getInputs()[1]), product.m, constant(0),
                 /*isTransposed=*/true};
    product.b = {getImages(call.getInputs()[0], sizes.filters * sizes.pixels),
                 product.n, constant(sizes.filters * sizes.pixels)};
    product.c = {scratch, product.n, constant(sizes.column * sizes.pixels)};
    callProduct(host, entry, element, product);
    code(element).collect(scratch, getImages(call.getOutput(), sizes.image));
  }

  /// share += gradient × columnsᵀ, over the pixels of the share's images.
  void computeFilterGrad(Value turned) {
    code(factor).gatherWide(call.getInputs()[0], scratch);
    code(factor).turnGradient(call.getInputs()[1], turned);
    DeviceProduct product = createProduct();
    Value isFirst = arith::CmpIOp::create(host, loc, arith::CmpIPredicate::eq,
                                          chunk.first, constant(0));
    product.old = arith::SelectOp::create(host, loc, isFirst, product.old,
                                          createNumber(1));
    product.m = constant(sizes.filters);
    product.n = constant(sizes.column);
    product.k = pixelsPerShare;
    Value row =
        arith::MulIOp::create(host, loc, chunk.room, constant(sizes.pixels));
    product.a = {turned, row, pixelsPerShare};
    product.b = {scratch, row, pixelsPerShare, /*isTransposed=*/true};
    product.c = {getPointer(call.getOutput()), product.n,
                 constant(sizes.filters * sizes.column)};
    product.count = constant(shares);
    callProduct(host, entry, element, product);
  }

  /// A stack of products that overwrite, one an image.
  DeviceProduct createProduct() {
    DeviceProduct product;
    product.old = createNumber(0);
    product.count = chunk.count;
    product.isRounded = factor != element;
    return product;
  }

  Value getPointer(Value memref) { return entry.addressing.getPointer(memref); }

  /// Where the chunk's images are in an array of them.
  Value getImages(Value memref, int64_t elements) {
    return move(
        getElementTypeOrSelf(memref.getType()), getPointer(memref),
        arith::MulIOp::create(host, loc, chunk.first, constant(elements)));
  }

  Value move(Type type, Value pointer, Value elements) {
    return createElementPointer(host, loc, type, pointer, elements);
  }

  Value constant(int64_t value) { return entry.getConstant(host, value); }
  Value createNumber(double value) {
    return arith::ConstantOp::create(host, loc,
                                     host.getFloatAttr(element, value));
  }

  ImageCallOp call;
  DeviceEntry &entry;
  OpBuilder host;
  Location loc;
  Sizes sizes;
  Type element, factor;      ///< Of the result, and of what is multiplied.
  Operation *site = nullptr; ///< In whose place kernels are launched.
  Chunk chunk;
  int64_t shares = 1;
  Value pixelsPerShare;
  Value scratch;
};

} // namespace

bool isConvolutionProduct(ImageCallOp call) {
  if (call.getRoutine() == ImageRoutine::Pool ||
      call.getRoutine() == ImageRoutine::PoolGrad)
    return false;
  Sizes sizes{Geometry(call.getGeometry())};
  return sizes.column >= kShortColumn &&
         sizes.column * sizes.pixels * sizes.filters >= kSmallConvolution;
}

void launchConvolutionProduct(ImageCallOp call, DeviceEntry &entry) {
  ConvolutionProduct(call, entry).launch();
}

} // namespace blocks
