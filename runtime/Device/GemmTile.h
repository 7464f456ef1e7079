// One tile of a matrix product, and what it takes: rows by vectors of columns,
// all in registers while the steps of the contracted dimension pass. Included
// by GemmKernel.h, which says how tiles make a product, and what may be
// included here.
#pragma once

#include <stdint.h>

namespace {

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

} // namespace
