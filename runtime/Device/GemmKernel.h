// The matrix product, written once for every vector width. GemmV2.cpp,
// GemmV3.cpp and GemmV4.cpp include this file, each compiled for its CPU level
// with its own vector type, and Gemm.cpp picks one at run time. Everything
// stands in an unnamed namespace and nothing of the standard library is
// included: an inline function compiled here for AVX-512 must never be the one
// that the linker keeps for everybody.
//
// An element of the result is one chain of multiply-adds over a block of the
// contracted dimension (at most `Vec::depth`), from first to last, then blocks
// are added in order. Neither the tile's height nor the columns of a panel
// appear in that formula, so the bits depend on k and the CPU level alone, not
// on how callers cut the rows.
//
// The walk: blocks of rows (where A is packed), blocks of k, panels of columns
// (B packed), tiles of rows. A tile keeps its results in registers for a whole
// block of k.
#pragma once

#include "runtime/Device/GemmArguments.h"

namespace {

using blocks::GemmArguments;
using blocks::PackArguments;

constexpr int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
constexpr int64_t larger(int64_t a, int64_t b) { return a < b ? b : a; }

/// What is read later, fetched a little with every fourth step, `times` times:
/// two lines, `apart` elements from each other, of two rows each. All at once
/// would keep what is read now waiting.
template <typename T> struct Fetch {
  const T *row = nullptr;
  int64_t step = 0, apart = 0, times = 0;

  void advance() {
    if (times <= 0)
      return;
    --times;
    constexpr int intoSecondCache = 2;
    __builtin_prefetch(row, 0, intoSecondCache);
    __builtin_prefetch(row + apart, 0, intoSecondCache);
    row += step;
    __builtin_prefetch(row, 0, intoSecondCache);
    __builtin_prefetch(row + apart, 0, intoSecondCache);
    row += step;
  }
};

/// One tile of the result: `k` steps over a and b (columns side by side,
/// `bStep` apart).
template <typename T> struct TileArguments {
  int64_t k;
  const T *a;
  int64_t aStep; ///< From step to step, or from row to row: see Rows.
  const T *b;
  int64_t bStep;
  T alpha, beta;
  T *c;
  int64_t ldc;
  int64_t lastLanes;        ///< Columns in the last vector.
  bool touchResult = false; ///< Fetches C first: k is long enough for it.
  Fetch<T> fetch;
};

/// How a tile's part of A lies in memory: the rows of a step side by side, or
/// the steps of a row.
enum class Lie { RowsTogether, StepsTogether };

/// The column of A at one step. Where steps lie together, there is a pointer
/// for every second row, and the row below is reached by an index: so many fit
/// the registers.
template <typename T, Lie lie, int Rows> struct ColumnOfA {
  static constexpr bool stepsTogether = lie == Lie::StepsTogether;
  static constexpr int pointers = stepsTogether ? (Rows + 1) / 2 : 1;
  /// Steps that are in reach before pointers must advance.
  static constexpr int reach = stepsTogether ? 4 : 1;
  const T *at[pointers];
  int64_t step;

  ColumnOfA(const T *a, int64_t step) : step(step) {
#pragma GCC unroll 8
    for (int i = 0; i < pointers; ++i)
      at[i] = a + 2 * i * step;
  }
  /// Where the element of a row is, `ahead` steps further.
  const T *get(int row, int ahead) const {
    return stepsTogether ? at[row / 2] + row % 2 * step + ahead : at[0] + row;
  }
  void advance(int64_t steps) {
#pragma GCC unroll 8
    for (int i = 0; i < pointers; ++i) {
      at[i] += stepsTogether ? steps : steps * step;
      asm("" : "+r"(at[i])); // Else compilers choose pointers of their own.
    }
  }
};

/// Fetches a row of the result, of `Vectors` vectors, for writing.
template <typename Vec, int Vectors>
void touch(const typename Vec::Element *c, int64_t lastLanes) {
  constexpr int line = 64 / sizeof(typename Vec::Element);
  constexpr int last = (Vectors - 1) * Vec::lanes;
#pragma GCC unroll 8
  for (int j = 0; j <= last; j += line)
    __builtin_prefetch(c + j, 1);
  __builtin_prefetch(c + last + lastLanes - 1, 1); // It may begin in a line.
}

/// sum += *a * column, for one row of a tile. Every second row leaves it to the
/// multiply-adds to read *a where they can: an instruction less, which counts
/// where a core's two hardware threads share its decoder. All rows would ask
/// for more loads than there are.
template <typename Vec, int Rows, int Vectors>
__attribute__((always_inline)) inline void
addRow(int row, const typename Vec::Element *a,
       const typename Vec::Value *column, typename Vec::Value *sum) {
  constexpr bool mayRead =
      Vec::readsFactor && (Rows + 1) * Vectors < Vec::registers;
  if constexpr (mayRead)
    if (row % 2 == 0) {
#pragma GCC unroll 8
      for (int v = 0; v < Vectors; ++v)
        Vec::addProduct(sum[v], column[v], a);
      return;
    }
  auto factor = Vec::broadcast(*a);
#pragma GCC unroll 8
  for (int v = 0; v < Vectors; ++v) {
    sum[v] = Vec::multiplyAdd(factor, column[v], sum[v]);
    if constexpr (mayRead)
      Vec::keepHere(sum[v]);
  }
}

/// `Rows` rows by `Vectors` vectors of columns. With `Edge` the last vector
/// holds fewer columns than lanes, and nothing beyond them is touched.
template <typename Vec, Lie lie, int Rows, int Vectors, bool Edge>
void tile(const TileArguments<typename Vec::Element> &t) {
  using V = typename Vec::Value;
  constexpr int lanes = Vec::lanes;
  const auto mask = Vec::mask(t.lastLanes);
  V sum[Rows][Vectors];
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v)
      sum[i][v] = Vec::zero();

