// What a matrix product gets, and the three versions of it: the arguments of
// blocks_rt_gemm_* (see StepABI.h) as one structure. Included by code that is
// compiled for several CPU levels, so it includes nothing but <stdint.h>.
#pragma once

#include <stdint.h>

namespace blocks {

/// C = alpha * op(A) * op(B) + beta * C with m, n, k > 0, row-major.
template <typename T> struct GemmArguments {
  bool transposeA, transposeB;
  int64_t m, n, k;
  T alpha;
  const T *a;
  int64_t lda;
  const T *b;
  int64_t ldb;
  T beta;
  T *c;
  int64_t ldc;
};

void gemmV2(const GemmArguments<float> &arguments);
void gemmV2(const GemmArguments<double> &arguments);
void gemmV3(const GemmArguments<float> &arguments);
void gemmV3(const GemmArguments<double> &arguments);
void gemmV4(const GemmArguments<float> &arguments);
void gemmV4(const GemmArguments<double> &arguments);

} // namespace blocks
