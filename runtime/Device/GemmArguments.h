// What a matrix product gets, and the three versions of it: the arguments of
// blocks_rt_gemm_* (see StepABI.h) as one structure. Included by code that is
// compiled for several CPU levels, so it includes nothing but <stdint.h>.
#pragma once

#include <stdint.h>

namespace blocks {

/// C = alpha * op(A) * op(B) + beta * C with m, n, k > 0, row-major. With
/// `packedB` B was packed whole (see PackArguments): `ldb` is its padded
/// columns, and C its columns from `column`.
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
  bool packedB = false;
  int64_t column = 0;
};

/// Rows `low` to `high` of op(B), k×n, into the order in which products read
/// it: for each block of the contracted dimension the panels of columns, side
/// by side. `padded` is n rounded up to whole panels of the widest level.
template <typename T> struct PackArguments {
  bool transposeB;
  int64_t low, high, n, k;
  const T *b;
  int64_t ldb;
  T *packed;
  int64_t padded;
};

void gemmV2(const GemmArguments<float> &arguments);
void gemmV2(const GemmArguments<double> &arguments);
void packV2(const PackArguments<float> &arguments);
void packV2(const PackArguments<double> &arguments);
void gemmV3(const GemmArguments<float> &arguments);
void gemmV3(const GemmArguments<double> &arguments);
void packV3(const PackArguments<float> &arguments);
void packV3(const PackArguments<double> &arguments);
void gemmV4(const GemmArguments<float> &arguments);
void gemmV4(const GemmArguments<double> &arguments);
void packV4(const PackArguments<float> &arguments);
void packV4(const PackArguments<double> &arguments);

} // namespace blocks