  if (t.touchResult)
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i)
      touch<Vec, Vectors>(t.c + i * t.ldc, t.lastLanes);

  ColumnOfA<typename Vec::Element, lie, Rows> a(t.a, t.aStep);
  const auto *b = t.b;
  const int64_t bStep = t.bStep;
  auto fetch = t.fetch;
  auto step = [&](int ahead) __attribute__((always_inline)) {
    V column[Vectors];
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v)
      column[v] = Edge && v == Vectors - 1 ? Vec::load(b + v * lanes, mask)
                                           : Vec::load(b + v * lanes);
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i)
      addRow<Vec, Rows, Vectors>(i, a.get(i, ahead), column, sum[i]);
    b += bStep;
  };
  // Several steps at a time: fewer instructions beside the multiply-adds.
  constexpr int unrolled = 4, reach = a.reach;
  int64_t left = t.k;
  for (; left >= unrolled; left -= unrolled) {
#pragma GCC unroll 4
    for (int ahead = 0; ahead < unrolled; ++ahead) {
      step(ahead % reach);
      if (ahead % reach == reach - 1)
        a.advance(reach);
    }
    fetch.advance();
  }
  for (; left > 0; --left) {
    step(0);
    a.advance(1);
  }

  // Copies: for all that compilers know, C might be the arguments.
  const V alpha = Vec::broadcast(t.alpha), beta = Vec::broadcast(t.beta);
  const bool adds = t.beta != 0; // Else C may hold anything, NaN included.
  auto *c = t.c;
  const int64_t ldc = t.ldc;
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i, c += ldc)
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) {
      auto *to = c + v * lanes;
      const bool partial = Edge && v == Vectors - 1;
      V result = Vec::multiply(alpha, sum[i][v]);
      if (adds)
        result = Vec::multiplyAdd(
            beta, partial ? Vec::load(to, mask) : Vec::load(to), result);
      if (partial)
        Vec::store(to, result, mask);
      else
        Vec::store(to, result);
    }
}

template <typename Vec>
using Tile = void (*)(const TileArguments<typename Vec::Element> &);

