// Picks the kernel, and handles the products that are none: see Gemm.h.
#include "runtime/Device/Gemm.h"

#include <algorithm>

namespace blocks {

namespace {

/// C = beta * C, where the contracted dimension is empty.
template <typename T> void scale(const GemmArguments<T> &g) {
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      T &c = g.c[i * g.ldc + j];
      c = g.beta == 0 ? T(0) : g.beta * c;
    }
}

template <typename T>
void gemmOf(CpuLevel level, const GemmArguments<T> &arguments) {
  if (arguments.m <= 0 || arguments.n <= 0)
    return;
  if (arguments.k <= 0)
    return scale(arguments);
  if (level == CpuLevel::V4)
    return gemmV4(arguments);
  if (level == CpuLevel::V3)
    return gemmV3(arguments);
  return gemmV2(arguments);
}

template <typename T>
void packOf(CpuLevel level, const PackArguments<T> &arguments) {
  if (level == CpuLevel::V4)
    return packV4(arguments);
  if (level == CpuLevel::V3)
    return packV3(arguments);
  return packV2(arguments);
}

} // namespace

void gemm(CpuLevel level, const GemmArguments<float> &arguments) {
  gemmOf(level, arguments);
}
void gemm(CpuLevel level, const GemmArguments<double> &arguments) {
  gemmOf(level, arguments);
}

void packForGemm(CpuLevel level, const PackArguments<float> &arguments) {
  packOf(level, arguments);
}
void packForGemm(CpuLevel level, const PackArguments<double> &arguments) {
  packOf(level, arguments);
}

/// So many multiply-adds are worth waking a thread: about 3 µs.
static constexpr int64_t worthwhile = 150'000;

/// Into how many blocks to cut `length` lines of so many multiply-adds each: as
/// many as pay, in powers of two so that threads get equal shares. A block
/// packs the other operand again, which takes `fewest` lines to pay for; beyond
/// four blocks more, where that operand is `isLarge`: does not stay in the
/// second cache. And it should be worth waking a thread.
static int64_t countBlocks(int64_t length, int64_t perLine, int64_t fewest,
                           bool isLarge = false) {
  constexpr int64_t mostBlocks = 8, fewestOfLarge = 128;
  int64_t lines = std::max(fewest, worthwhile / std::max<int64_t>(1, perLine));
  int64_t blocks = 1;
  while (blocks < mostBlocks && length / (2 * blocks) >= lines) {
    if (isLarge && blocks >= 4 && length / (2 * blocks) < fewestOfLarge)
      break;
    blocks *= 2;
  }
  return blocks;
}

/// The blocks of rows of a product.
static int64_t countRowBlocks(int64_t m, int64_t n, int64_t k) {
  constexpr int64_t fewestRows = 48, cached = 1 << 18;
  return countBlocks(m, n * k, fewestRows, n * k > cached);
}

int64_t gemmRows(int64_t m, int64_t n, int64_t k) {
  if (m <= 0)
    return 1;
  int64_t blocks = countRowBlocks(m, n, k);
  // Large products get more blocks, so that a block's operand stays in cache.
  blocks = std::max(blocks, m / 256);
  return (m + blocks - 1) / blocks;
}

/// Columns of so many blocks: whole panels of the widest level.
static int64_t blockColumns(int64_t n, int64_t blocks) {
  constexpr int64_t panel = 32;
  return std::max<int64_t>(1, (n + blocks * panel - 1) / (blocks * panel)) *
         panel;
}

/// Columns of a block, about `wanted`: whole panels, and such that two threads
/// get as equal halves of the blocks as can be.
static int64_t evenColumns(int64_t n, int64_t wanted) {
  constexpr int64_t panel = 32;
  int64_t best = 0, leastWork = 0;
  int64_t from = std::max(wanted * 3 / 4, panel);
  for (int64_t columns = (from + panel - 1) / panel * panel;
       columns <= 2 * wanted + panel; columns += panel) {
    int64_t blocks = (n + columns - 1) / columns;
    int64_t half = std::min(n, blocks / 2 * columns);
    int64_t work = std::max(half, n - half);
    if (best && work >= leastWork)
      continue;
    best = columns;
    leastWork = work;
  }
  return best;
}

GemmBlock gemmGrid(int64_t m, int64_t n, int64_t k) {
  // Wide enough to pay for packing all rows of A again.
  constexpr int64_t fewestColumns = 56;
  constexpr int64_t mostRows = 1024;
  int64_t blocks = m < mostRows ? countBlocks(n, m * k, fewestColumns) : 1;
  if (blocks < 4 && blocks <= countRowBlocks(m, n, k))
    return {gemmRows(m, n, k), std::max<int64_t>(1, n)};
  if (blocks == 1)
    return {std::max<int64_t>(1, m), std::max<int64_t>(1, n)};
  // A block's result stays in the second cache for what is done to it next,
  // beside what that reads (an optimizer's buffers); but too few columns do not
  // pay for reading A again.
  constexpr int64_t mostElements = 1 << 16, enoughColumns = 256;
  blocks = std::max(blocks, std::min(m * n / mostElements, n / enoughColumns));
  // Few rows are read again at no cost: more blocks, so that nobody waits long
  // for a thread that was disturbed.
  constexpr int64_t fewRows = 56, mostOfFew = 16, fewestOfFew = 48;
  int64_t narrowest = std::max(fewestOfFew, worthwhile / (m * k + 1));
  if (m <= fewRows)
    blocks = std::max(blocks, std::min(mostOfFew, n / narrowest));
  // So many rows of A, a few hundred steps of them, stay in the second cache
  // beside the result.
  constexpr int64_t mostCached = 384;
  if (m > mostCached)
    return {(m + 1) / 2, blockColumns(n, (blocks + 1) / 2)};
  return {std::max<int64_t>(1, m), evenColumns(n, (n + blocks - 1) / blocks)};
}

} // namespace blocks
