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
// block of k, and fetches a part of the next panel meanwhile.
#pragma once

#include "runtime/Device/GemmArguments.h"
#include "runtime/Device/GemmPack.h"
#include "runtime/Device/GemmTile.h"

namespace {

using blocks::GemmArguments;

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
    runTiles(t, column, columns);
  }

  void runTiles(TileArguments<T> &t, int64_t column, int64_t columns) {
    int64_t used = (columns + Vec::lanes - 1) / Vec::lanes;
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
