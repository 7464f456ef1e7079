// Maxima and averages over windows, and their gradients; included like
// ConvolutionKernel.h. A window at the border
// is cut to the image; the gradient of a maximum goes to the first of equal
// elements, row by row, and NaN counts as the largest number.
#pragma once

#include "runtime/Device/ImageArguments.h"

namespace {

using blocks::ImageArguments;
using blocks::ImageGeometry;

/// A window's rows or columns that lie in the image, and how many count.
struct WindowSpan {
  int64_t begin, end, counted;
};

inline WindowSpan spanOf(int64_t position, int64_t stride, int64_t pad,
                         int64_t window, int64_t extent, bool countPadding) {
  int64_t start = position * stride - pad, stop = start + window;
  int64_t begin = start < 0 ? 0 : start, end = stop < extent ? stop : extent;
  int64_t padded = stop < extent + pad ? stop : extent + pad;
  if (end < begin)
    end = begin;
  return {begin, end, countPadding ? padded - start : end - begin};
}

/// True if `x` comes before the best so far: it is larger, or the first NaN.
template <typename T> bool isBetter(T x, T best) {
  return !(x <= best) & (best == best);
}

template <typename T>
WindowSpan rowsOf(const ImageGeometry &s, int64_t position) {
  return spanOf(position, s.strideHeight, s.padTop, s.kernelHeight, s.height,
                s.option == blocks::PoolAveragePadded);
}
template <typename T>
WindowSpan columnsOf(const ImageGeometry &s, int64_t position) {
  return spanOf(position, s.strideWidth, s.padLeft, s.kernelWidth, s.width,
                s.option == blocks::PoolAveragePadded);
}

/// Where the first of the largest elements of a window is.
template <typename T>
int64_t findLargest(const T *plane, int64_t width, WindowSpan rows,
                    WindowSpan columns) {
  int64_t best = rows.begin * width + columns.begin;
  for (int64_t y = rows.begin; y < rows.end; ++y)
    for (int64_t x = columns.begin; x < columns.end; ++x)
      if (isBetter(plane[y * width + x], plane[best]))
        best = y * width + x;
  return best;
}

template <typename T>
T averageOf(const T *plane, int64_t width, WindowSpan rows,
            WindowSpan columns) {
  T sum = 0;
  for (int64_t y = rows.begin; y < rows.end; ++y)
    for (int64_t x = columns.begin; x < columns.end; ++x)
      sum += plane[y * width + x];
  return sum / T(rows.counted * columns.counted);
}

/// The numbers 0 … N-1, to name lanes at compile time.
template <int... I> struct Lanes {};
template <int N, int... I> struct MakeLanes : MakeLanes<N - 1, N - 1, I...> {};
template <int... I> struct MakeLanes<0, I...> {
  using Type = Lanes<I...>;
};

/// Windows of 2 by 2 side by side, the usual case: vectors of neighbours become
/// one of left and one of right elements.
template <typename Vec> struct Pairs {
  using T = typename Vec::Element;
  using V = typename Vec::Value;
  static constexpr int lanes = Vec::lanes;
  using All = typename MakeLanes<lanes>::Type;

  template <int... I> static V left(V a, V b, Lanes<I...>) {
    return __builtin_shufflevector(a, b, (2 * I)...);
  }
  template <int... I> static V right(V a, V b, Lanes<I...>) {
    return __builtin_shufflevector(a, b, (2 * I + 1)...);
  }
  template <int... I> static V low(V a, V b, Lanes<I...>) {
    return __builtin_shufflevector(a, b, (I / 2 + (I % 2) * lanes)...);
  }
  template <int... I> static V high(V a, V b, Lanes<I...>) {
    return __builtin_shufflevector(a, b,
                                   (lanes / 2 + I / 2 + (I % 2) * lanes)...);
  }

  /// `count` elements, at most two vectors of them.
  struct Two {
    V first, second;
  };
  static Two load(const T *from, int64_t count) {
    if (count >= 2 * lanes)
      return {Vec::load(from), Vec::load(from + lanes)};
    if (count > lanes)
      return {Vec::load(from),
              Vec::load(from + lanes, Vec::mask(count - lanes))};
    return {Vec::load(from, Vec::mask(count)), Vec::zero()};
  }
  static void store(T *to, Two x, int64_t count) {
    if (count > lanes) {
      Vec::store(to, x.first);
      Vec::store(to + lanes, x.second, Vec::mask(count - lanes));
    } else {
      Vec::store(to, x.first, Vec::mask(count));
    }
  }

  /// All bits of a lane where x comes before the best so far; see isBetter.
  static auto better(V x, V best) { return ~(x <= best) & (best == best); }

  /// The row of maxima of two rows of an image.
  static void pool(const T *above, const T *below, int64_t count, T *out) {
    for (int64_t x = 0; x < count; x += lanes) {
      int64_t some = count - x < lanes ? count - x : lanes;
      Two a = load(above + 2 * x, 2 * some), b = load(below + 2 * x, 2 * some);
      V best = left(a.first, a.second, All()),
        v = right(a.first, a.second, All());
      best = better(v, best) ? v : best;
      v = left(b.first, b.second, All());
      best = better(v, best) ? v : best;
      v = right(b.first, b.second, All());
      best = better(v, best) ? v : best;
      Vec::store(out + x, best, Vec::mask(some));
    }
  }

  /// The gradients of two rows.
  static void poolGrad(const T *above, const T *below, const T *gradient,
                       int64_t count, T *outAbove, T *outBelow) {
    const V zero = Vec::zero();
    for (int64_t x = 0; x < count; x += lanes) {
      int64_t some = count - x < lanes ? count - x : lanes;
      Two a = load(above + 2 * x, 2 * some), b = load(below + 2 * x, 2 * some);
      V g = Vec::load(gradient + x, Vec::mask(some));
      V best = left(a.first, a.second, All()),
        v = right(a.first, a.second, All());
      auto second = better(v, best);
      best = second ? v : best;
      v = left(b.first, b.second, All());
      auto third = better(v, best);
      best = third ? v : best;
      auto fourth = better(right(b.first, b.second, All()), best);
      V first = (second | third | fourth) ? zero : g;
      V other = (second & ~third & ~fourth) ? g : zero;
      store(outAbove + 2 * x,
            {low(first, other, All()), high(first, other, All())}, 2 * some);
      first = (third & ~fourth) ? g : zero;
      other = fourth ? g : zero;
      store(outBelow + 2 * x,
            {low(first, other, All()), high(first, other, All())}, 2 * some);
    }
  }
};

inline bool isPairs(const ImageGeometry &s) {
  return s.option == blocks::PoolMax && s.kernelHeight == 2 &&
         s.kernelWidth == 2 && s.strideHeight == 2 && s.strideWidth == 2 &&
         s.padTop == 0 && s.padLeft == 0 && 2 * s.outHeight <= s.height &&
         2 * s.outWidth <= s.width;
}

template <typename Vec, typename T>
void poolPlane(const ImageGeometry &s, const T *plane, T *out) {
  if (isPairs(s)) {
    for (int64_t y = 0; y < s.outHeight; ++y)
      Pairs<Vec>::pool(plane + 2 * y * s.width, plane + (2 * y + 1) * s.width,
                       s.outWidth, out + y * s.outWidth);
    return;
  }
  for (int64_t y = 0; y < s.outHeight; ++y) {
    WindowSpan rows = rowsOf<T>(s, y);
    for (int64_t x = 0; x < s.outWidth; ++x) {
      WindowSpan columns = columnsOf<T>(s, x);
      out[y * s.outWidth + x] =
          s.option == blocks::PoolMax
              ? plane[findLargest(plane, s.width, rows, columns)]
              : averageOf(plane, s.width, rows, columns);
    }
  }
}

template <typename Vec, typename T>
void maxGradPlane(const ImageGeometry &s, const T *plane, const T *gradient,
                  T *out) {
  if (isPairs(s) && 2 * s.outHeight == s.height && 2 * s.outWidth == s.width) {
    for (int64_t y = 0; y < s.outHeight; ++y) {
      int64_t above = 2 * y * s.width, below = above + s.width;
      Pairs<Vec>::poolGrad(plane + above, plane + below,
                           gradient + y * s.outWidth, s.outWidth, out + above,
                           out + below);
    }
    return;
  }
  for (int64_t i = 0; i < s.height * s.width; ++i)
    out[i] = 0;
  for (int64_t y = 0; y < s.outHeight; ++y)
    for (int64_t x = 0; x < s.outWidth; ++x)
      out[findLargest(plane, s.width, rowsOf<T>(s, y), columnsOf<T>(s, x))] +=
          gradient[y * s.outWidth + x];
}

template <typename T>
void averageGradPlane(const ImageGeometry &s, const T *gradient, T *out) {
  for (int64_t i = 0; i < s.height * s.width; ++i)
    out[i] = 0;
  for (int64_t y = 0; y < s.outHeight; ++y) {
    WindowSpan rows = rowsOf<T>(s, y);
    for (int64_t x = 0; x < s.outWidth; ++x) {
      WindowSpan columns = columnsOf<T>(s, x);
      T share =
          gradient[y * s.outWidth + x] / T(rows.counted * columns.counted);
      for (int64_t i = rows.begin; i < rows.end; ++i)
        for (int64_t j = columns.begin; j < columns.end; ++j)
          out[i * s.width + j] += share;
    }
  }
}

template <typename Vec, typename T> void pool(const ImageArguments<T> &g) {
  const ImageGeometry &s = g.geometry;
  int64_t plane = s.height * s.width, result = s.outHeight * s.outWidth;
  for (int64_t i = g.begin * s.channels; i < g.end * s.channels; ++i)
    poolPlane<Vec>(s, g.a + i * plane, g.out + i * result);
}

template <typename Vec, typename T> void poolGrad(const ImageArguments<T> &g) {
  const ImageGeometry &s = g.geometry;
  int64_t plane = s.height * s.width, result = s.outHeight * s.outWidth;
  for (int64_t i = g.begin * s.channels; i < g.end * s.channels; ++i)
    if (s.option == blocks::PoolMax)
      maxGradPlane<Vec>(s, g.a + i * plane, g.b + i * result,
                        g.out + i * plane);
    else
      averageGradPlane(s, g.a + i * result, g.out + i * plane);
}

} // namespace
