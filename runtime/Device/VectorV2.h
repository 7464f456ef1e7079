// The vectors of x86-64-v2: 128 bits, in the compiler's own vector types, with
// a multiplication and an addition instead of one fused step. Included by the
// kernels that are compiled for that level, each in its unnamed namespace.
#pragma once

#include <stdint.h>

namespace {

/// `T` in a vector of 16 bytes; the compiler's vector type has the arithmetic.
template <typename T> struct Vector128 {
  using Element = T;
  typedef T Value __attribute__((vector_size(16)));
  static constexpr int lanes = int(16 / sizeof(T)), accumulators = 8;
  static constexpr int registers = 16;
  static constexpr bool readsFactor = false;
  static constexpr int64_t depth = 256;
  static int64_t mask(int64_t count) { return count; }
  static Value zero() { return Value{}; }
  static Value broadcast(T x) { return Value{} + x; }
  static Value load(const T *p) {
    Value x;
    __builtin_memcpy(&x, p, sizeof x);
    return x;
  }
  static Value load(const T *p, int64_t count) {
    Value x{};
    for (int64_t i = 0; i < count; ++i)
      x[i] = p[i];
    return x;
  }
  static void store(T *p, Value x) { __builtin_memcpy(p, &x, sizeof x); }
  static void store(T *p, Value x, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      p[i] = x[i];
  }
  static Value multiply(Value a, Value b) { return a * b; }
  static Value multiplyAdd(Value a, Value b, Value c) { return a * b + c; }
  static void transpose(const T *from, int64_t ldFrom, int64_t rows,
                        int64_t columns, T *to, int64_t ldTo) {
    for (int64_t p = 0; p < columns; ++p)
      for (int64_t j = 0; j < rows; ++j)
        to[p * ldTo + j] = from[j * ldFrom + p];
  }
};

} // namespace
