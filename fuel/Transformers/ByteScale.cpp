// ByteScale: see ByteScale.h.
#include "fuel/Transformers/ByteScale.h"

#include <algorithm>
#include <bit>
#include <cmath>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace fuel {

using blocks::Array;
using blocks::DType;

namespace {

template <typename T>
void lookUp(const uint8_t *in, int64_t n, const Array &table, std::byte *out) {
  const T *values = table.as<T>();
  T *result = reinterpret_cast<T *>(out);
  for (int64_t i = 0; i < n; ++i)
    result[i] = values[in[i]];
}

#if defined(__x86_64__)
bool canFuse() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

struct Sums {
  float high, low, shift;
};

template <bool past>
__attribute__((target("avx2,fma"))) void
scaleVectors(const uint8_t *in, int64_t vectors, Sums sums, float *out) {
  const __m256 high = _mm256_set1_ps(sums.high), low = _mm256_set1_ps(sums.low),
               shift = _mm256_set1_ps(sums.shift);
  for (int64_t i = 0; i < vectors; ++i) {
    __m128i bytes =
        _mm_loadl_epi64(reinterpret_cast<const __m128i *>(in + 8 * i));
    __m256 x = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes));
    __m256 y = _mm256_fmadd_ps(x, high, _mm256_fmadd_ps(x, low, shift));
    if constexpr (past)
      _mm256_stream_ps(out + 8 * i, y);
    else
      _mm256_storeu_ps(out + 8 * i, y);
  }
  if constexpr (past)
    _mm_sfence();
}

/// The elements before the first vector that such stores may write.
int64_t unaligned(const float *out) {
  return int64_t(-(std::bit_cast<uintptr_t>(out) / sizeof(float)) % 8);
}
#else
bool canFuse() { return false; }
#endif
} // namespace

ByteScale::ByteScale(const Scalar &scale, const Scalar &term, DType dtype) {
  Array bytes(DType::UInt8, {256});
  for (int i = 0; i < 256; ++i)
    bytes.as<uint8_t>()[i] = uint8_t(i);
  scaleElements(bytes, scale, term, dtype, table);
  high = float(scale.value());
  low = float(scale.value() - double(high));
  shift = float(term.value());
  bySums = dtype == DType::Float32 && canFuse() && sumsAreExact();
}

bool ByteScale::sumsAreExact() const {
  for (int i = 0; i < 256; ++i) {
    float x = float(i), sum = std::fma(x, high, std::fma(x, low, shift));
    if (std::bit_cast<uint32_t>(sum) !=
        std::bit_cast<uint32_t>(table.as<float>()[i]))
      return false;
  }
  return true;
}

void ByteScale::apply(const uint8_t *in, int64_t n, std::byte *out,
                      [[maybe_unused]] bool past) const {
#if defined(__x86_64__)
  if (bySums) {
    float *floats = reinterpret_cast<float *>(out);
    Sums sums{high, low, shift};
    int64_t head = past ? std::min(n, unaligned(floats)) : 0;
    int64_t vectors = (n - head) / 8, done = head + 8 * vectors;
    lookUp<float>(in, head, table, out);
    (past ? scaleVectors<true> : scaleVectors<false>)(in + head, vectors, sums,
                                                      floats + head);
    return lookUp<float>(in + done, n - done, table,
                         out + size_t(done) * sizeof(float));
  }
#endif
  switch (blocks::dtypeSize(table.dtype())) {
  case 1:
    return lookUp<uint8_t>(in, n, table, out);
  case 2:
    return lookUp<uint16_t>(in, n, table, out);
  case 4:
    return lookUp<uint32_t>(in, n, table, out);
  default:
    return lookUp<uint64_t>(in, n, table, out);
  }
}

} // namespace fuel
