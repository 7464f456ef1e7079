//===- Convolution.cpp - Convolutions and pools, place by place -----------===//
//
// Six loops and no cleverness: this is what the fast versions are compared
// with. `forEachTap` walks, in row-major order, every pair of a result's pixel
// and an element of the image under its kernel or window.
//
//===----------------------------------------------------------------------===//
#include "lib/Reference/Ops.h"

#include <cmath>

using namespace mlir;

namespace blocks::reference {

namespace {

/// Calls `visit(y, x, v, u)` for each place (v, u) of a kernel at pixel (i, j)
/// that lies at (y, x) inside an image of `height` by `width`.
template <typename Visit>
void forEachPlace(const Windows &w, int64_t height, int64_t width, int64_t i,
                  int64_t j, Visit visit) {
  for (int64_t v = 0; v < w.extents[0]; ++v)
    for (int64_t u = 0; u < w.extents[1]; ++u) {
      int64_t y = i * w.strides[0] + v - w.low[0];
      int64_t x = j * w.strides[1] + u - w.low[1];
      if (y >= 0 && y < height && x >= 0 && x < width)
        visit(y, x, v, u);
    }
}

/// Calls `visit(image, filter, result)` with the linear indices of every
/// product that a convolution adds up.
template <typename Visit>
void forEachTap(ArrayRef<int64_t> image, ArrayRef<int64_t> filters,
                ArrayRef<int64_t> result, Windows w, Visit visit) {
  w.extents = {filters[2], filters[3]};
  for (int64_t n = 0; n < result[0]; ++n)
    for (int64_t f = 0; f < result[1]; ++f)
      for (int64_t i = 0; i < result[2]; ++i)
        for (int64_t j = 0; j < result[3]; ++j)
          for (int64_t c = 0; c < filters[1]; ++c)
            forEachPlace(w, image[2], image[3], i, j,
                         [&](int64_t y, int64_t x, int64_t v, int64_t u) {
                           if (w.flipped) {
                             v = filters[2] - 1 - v;
                             u = filters[3] - 1 - u;
                           }
                           visit(linearIndex({n, c, y, x}, image),
                                 linearIndex({f, c, v, u}, filters),
                                 linearIndex({n, f, i, j}, result));
                         });
}

void add(Tensor &sum, int64_t i, double a, double b) {
  sum.setReal(i, sum.real(i) + sum.round(a * b));
}

} // namespace

Tensor convolution(const Tensor &image, const Tensor &filters,
                   ArrayRef<int64_t> shape, const Windows &windows) {
  Tensor result(image.elementType(), shape);
  forEachTap(image.shape(), filters.shape(), shape, windows,
             [&](int64_t x, int64_t w, int64_t y) {
               add(result, y, image.real(x), filters.real(w));
             });
  return result;
}

Tensor convolutionInputGrad(const Tensor &gradient, const Tensor &filters,
                            ArrayRef<int64_t> shape, const Windows &windows) {
  Tensor result(gradient.elementType(), shape);
  forEachTap(shape, filters.shape(), gradient.shape(), windows,
             [&](int64_t x, int64_t w, int64_t y) {
               add(result, x, gradient.real(y), filters.real(w));
             });
  return result;
}

Tensor convolutionFilterGrad(const Tensor &image, const Tensor &gradient,
                             ArrayRef<int64_t> shape, const Windows &windows) {
  Tensor result(image.elementType(), shape);
  forEachTap(image.shape(), shape, gradient.shape(), windows,
             [&](int64_t x, int64_t w, int64_t y) {
               add(result, w, image.real(x), gradient.real(y));
             });
  return result;
}

//===--- Pools ------------------------------------------------------------===//

/// How many elements an average is over.
static double countOf(PoolKind kind, const Windows &w, ArrayRef<int64_t> image,
                      int64_t i, int64_t j) {
  if (kind != PoolKind::AveragePadded) {
    double inside = 0;
    forEachPlace(w, image[2], image[3], i, j,
                 [&](int64_t, int64_t, int64_t, int64_t) { ++inside; });
    return inside;
  }
  // Of the padded image; a window may stand out of that.
  auto along = [&](int64_t axis, int64_t position) {
    int64_t start = position * w.strides[size_t(axis)] - w.low[size_t(axis)];
    return std::min(start + w.extents[size_t(axis)],
                    image[size_t(2 + axis)] + w.low[size_t(axis)]) -
           start;
  };
  return double(along(0, i) * along(1, j));
}

/// Calls `visit(result, n, c, i, j)` for each pixel of the result.
template <typename Visit>
static void forEachPixel(ArrayRef<int64_t> result, Visit visit) {
  for (int64_t at = 0; at < sizeOf(result); ++at) {
    Index position = positionOf(at, result);
    visit(at, position[0], position[1], position[2], position[3]);
  }
}

/// The first of the largest elements of a window; NaN is the largest number.
static int64_t largestIn(const Tensor &image, const Windows &w, int64_t n,
                         int64_t c, int64_t i, int64_t j) {
  int64_t best = -1;
  forEachPlace(w, image.extent(2), image.extent(3), i, j,
               [&](int64_t y, int64_t x, int64_t, int64_t) {
                 int64_t at = linearIndex({n, c, y, x}, image.shape());
                 if (best < 0 || (!(image.real(at) <= image.real(best)) &&
                                  !std::isnan(image.real(best))))
                   best = at;
               });
  return best;
}

Tensor pool(PoolKind kind, const Tensor &image, ArrayRef<int64_t> shape,
            const Windows &w) {
  Tensor result(image.elementType(), shape);
  forEachPixel(shape, [&](int64_t at, int64_t n, int64_t c, int64_t i,
                          int64_t j) {
    if (kind == PoolKind::Max)
      return result.setReal(at, image.real(largestIn(image, w, n, c, i, j)));
    double sum = 0;
    forEachPlace(w, image.extent(2), image.extent(3), i, j,
                 [&](int64_t y, int64_t x, int64_t, int64_t) {
                   sum = result.round(sum + image.real(linearIndex(
                                                {n, c, y, x}, image.shape())));
                 });
    result.setReal(at, sum / countOf(kind, w, image.shape(), i, j));
  });
  return result;
}

Tensor poolGrad(PoolKind kind, const Tensor &image, const Tensor &gradient,
                const Windows &w) {
  Tensor result(image.elementType(), image.shape());
  forEachPixel(gradient.shape(), [&](int64_t at, int64_t n, int64_t c,
                                     int64_t i, int64_t j) {
    if (kind == PoolKind::Max) {
      int64_t best = largestIn(image, w, n, c, i, j);
      return result.setReal(best, result.real(best) + gradient.real(at));
    }
    double share =
        result.round(gradient.real(at) / countOf(kind, w, image.shape(), i, j));
    forEachPlace(w, image.extent(2), image.extent(3), i, j,
                 [&](int64_t y, int64_t x, int64_t, int64_t) {
                   int64_t to = linearIndex({n, c, y, x}, image.shape());
                   result.setReal(to, result.real(to) + share);
                 });
  });
  return result;
}

} // namespace blocks::reference