/// The tile of `rows` rows, counted down at compile time.
template <typename Vec, Lie lie, int Vectors, bool Edge, int Rows>
Tile<Vec> findTile(int64_t rows) {
  if constexpr (Rows > 1)
    if (rows < Rows)
      return findTile<Vec, lie, Vectors, Edge, Rows - 1>(rows);
  return tile<Vec, lie, Rows, Vectors, Edge>;
}

/// Registers allow tiles of `Vec::accumulators` vectors: high and narrow, or
/// low and wide where there are few rows.
template <typename Vec> constexpr int tallestTile(int vectors) {
  return Vec::accumulators / vectors;
}

template <typename Vec, Lie lie, bool Edge>
Tile<Vec> findTile(int64_t rows, int64_t vectors) {
  switch (vectors) {
  case 1:
    return findTile<Vec, lie, 1, Edge, tallestTile<Vec>(2)>(rows);
  case 2:
    return findTile<Vec, lie, 2, Edge, tallestTile<Vec>(2)>(rows);
  case 3:
    return findTile<Vec, lie, 3, Edge, tallestTile<Vec>(4)>(rows);
  default:
    return findTile<Vec, lie, 4, Edge, tallestTile<Vec>(4)>(rows);
  }
}

/// packed[p * width + j] = source[j, p], for `count` columns; columns up to
/// `width` are left as they are.
template <typename Vec>
void packTransposed(const typename Vec::Element *source, int64_t ld,
                    int64_t count, int64_t k, typename Vec::Element *packed,
                    int64_t width) {
  constexpr int lanes = Vec::lanes;
  for (int64_t j = 0; j < count; j += lanes)
    for (int64_t p = 0; p < k; p += lanes)
      Vec::transpose(source + j * ld + p, ld, smaller(lanes, count - j),
                     smaller(lanes, k - p), packed + p * width + j, width);
}

/// packed[p * width + j] = source[p, j].
template <typename Vec>
void packStraight(const typename Vec::Element *source, int64_t ld,
                  int64_t count, int64_t k, typename Vec::Element *packed,
                  int64_t width) {
  constexpr int lanes = Vec::lanes;
  int64_t whole = count / lanes * lanes;
  const auto mask = Vec::mask(count - whole);
  for (int64_t p = 0; p < k; ++p) {
    const auto *from = source + p * ld;
    auto *to = packed + p * width;
    for (int64_t j = 0; j < whole; j += lanes)
      Vec::store(to + j, Vec::load(from + j));
    if (whole < count)
      Vec::store(to + whole, Vec::load(from + whole, mask));
  }
}

/// packed[p * rows + i] = source[p, i], for the rows of a tile: at most two
/// vectors. May write up to a vector beyond the end.
template <typename Vec>
void packTile(const typename Vec::Element *source, int64_t ld, int64_t rows,
              int64_t k, typename Vec::Element *packed) {
  constexpr int lanes = Vec::lanes;
  const int64_t first = smaller(lanes, rows), second = rows - first;
  const auto firstMask = Vec::mask(first), secondMask = Vec::mask(second);
  // Whole vectors are written: what is too much, the next step writes over.
  for (int64_t p = 0; p < k; ++p, source += ld, packed += rows) {
    Vec::store(packed, Vec::load(source, firstMask));
    if (second > 0)
      Vec::store(packed + lanes, Vec::load(source + lanes, secondMask));
  }
}

/// The blocks of the contracted dimension, of at most `Vec::depth` steps.
template <typename Vec> struct Depths {
  int64_t k, count;
  explicit Depths(int64_t k) : k(k), count((k + Vec::depth - 1) / Vec::depth) {}
  int64_t start(int64_t number) const { return k * number / count; }
};

/// The columns of a panel of a matrix that was packed whole.
template <typename Vec> constexpr int64_t panelWidth() {
  return 2 * Vec::lanes;
}

