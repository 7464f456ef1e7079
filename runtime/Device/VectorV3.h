// The vectors of x86-64-v3: 256 bits, fused multiply-add, 16 registers.
// Included by the kernels that are compiled for that level.
#pragma once

#include <immintrin.h>
#include <stdint.h>

namespace {

/// to[p, j] = from[j, p], element by element.
template <typename T>
void transposeElements(const T *from, int64_t ldFrom, int64_t rows,
                       int64_t columns, T *to, int64_t ldTo) {
  for (int64_t p = 0; p < columns; ++p)
    for (int64_t j = 0; j < rows; ++j)
      to[p * ldTo + j] = from[j * ldFrom + p];
}

struct Float256 {
  using Element = float;
  using Value = __m256;
  static constexpr int lanes = 8, accumulators = 12, registers = 16;
  static constexpr bool readsFactor = false;
  static constexpr int64_t depth = 256;
  static __m256i mask(int64_t count) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(int(count)),
                              _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
  static Value zero() { return _mm256_setzero_ps(); }
  static Value broadcast(float x) { return _mm256_set1_ps(x); }
  static Value load(const float *p) { return _mm256_loadu_ps(p); }
  static Value load(const float *p, __m256i m) {
    return _mm256_maskload_ps(p, m);
  }
  static void store(float *p, Value x) { _mm256_storeu_ps(p, x); }
  static void store(float *p, Value x, __m256i m) {
    _mm256_maskstore_ps(p, m, x);
  }
  static Value multiply(Value a, Value b) { return _mm256_mul_ps(a, b); }
  static Value multiplyAdd(Value a, Value b, Value c) {
    return _mm256_fmadd_ps(a, b, c);
  }
  static void transpose(const float *from, int64_t ldFrom, int64_t rows,
                        int64_t columns, float *to, int64_t ldTo) {
    transposeElements(from, ldFrom, rows, columns, to, ldTo);
  }
};

struct Double256 {
  using Element = double;
  using Value = __m256d;
  static constexpr int lanes = 4, accumulators = 12, registers = 16;
  static constexpr bool readsFactor = false;
  static constexpr int64_t depth = 256;
  static __m256i mask(int64_t count) {
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count),
                              _mm256_setr_epi64x(0, 1, 2, 3));
  }
  static Value zero() { return _mm256_setzero_pd(); }
  static Value broadcast(double x) { return _mm256_set1_pd(x); }
  static Value load(const double *p) { return _mm256_loadu_pd(p); }
  static Value load(const double *p, __m256i m) {
    return _mm256_maskload_pd(p, m);
  }
  static void store(double *p, Value x) { _mm256_storeu_pd(p, x); }
  static void store(double *p, Value x, __m256i m) {
    _mm256_maskstore_pd(p, m, x);
  }
  static Value multiply(Value a, Value b) { return _mm256_mul_pd(a, b); }
  static Value multiplyAdd(Value a, Value b, Value c) {
    return _mm256_fmadd_pd(a, b, c);
  }
  static void transpose(const double *from, int64_t ldFrom, int64_t rows,
                        int64_t columns, double *to, int64_t ldTo) {
    transposeElements(from, ldFrom, rows, columns, to, ldTo);
  }
};

} // namespace
