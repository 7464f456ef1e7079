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
  // Eight blocks where that leaves 32 to 128 rows in each: fewer rows do not
  // pay for packing the other operand again, more gain nothing. And a block
  // should be worth waking a thread (2 million multiply-adds, about 25 µs).
  constexpr int64_t worthwhile = 2'000'000;
  if (m <= 0)
    return 1;
  int64_t work = std::max<int64_t>(1, n) * std::max<int64_t>(1, k);
  int64_t rows = std::clamp<int64_t>((m + 7) / 8, 32, 128);
  rows = std::max(rows, worthwhile / work);
  // Equal blocks rather than a small last one.
  int64_t blocks = std::max<int64_t>(1, m / rows);
  return (m + blocks - 1) / blocks;
}

} // namespace blocks