/// See PackArguments.
template <typename Vec>
void packWhole(const PackArguments<typename Vec::Element> &p) {
  constexpr int64_t width = panelWidth<Vec>();
  Depths<Vec> depths(p.k);
  for (int64_t number = 0; number < depths.count; ++number) {
    int64_t first = depths.start(number), end = depths.start(number + 1);
    int64_t low = larger(first, p.low), rows = smaller(end, p.high) - low;
    if (rows <= 0)
      continue;
    for (int64_t j = 0; j < p.n; j += width) {
      auto *to = p.packed + first * p.padded + j * (end - first) +
                 (low - first) * width;
      int64_t columns = smaller(width, p.n - j);
      if (p.transposeB)
        packTransposed<Vec>(p.b + j * p.ldb + low, p.ldb, columns, rows, to,
                            width);
      else
        packStraight<Vec>(p.b + low * p.ldb + j, p.ldb, columns, rows, to,
                          width);
    }
  }
}

/// The scratch memory of one call, on the stack: no allocation, no sharing. A's
/// part, at most 358 kB, leaves room in the second cache for the result.
template <typename Vec> struct Scratch {
  static constexpr int64_t tiles = 100 / sizeof(typename Vec::Element);
  static constexpr int64_t rows = tallestTile<Vec>(2) * tiles;
  static constexpr int64_t columns = 4 * Vec::lanes;
  typename Vec::Element a[rows * Vec::depth + 64];
  typename Vec::Element b[columns * Vec::depth];
};

