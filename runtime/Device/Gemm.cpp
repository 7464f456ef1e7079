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

} // namespace

void gemm(CpuLevel level, const GemmArguments<float> &arguments) {
  gemmOf(level, arguments);
}
void gemm(CpuLevel level, const GemmArguments<double> &arguments) {
  gemmOf(level, arguments);
}

int64_t gemmRows(int64_t m, int64_t n, int64_t k) {
  // As many blocks as pay, in powers of two so that threads get equal shares:
  // a block packs the other operand again, which takes 48 rows to pay for, and
  // should be worth waking a thread (150,000 multiply-adds, about 3 µs).
  constexpr int64_t mostBlocks = 8, fewestRows = 48, worthwhile = 150'000;
  if (m <= 0)
    return 1;
  int64_t perRow = std::max<int64_t>(1, n) * std::max<int64_t>(1, k);
  int64_t rows = std::max(fewestRows, worthwhile / perRow);
  int64_t blocks = 1;
  while (blocks < mostBlocks && m / (2 * blocks) >= rows)
    blocks *= 2;
  // Large products get more blocks, so that a block's operand stays in cache.
  blocks = std::max(blocks, m / 256);
  return (m + blocks - 1) / blocks;
}

} // namespace blocks
