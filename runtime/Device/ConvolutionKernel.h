// Convolution and its gradients on the tiles of the matrix product, written
// once for every vector width; included like GemmKernel.h and under the same
// rules.
//
// A convolution is a product of the filters (filters × taps; a tap is a channel
// and a place in the kernel) with the patches of an image (taps × pixels of the
// result). The matrix of patches is never built: each panel of it is packed
// from the image where the product would pack its right operand. The gradient
// of the filters is gradient (filters × pixels) times patches (pixels × taps),
// that of the image is filtersᵀ (taps × filters) times gradient (filters ×
// pixels), whose rows are then added where their taps lie in the image.
//
// Sums over taps, filters or pixels are cut as in GemmKernel.h, and images are
// visited in order, so an element's bits depend on the shape alone.
#pragma once

#include "runtime/Device/GemmKernel.h"
#include "runtime/Device/ImageArguments.h"

namespace {

using blocks::ImageArguments;
using blocks::ImageGeometry;

constexpr int64_t divideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Half a vector: rows of 8 pixels are common, and a masked access to half of a
/// wide vector would often touch two cache lines.
template <typename Vec> struct Half {
  using T = typename Vec::Element;
  static constexpr int lanes = Vec::lanes / 2;
  typedef T Value __attribute__((vector_size(lanes * sizeof(T))));
  static Value load(const T *p) {
    Value x;
    __builtin_memcpy(&x, p, sizeof x);
    return x;
  }
  static void store(T *p, Value x) { __builtin_memcpy(p, &x, sizeof x); }
};

/// to[i] = from[i]. Distinct ranges.
template <typename Vec>
void copyRun(const typename Vec::Element *from, typename Vec::Element *to,
             int64_t count) {
  for (; count >= Vec::lanes; count -= Vec::lanes) {
    Vec::store(to, Vec::load(from));
    from += Vec::lanes;
    to += Vec::lanes;
  }
  if (count >= Half<Vec>::lanes) {
    Half<Vec>::store(to, Half<Vec>::load(from));
    from += Half<Vec>::lanes;
    to += Half<Vec>::lanes;
    count -= Half<Vec>::lanes;
  }
  if (count > 0) {
    const auto mask = Vec::mask(count);
    Vec::store(to, Vec::load(from, mask), mask);
  }
}

template <typename T> void clearRun(T *to, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = 0;
}

/// to[i] += from[i].
template <typename Vec>
void addRun(const typename Vec::Element *from, typename Vec::Element *to,
            int64_t count) {
  for (; count >= Vec::lanes; count -= Vec::lanes) {
    Vec::store(to, Vec::load(from) + Vec::load(to));
    from += Vec::lanes;
    to += Vec::lanes;
  }
  if (count >= Half<Vec>::lanes) {
    Half<Vec>::store(to, Half<Vec>::load(from) + Half<Vec>::load(to));
    from += Half<Vec>::lanes;
    to += Half<Vec>::lanes;
    count -= Half<Vec>::lanes;
  }
  if (count > 0) {
    const auto mask = Vec::mask(count);
    Vec::store(to, Vec::load(from, mask) + Vec::load(to, mask), mask);
  }
}

/// Rows of `length` elements, `fromStep` apart, one behind the other: the usual
/// lengths without a decision in the loop.
template <typename Vec>
void copyRows(const typename Vec::Element *from, int64_t fromStep,
              typename Vec::Element *to, int64_t length, int64_t rows) {
  if (length == Half<Vec>::lanes)
    for (int64_t i = 0; i < rows; ++i, from += fromStep, to += length)
      Half<Vec>::store(to, Half<Vec>::load(from));
  else if (length == Vec::lanes)
    for (int64_t i = 0; i < rows; ++i, from += fromStep, to += length)
      Vec::store(to, Vec::load(from));
  else
    for (int64_t i = 0; i < rows; ++i, from += fromStep, to += length)
      copyRun<Vec>(from, to, length);
}

/// The same, added to rows that are `toStep` apart.
template <typename Vec>
void addRows(const typename Vec::Element *from, typename Vec::Element *to,
             int64_t toStep, int64_t length, int64_t rows) {
  if (length == Half<Vec>::lanes)
    for (int64_t i = 0; i < rows; ++i, from += length, to += toStep)
      Half<Vec>::store(to, Half<Vec>::load(from) + Half<Vec>::load(to));
  else
    for (int64_t i = 0; i < rows; ++i, from += length, to += toStep)
      addRun<Vec>(from, to, length);
}

/// Neighbouring pixels of one row of the result, part of a panel. `y` and `x`
/// are where the kernel's first place lies for the first of them.
struct Segment {
  int64_t y, x, length, at;
};

/// The pieces of a range of pixels, and the places that all of them span.
struct Pieces {
  const Segment *segments;
  int64_t number, top, bottom, left, right;
  bool areEqual; ///< One below the other, of one length.
};

/// What the three routines share: the sizes of the products, and the packing.
template <typename Vec> class ConvolutionBase {
protected:
  using T = typename Vec::Element;
  using Arguments = ImageArguments<T>;
  explicit ConvolutionBase(const Arguments &arguments)
      : g(arguments), s(arguments.geometry),
        kernelSize(s.kernelHeight * s.kernelWidth),
        taps(s.channels * kernelSize), pixels(s.outHeight * s.outWidth),
        imageSize(s.channels * s.height * s.width),
        resultSize(s.filters * pixels) {}

  /// Rows of the left operand that are packed at a time: more than for a plain
  /// product, since packing patches again costs more than a larger block does.
  static constexpr int64_t mostRows = Vec::accumulators / 2 * 24;
  struct Packed {
    T a[mostRows * Vec::depth + 64];
    T b[4 * Vec::lanes * Vec::depth];
  };

  /// The pixels [begin, begin + count) as pieces of rows, written to
  /// `segments`.
  Pieces cutIntoRows(int64_t begin, int64_t count, Segment *segments) const {
    int64_t row = begin / s.outWidth, column = begin % s.outWidth;
    Pieces pieces{segments,
                  0,
                  row * s.strideHeight - s.padTop,
                  0,
                  column * s.strideWidth - s.padLeft,
                  0,
                  true};
    for (int64_t at = 0; at < count; ++row, column = 0) {
      int64_t length = smaller(count - at, s.outWidth - column);
      Segment piece{row * s.strideHeight - s.padTop,
                    column * s.strideWidth - s.padLeft, length, at};
      segments[pieces.number++] = piece;
      pieces.areEqual &=
          length == segments[0].length && piece.x == segments[0].x;
      pieces.bottom = piece.y;
      pieces.left = smaller(pieces.left, piece.x);
      pieces.right =
          larger(pieces.right, piece.x + (length - 1) * s.strideWidth + 1);
      at += length;
    }
    return pieces;
  }

  /// True if a tap of all these pixels lies in the image, side by side.
  bool areInside(const Pieces &pieces, int64_t row, int64_t column) const {
    return s.strideWidth == 1 && pieces.top + row >= 0 &&
           pieces.bottom + row < s.height && pieces.left + column >= 0 &&
           pieces.right + column <= s.width;
  }

  /// Calls visit(channel, row, column) for the taps [first, first + count): a
  /// channel and a place in the kernel, as it meets the image.
  template <typename Visit>
  void forEachTap(int64_t first, int64_t count, Visit visit) const {
    int64_t channel = first / kernelSize, place = first % kernelSize;
    int64_t row = place / s.kernelWidth, column = place % s.kernelWidth;
    for (int64_t t = 0; t < count; ++t) {
      if (s.option)
        visit(t, channel, s.kernelHeight - 1 - row, s.kernelWidth - 1 - column);
      else
        visit(t, channel, row, column);
      if (++column < s.kernelWidth)
        continue;
      column = 0;
      if (++row < s.kernelHeight)
        continue;
      row = 0;
      ++channel;
    }
  }

  /// Of pixels from x on, a stride apart, those in the image: [begin, end).
  struct Range {
    int64_t begin, end;
  };
  Range columnsInside(int64_t x, int64_t length) const {
    int64_t begin = x >= 0 ? 0 : smaller(divideUp(-x, s.strideWidth), length);
    int64_t end = x >= s.width
                      ? 0
                      : smaller(divideUp(s.width - x, s.strideWidth), length);
    return {begin, larger(begin, end)};
  }

  /// packed[t * width + at + i] = tap `first + t` of pixel i of each segment; 0
  /// outside of the image.
  void packPatches(const T *image, int64_t first, int64_t count,
                   const Pieces &pieces, T *packed, int64_t width) const {
    forEachTap(first, count,
               [&](int64_t t, int64_t channel, int64_t row, int64_t column) {
                 const T *plane = image + channel * s.height * s.width;
                 T *to = packed + t * width;
                 if (!areInside(pieces, row, column))
                   return packBorder(plane, row, column, pieces, to);
                 const T *from = plane + row * s.width + column;
                 if (pieces.areEqual)
                   return copyRows<Vec>(
                       from + pieces.top * s.width + pieces.left,
                       s.strideHeight * s.width, to, pieces.segments[0].length,
                       pieces.number);
                 for (int64_t i = 0; i < pieces.number; ++i) {
                   const Segment &piece = pieces.segments[i];
                   copyRun<Vec>(from + piece.y * s.width + piece.x,
                                to + piece.at, piece.length);
                 }
               });
  }

  void packBorder(const T *plane, int64_t row, int64_t column,
                  const Pieces &pieces, T *to) const {
    for (int64_t i = 0; i < pieces.number; ++i) {
      const Segment &piece = pieces.segments[i];
      packPiece(plane, piece.y + row, piece.x + column, piece.length,
                to + piece.at);
    }
  }

  void packPiece(const T *plane, int64_t y, int64_t x, int64_t length,
                 T *to) const {
    Range inside = columnsInside(x, length);
    if (y < 0 || y >= s.height || inside.begin == inside.end)
      return clearRun(to, length);
    const T *from = plane + y * s.width + x;
    clearRun(to, inside.begin);
    clearRun(to + inside.end, length - inside.end);
    if (s.strideWidth == 1)
      return copyRun<Vec>(from + inside.begin, to + inside.begin,
                          inside.end - inside.begin);
    for (int64_t i = inside.begin; i < inside.end; ++i)
      to[i] = from[i * s.strideWidth];
  }

  /// The tiles of one panel: rows × used vectors of columns.
  void multiplyPanel(TileArguments<T> &t, int64_t rows, int64_t tallest,
                     int64_t columns, const T *a, T *c) const {
    int64_t used = divideUp(columns, Vec::lanes);
    t.lastLanes = columns - (used - 1) * Vec::lanes;
    bool edge = t.lastLanes < Vec::lanes;
    int64_t tiles = divideUp(rows, tallest);
    for (int64_t i = 0; i < tiles; ++i) {
      int64_t begin = rows * i / tiles, count = rows * (i + 1) / tiles - begin;
      t.a = a + begin * t.k;
      t.aStep = count;
      t.c = c + begin * t.ldc;
      auto function =
          edge ? findTile<Vec, Lie::RowsTogether, true>(count, used)
               : findTile<Vec, Lie::RowsTogether, false>(count, used);
      function(t);
    }
  }

  const Arguments &g;
  const ImageGeometry &s;
  const int64_t kernelSize, taps, pixels, imageSize, resultSize;
};

template <typename Vec> class ConvolutionForward : ConvolutionBase<Vec> {
  using Base = ConvolutionBase<Vec>;
  using T = typename Vec::Element;
  using Base::g, Base::s, Base::taps, Base::pixels;

public:
  explicit ConvolutionForward(const ImageArguments<T> &arguments)
      : Base(arguments) {}

  void run() {
    bool wide = s.filters <= tallestTile<Vec>(4);
    width = (wide ? 4 : 2) * Vec::lanes;
    tallest = tallestTile<Vec>(wide ? 4 : 2);
    int64_t cuts = divideUp(taps, Vec::depth);
    int64_t rowCuts = divideUp(s.filters, Base::mostRows);
    for (int64_t cut = 0; cut < cuts; ++cut) {
      first = taps * cut / cuts;
      depth = taps * (cut + 1) / cuts - first;
      beta = cut ? T(1) : T(0);
      for (int64_t r = 0; r < rowCuts; ++r) {
        firstRow = s.filters * r / rowCuts;
        rows = s.filters * (r + 1) / rowCuts - firstRow;
        packFilters();
        for (int64_t n = g.begin; n < g.end; ++n)
          runImage(n);
      }
    }
  }

private:
  void packFilters() {
    int64_t tiles = divideUp(rows, tallest);
    for (int64_t i = 0; i < tiles; ++i) {
      int64_t begin = rows * i / tiles, count = rows * (i + 1) / tiles - begin;
      packTransposed<Vec>(g.b + (firstRow + begin) * taps + first, taps, count,
                          depth, scratch.a + begin * depth, count);
    }
  }

  void runImage(int64_t n) {
    Segment segments[4 * Vec::lanes];
    const T *image = g.a + n * Base::imageSize;
    T *result = g.out + n * Base::resultSize + firstRow * pixels;
    for (int64_t j = 0; j < pixels; j += width) {
      int64_t columns = smaller(width, pixels - j);
      TileArguments<T> t;
      t.bStep = divideUp(columns, Vec::lanes) * Vec::lanes;
      Base::packPatches(image, first, depth,
                        Base::cutIntoRows(j, columns, segments), scratch.b,
                        t.bStep);
      t.k = depth;
      t.b = scratch.b;
      t.alpha = 1;
      t.beta = beta;
      t.ldc = pixels;
      Base::multiplyPanel(t, rows, tallest, columns, scratch.a, result + j);
    }
  }

  int64_t width = 0, tallest = 0;
  int64_t first = 0, depth = 0, firstRow = 0, rows = 0;
  T beta = 0;
  alignas(64) typename Base::Packed scratch;
};

template <typename Vec> class ConvolutionFilterGrad : ConvolutionBase<Vec> {
  using Base = ConvolutionBase<Vec>;
  using T = typename Vec::Element;
  using Base::g, Base::s, Base::taps, Base::pixels;

public:
  explicit ConvolutionFilterGrad(const ImageArguments<T> &arguments)
      : Base(arguments) {}

  void run() {
    for (int64_t share = g.begin; share < g.end; ++share)
      runShare(share);
  }

private:
  void runShare(int64_t share) {
    T *out = g.out + share * s.filters * taps;
    int64_t begin = g.batch * share / g.rows,
            end = g.batch * (share + 1) / g.rows;
    if (begin == end || pixels == 0)
      return clearRun(out, s.filters * taps);
    int64_t cuts = divideUp(pixels, Vec::depth);
    for (int64_t n = begin; n < end; ++n)
      for (int64_t cut = 0; cut < cuts; ++cut) {
        first = pixels * cut / cuts;
        depth = pixels * (cut + 1) / cuts - first;
        beta = n == begin && cut == 0 ? T(0) : T(1);
        pieces = Base::cutIntoRows(first, depth, segments);
        runPixels(n, out);
      }
  }

  void runPixels(int64_t n, T *out) {
    int64_t rowCuts = divideUp(s.filters, Base::mostRows);
    for (int64_t r = 0; r < rowCuts; ++r) {
      int64_t firstRow = s.filters * r / rowCuts;
      int64_t rows = s.filters * (r + 1) / rowCuts - firstRow;
      packGradients(g.b + n * Base::resultSize + firstRow * pixels + first,
                    rows);
      for (int64_t j = 0; j < taps; j += width) {
        int64_t columns = smaller(width, taps - j);
        TileArguments<T> t;
        t.bStep = divideUp(columns, Vec::lanes) * Vec::lanes;
        packTaps(g.a + n * Base::imageSize, j, columns, t.bStep);
        t.k = depth;
        t.b = scratch.b;
        t.alpha = 1;
        t.beta = beta;
        t.ldc = taps;
        Base::multiplyPanel(t, rows, tallest, columns, scratch.a,
                            out + firstRow * taps + j);
      }
    }
  }

  void packGradients(const T *gradients, int64_t rows) {
    int64_t tiles = divideUp(rows, tallest);
    for (int64_t i = 0; i < tiles; ++i) {
      int64_t begin = rows * i / tiles, count = rows * (i + 1) / tiles - begin;
      packTransposed<Vec>(gradients + begin * pixels, pixels, count, depth,
                          scratch.a + begin * depth, count);
    }
  }

  /// scratch.b[p * step + t] = tap `begin + t` of pixel `first + p`.
  void packTaps(const T *image, int64_t begin, int64_t columns, int64_t step) {
    Base::packPatches(image, begin, columns, pieces, patches, depth);
    packTransposed<Vec>(patches, depth, columns, depth, scratch.b, step);
  }

  static constexpr int64_t width = 2 * Vec::lanes,
                           tallest = tallestTile<Vec>(2);
  int64_t first = 0, depth = 0;
  T beta = 0;
  Pieces pieces{};
  Segment segments[Vec::depth];
  alignas(64) typename Base::Packed scratch;
  alignas(64) T patches[width * Vec::depth];
};

template <typename Vec> class ConvolutionInputGrad : ConvolutionBase<Vec> {
  using Base = ConvolutionBase<Vec>;
  using T = typename Vec::Element;
  using Base::g, Base::s, Base::taps, Base::pixels;

public:
  explicit ConvolutionInputGrad(const ImageArguments<T> &arguments)
      : Base(arguments) {}

  void run() {
    for (int64_t n = g.begin; n < g.end; ++n)
      clearRun(g.out + n * Base::imageSize, Base::imageSize);
    // Whole channels where they fit, so that a pass over an image meets all
    // taps of a pixel.
    int64_t most = Base::mostRows / Base::kernelSize * Base::kernelSize;
    if (most == 0)
      most = Base::mostRows;
    int64_t cuts = divideUp(s.filters, Vec::depth);
    for (firstTap = 0; firstTap < taps; firstTap += most) {
      rows = smaller(most, taps - firstTap);
      for (int64_t cut = 0; cut < cuts; ++cut) {
        first = s.filters * cut / cuts;
        depth = s.filters * (cut + 1) / cuts - first;
        packFilters();
        for (int64_t n = g.begin; n < g.end; ++n)
          runImage(n);
      }
    }
  }

private:
  void packFilters() {
    int64_t tiles = divideUp(rows, tallest);
    for (int64_t i = 0; i < tiles; ++i) {
      int64_t begin = rows * i / tiles, count = rows * (i + 1) / tiles - begin;
      packStraight<Vec>(g.b + first * taps + firstTap + begin, taps, count,
                        depth, scratch.a + begin * depth, count);
    }
  }

  void runImage(int64_t n) {
    const T *gradient = g.a + n * Base::resultSize + first * pixels;
    T *image = g.out + n * Base::imageSize;
    int64_t chunk = smaller(room / rows, mostSegments * s.outWidth);
    for (int64_t begin = 0; begin < pixels; begin += chunk) {
      int64_t count = smaller(chunk, pixels - begin);
      multiplyChunk(gradient + begin, count);
      addChunk(image, begin, count);
    }
  }

  /// products[t * count + p] = Σ over filters.
  void multiplyChunk(const T *gradient, int64_t count) {
    for (int64_t j = 0; j < count; j += width) {
      int64_t columns = smaller(width, count - j);
      TileArguments<T> t;
      t.bStep = divideUp(columns, Vec::lanes) * Vec::lanes;
      packStraight<Vec>(gradient + j, pixels, columns, depth, scratch.b,
                        t.bStep);
      t.k = depth;
      t.b = scratch.b;
      t.alpha = 1;
      t.beta = 0;
      t.ldc = count;
      Base::multiplyPanel(t, rows, tallest, columns, scratch.a, products + j);
    }
  }

  /// Tap by tap; the rows of the result in between keep a tap from waiting for
  /// the stores of its neighbour.
  void addChunk(T *image, int64_t begin, int64_t count) {
    Pieces pieces = Base::cutIntoRows(begin, count, segments);
    Base::forEachTap(
        firstTap, rows,
        [&](int64_t t, int64_t channel, int64_t row, int64_t column) {
          T *plane = image + channel * s.height * s.width;
          const T *from = products + t * count;
          if (!Base::areInside(pieces, row, column))
            return addBorder(from, row, column, pieces, plane);
          T *to = plane + row * s.width + column;
          if (pieces.areEqual)
            return addRows<Vec>(from, to + pieces.top * s.width + pieces.left,
                                s.strideHeight * s.width, segments[0].length,
                                pieces.number);
          for (int64_t i = 0; i < pieces.number; ++i) {
            const Segment &piece = segments[i];
            addRun<Vec>(from + piece.at, to + piece.y * s.width + piece.x,
                        piece.length);
          }
        });
  }

  void addBorder(const T *from, int64_t row, int64_t column,
                 const Pieces &pieces, T *plane) const {
    for (int64_t i = 0; i < pieces.number; ++i) {
      const Segment &piece = segments[i];
      int64_t y = piece.y + row, x = piece.x + column;
      if (y >= 0 && y < s.height)
        addPiece(from + piece.at, x, piece.length, plane + y * s.width);
    }
  }

  void addPiece(const T *from, int64_t x, int64_t length, T *row) const {
    auto inside = Base::columnsInside(x, length);
    if (s.strideWidth == 1)
      return addRun<Vec>(from + inside.begin, row + x + inside.begin,
                         inside.end - inside.begin);
    for (int64_t i = inside.begin; i < inside.end; ++i)
      row[x + i * s.strideWidth] += from[i];
  }

  static constexpr int64_t width = 2 * Vec::lanes,
                           tallest = tallestTile<Vec>(2);
  static constexpr int64_t room = int64_t(256) * 1024 / int64_t(sizeof(T));
  static constexpr int64_t mostSegments = 256;
  int64_t firstTap = 0, rows = 0, first = 0, depth = 0;
  Segment segments[mostSegments + 1];
  alignas(64) typename Base::Packed scratch;
  alignas(64) T products[room];
};

} // namespace