template <typename Vec> class Product {
public:
  using T = typename Vec::Element;
  using Arguments = GemmArguments<T>;
  explicit Product(const Arguments &arguments) : g(arguments) {}

  void run() {
    chooseTiles();
    int64_t most = packA ? Scratch<Vec>::rows : g.m;
    int64_t cuts = (g.m + most - 1) / most;
    for (int64_t cut = 0; cut < cuts; ++cut) {
      rowBegin = g.m * cut / cuts;
      blockRows = g.m * (cut + 1) / cuts - rowBegin;
      tiles = (blockRows + tallest - 1) / tallest;
      runRows();
    }
  }

private:
  /// Rows of the block's tiles: as equal as can be.
  int64_t tileStart(int64_t t) const {
    return rowBegin + blockRows * t / tiles;
  }
  const T *elementA(int64_t row) const {
    return g.transposeA ? g.a + first * g.lda + row : g.a + row * g.lda + first;
  }

  const T *elementB(int64_t step, int64_t column) const {
    return g.transposeB ? g.b + column * g.ldb + step
                        : g.b + step * g.ldb + column;
  }

  void chooseTiles() {
    wide = !g.packedB && g.m <= tallestTile<Vec>(4);
    vectors = wide ? 4 : 2;
    tallest = tallestTile<Vec>(int(vectors));
    // A few tiles do not pay for copying B, which is read in order anyhow.
    packB = !g.packedB && (g.transposeB || g.m > 4 * tallest);
    packA = g.transposeA ? paysToPackSteps() : rowsCollide();
  }

  /// Rows of A are read where they lie, unless they would all want the same
  /// places in the first cache.
  bool rowsCollide() const {
    constexpr int64_t page = 4096 / sizeof(T), line = 64 / sizeof(T);
    int64_t apart = g.lda % page;
    return apart < line || page - apart < line;
  }

  /// Steps of a transposed A are rows of memory: a tile takes one line of each,
  /// for every panel again. Several panels pay for copying it.
  bool paysToPackSteps() const {
    return g.n >= 4 * panelWidth<Vec>() && g.m > tallest;
  }

  void runRows() {
    Depths<Vec> depths(g.k);
    for (int64_t cut = 0; cut < depths.count; ++cut) {
      first = depths.start(cut);
      depth = depths.start(cut + 1) - first;
      beta = cut ? T(1) : g.beta;
      if (packA)
        packRows();
      runDepth();
    }
  }

  void runDepth() {
    int64_t width = vectors * Vec::lanes, columns;
    for (int64_t j = 0; j < g.n; j += columns) {
      // A panel that was packed before may begin before the block.
      columns = g.packedB ? width - (g.column + j) % width : width;
      columns = smaller(columns, g.n - j);
      runPanel(j, columns);
    }
  }

  void packRows() {
    for (int64_t t = 0; t < tiles; ++t) {
      int64_t begin = tileStart(t), rows = tileStart(t + 1) - begin;
      T *to = scratch.a + (begin - rowBegin) * depth;
      if (g.transposeA)
        packTile<Vec>(elementA(begin), g.lda, rows, depth, to);
      else
        packTransposed<Vec>(elementA(begin), g.lda, rows, depth, to, rows);
    }
  }

  void runPanel(int64_t column, int64_t columns) {
    int64_t used = (columns + Vec::lanes - 1) / Vec::lanes;
    TileArguments<T> t;
    t.k = depth;
    t.alpha = g.alpha;
    t.beta = beta;
    t.ldc = g.ldc;
    t.lastLanes = columns - (used - 1) * Vec::lanes;
    const T *b = elementB(first, column);
    t.b = b;
    t.bStep = g.ldb;
    t.touchResult = depth >= Vec::depth / 4;
    if (g.packedB) {
      constexpr int64_t width = panelWidth<Vec>();
      int64_t at = g.column + column, inPanel = at % width;
      t.b = g.b + first * g.ldb + (at - inPanel) * depth + inPanel;
      t.bStep = width;
    } else if (packB) {
      t.b = scratch.b;
      t.bStep = used * Vec::lanes;
      if (g.transposeB)
        packTransposed<Vec>(b, g.ldb, columns, depth, scratch.b, t.bStep);
      else
        packStraight<Vec>(b, g.ldb, columns, depth, scratch.b, t.bStep);
    }
    bool edge = t.lastLanes < Vec::lanes;
    for (int64_t i = 0; i < tiles; ++i) {
      int64_t begin = tileStart(i), rows = tileStart(i + 1) - begin;
      t.a = packA ? scratch.a + (begin - rowBegin) * depth : elementA(begin);
      t.aStep = packA ? rows : g.lda;
      t.c = g.c + begin * g.ldc + column;
      t.fetch = fetchFor(i, t, column + columns);
      packA || g.transposeA ? runTile<Lie::RowsTogether>(t, edge, rows, used)
                            : runTile<Lie::StepsTogether>(t, edge, rows, used);
    }
  }

  /// A tile's share of fetching the panel of B that comes after this one, which
  /// ends before `column`.
  Fetch<T> fetchFor(int64_t tile, const TileArguments<T> &t, int64_t column) {
    int64_t from = depth * tile / tiles, to = depth * (tile + 1) / tiles;
    if (g.packedB) // It follows in memory.
      return {t.b + (depth + from) * t.bStep, 2 * t.bStep / tiles,
              t.bStep / tiles, depth / 4};
    int64_t step = first;
    if (column >= g.n) {
      column = 0;
      step += depth;
    }
    if (!packB || step >= g.k)
      return {};
    constexpr int64_t line = 64 / sizeof(T);
    int64_t rows =
        g.transposeB ? smaller(vectors * Vec::lanes, g.n - column) : to - from;
    return {elementB(step + from, column), g.ldb, line, (rows + 1) / 2};
  }

  template <Lie lie>
  static void runTile(const TileArguments<T> &t, bool edge, int64_t rows,
                      int64_t vectors) {
    auto function = edge ? findTile<Vec, lie, true>(rows, vectors)
                         : findTile<Vec, lie, false>(rows, vectors);
    function(t);
  }

  const Arguments &g;
  int64_t first = 0, depth = 0;
  T beta = 0;
  bool wide = false, packA = true, packB = true;
  int64_t vectors = 2, tallest = 1;
  int64_t rowBegin = 0, blockRows = 0, tiles = 0;
  alignas(64) Scratch<Vec> scratch;
};

template <typename Vec>
void multiply(const GemmArguments<typename Vec::Element> &arguments) {
  Product<Vec>(arguments).run();
}

} // namespace
