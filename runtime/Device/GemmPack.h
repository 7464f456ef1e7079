// Copies of parts of a matrix in the order in which tiles read them: panels of
// B's columns, rows of A side by side, and a whole B for many products.
// Included by GemmKernel.h, which says what may be included here.
#pragma once

#include "runtime/Device/GemmArguments.h"

namespace {

using blocks::PackArguments;

constexpr int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
constexpr int64_t larger(int64_t a, int64_t b) { return a < b ? b : a; }

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

} // namespace
