// The vectors of x86-64-v4: 512 bits, 32 registers, masks. Included by the
// kernels that are compiled for that level.
#pragma once

#include <immintrin.h>
#include <stdint.h>

namespace {

struct Float512 {
  using Element = float;
  using Value = __m512;
  static constexpr int lanes = 16, accumulators = 28, registers = 32;
  static constexpr bool readsFactor = true;
  // With a panel of B in the first cache; a smaller one would read and write
  // the result of a wide product once more.
  static constexpr int64_t depth = 256;
  static __mmask16 mask(int64_t count) { return __mmask16((1u << count) - 1); }
  static Value zero() { return _mm512_setzero_ps(); }
  static Value broadcast(float x) { return _mm512_set1_ps(x); }
  static Value load(const float *p) { return _mm512_loadu_ps(p); }
  static Value load(const float *p, __mmask16 m) {
    return _mm512_maskz_loadu_ps(m, p);
  }
  static void store(float *p, Value x) { _mm512_storeu_ps(p, x); }
  static void store(float *p, Value x, __mmask16 m) {
    _mm512_mask_storeu_ps(p, m, x);
  }
  static Value multiply(Value a, Value b) { return _mm512_mul_ps(a, b); }
  static Value multiplyAdd(Value a, Value b, Value c) {
    return _mm512_fmadd_ps(a, b, c);
  }
  /// sum += *a * b, of one instruction: compilers would load *a once for
  /// several, and volatile keeps them from gathering such instructions.
  static void addProduct(Value &sum, Value b, const float *a) {
    asm volatile("vfmadd231ps %2%{1to16%}, %1, %0"
                 : "+v"(sum)
                 : "v"(b), "m"(*a));
  }
  /// Keeps the order of a sum's instructions and those of others.
  static void keepHere(Value &sum) { asm volatile("" : "+v"(sum)); }
  /// to[p, j] = from[j, p] for up to 16 rows and columns, in four rounds:
  /// pairs of rows, pairs of pairs, then 128-bit quarters twice.
  static void transpose(const float *from, int64_t ldFrom, int64_t rows,
                        int64_t columns, float *to, int64_t ldTo) {
    __m512 r[16], s[16];
    const __mmask16 inRow = mask(columns), inColumn = mask(rows);
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i)
      r[i] = i < rows ? load(from + i * ldFrom, inRow) : zero();
#pragma GCC unroll 8
    for (int i = 0; i < 16; i += 2) {
      s[i] = _mm512_unpacklo_ps(r[i], r[i + 1]);
      s[i + 1] = _mm512_unpackhi_ps(r[i], r[i + 1]);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 16; i += 4) {
      r[i] = _mm512_shuffle_ps(s[i], s[i + 2], 0x44);
      r[i + 1] = _mm512_shuffle_ps(s[i], s[i + 2], 0xee);
      r[i + 2] = _mm512_shuffle_ps(s[i + 1], s[i + 3], 0x44);
      r[i + 3] = _mm512_shuffle_ps(s[i + 1], s[i + 3], 0xee);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      s[i] = _mm512_shuffle_f32x4(r[i], r[i + 4], 0x88);
      s[i + 4] = _mm512_shuffle_f32x4(r[i], r[i + 4], 0xdd);
      s[i + 8] = _mm512_shuffle_f32x4(r[i + 8], r[i + 12], 0x88);
      s[i + 12] = _mm512_shuffle_f32x4(r[i + 8], r[i + 12], 0xdd);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      r[i] = _mm512_shuffle_f32x4(s[i], s[i + 8], 0x88);
      r[i + 8] = _mm512_shuffle_f32x4(s[i], s[i + 8], 0xdd);
      r[i + 4] = _mm512_shuffle_f32x4(s[i + 4], s[i + 12], 0x88);
      r[i + 12] = _mm512_shuffle_f32x4(s[i + 4], s[i + 12], 0xdd);
    }
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i)
      if (i < columns)
        store(to + i * ldTo, r[i], inColumn);
  }
};

struct Double512 {
  using Element = double;
  using Value = __m512d;
  static constexpr int lanes = 8, accumulators = 28, registers = 32;
  static constexpr bool readsFactor = true;
  static constexpr int64_t depth = 256;
  static __mmask8 mask(int64_t count) { return __mmask8((1u << count) - 1); }
  static Value zero() { return _mm512_setzero_pd(); }
  static Value broadcast(double x) { return _mm512_set1_pd(x); }
  static Value load(const double *p) { return _mm512_loadu_pd(p); }
  static Value load(const double *p, __mmask8 m) {
    return _mm512_maskz_loadu_pd(m, p);
  }
  static void store(double *p, Value x) { _mm512_storeu_pd(p, x); }
  static void store(double *p, Value x, __mmask8 m) {
    _mm512_mask_storeu_pd(p, m, x);
  }
  static Value multiply(Value a, Value b) { return _mm512_mul_pd(a, b); }
  static Value multiplyAdd(Value a, Value b, Value c) {
    return _mm512_fmadd_pd(a, b, c);
  }
  /// sum += *a * b, of one instruction: compilers would load *a once for
  /// several, and volatile keeps them from gathering such instructions.
  static void addProduct(Value &sum, Value b, const double *a) {
    asm volatile("vfmadd231pd %2%{1to8%}, %1, %0"
                 : "+v"(sum)
                 : "v"(b), "m"(*a));
  }
  /// Keeps the order of a sum's instructions and those of others.
  static void keepHere(Value &sum) { asm volatile("" : "+v"(sum)); }
  static void transpose(const double *from, int64_t ldFrom, int64_t rows,
                        int64_t columns, double *to, int64_t ldTo) {
    for (int64_t j = 0; j < rows; ++j)
      for (int64_t p = 0; p < columns; ++p)
        to[p * ldTo + j] = from[j * ldFrom + p];
  }
};

} // namespace
