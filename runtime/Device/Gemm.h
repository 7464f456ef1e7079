// Matrix products: the three versions of the kernel behind one choice. Own
// code rather than a library: oneDNN's dnnl_sgemm generates its kernels at
// first use, which takes longer than a whole cached start may (see
// docs/decisions/0005-own-matrix-products.md), and an element's bits here do
// not depend on how the rows were cut.
#pragma once

#include "runtime/Device/CpuInfo.h"
#include "runtime/Device/GemmArguments.h"

namespace blocks {

/// C = alpha * op(A) * op(B) + beta * C, for any m, n, k >= 0. With beta = 0 C
/// is not read. Sequential; uses about 400 kB of the caller's stack.
void gemm(CpuLevel level, const GemmArguments<float> &arguments);
void gemm(CpuLevel level, const GemmArguments<double> &arguments);

/// Packs rows of B once for many products: see PackArguments.
void packForGemm(CpuLevel level, const PackArguments<float> &arguments);
void packForGemm(CpuLevel level, const PackArguments<double> &arguments);

/// How many rows of the result make one block for the thread pool.
int64_t gemmRows(int64_t m, int64_t n, int64_t k);

/// The same where the result may also be cut by columns.
struct GemmBlock {
  int64_t rows, columns;
};
GemmBlock gemmGrid(int64_t m, int64_t n, int64_t k);

} // namespace blocks
