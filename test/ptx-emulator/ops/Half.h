// f16 and bf16 in integer arithmetic, in forms without branches that compilers
// vectorise.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace ptxemu {

inline float halfToFloat(uint16_t h) {
  uint32_t sign = uint32_t(h & 0x8000) << 16;
  uint32_t rest = h & 0x7FFF;
  // Subnormals come right by the multiplication, which rescales the exponent.
  float scaled = std::bit_cast<float>(rest << 13) * 0x1p112f;
  uint32_t special = (rest << 13) | 0x7F800000;
  uint32_t bits = rest >= 0x7C00 ? special : std::bit_cast<uint32_t>(scaled);
  return std::bit_cast<float>(sign | bits);
}

/// To nearest, ties to even.
inline uint16_t floatToHalf(float f) {
  uint32_t all = std::bit_cast<uint32_t>(f);
  uint32_t sign = all >> 16 & 0x8000, u = all & 0x7FFFFFFF;
  uint32_t small =
      std::bit_cast<uint32_t>(std::bit_cast<float>(u) + 0.5f) - 0x3F000000;
  uint32_t normal = (u + 0xFFF + (u >> 13 & 1) - 0x38000000) >> 13;
  uint32_t result = u < 0x38800000 ? small : normal;
  result = u >= 0x47800000 ? 0x7C00 : result;
  result = u > 0x7F800000 ? 0x7FFF : result;
  return uint16_t(sign | result);
}

inline float bfloatToFloat(uint16_t h) {
  return std::bit_cast<float>(uint32_t(h) << 16);
}

inline uint16_t floatToBfloat(float f) {
  uint32_t u = std::bit_cast<uint32_t>(f);
  uint32_t rounded = (u + 0x7FFF + (u >> 16 & 1)) >> 16;
  return uint16_t((u & 0x7FFFFFFF) > 0x7F800000 ? 0x7FFF : rounded);
}

/// Rounds to odd: a float that a later rounding to fewer bits cannot tell from
/// the exact value.
inline float toOddFloat(double exact) {
  auto near = float(exact);
  uint32_t bits = std::bit_cast<uint32_t>(near);
  bool over = std::fabs(double(near)) > std::fabs(exact);
  bool inexact = double(near) != exact && exact == exact;
  bits -= over ? 1 : 0;
  bits |= inexact ? 1 : 0;
  return std::bit_cast<float>(bits);
}

/// a * b + c rounded to odd; a * b must be exact in a double.
inline double fmaToOdd(double a, double b, double c) {
  double product = a * b, sum = product + c;
  double back = sum - product;
  double error = (product - (sum - back)) + (c - back);
  uint64_t bits = std::bit_cast<uint64_t>(sum);
  bool finite = (bits >> 52 & 0x7FF) != 0x7FF;
  bool away = (error < 0) != (sum < 0); // |sum| is too large
  uint64_t adjusted = (bits - (away ? 1 : 0)) | 1;
  return std::bit_cast<double>(finite && error != 0 ? adjusted : bits);
}

struct Half {
  static float widen(uint16_t h) { return halfToFloat(h); }
  static uint16_t narrow(float f) { return floatToHalf(f); }
};
struct Bfloat {
  static float widen(uint16_t h) { return bfloatToFloat(h); }
  static uint16_t narrow(float f) { return floatToBfloat(f); }
};

/// f32 to tf32: 10 bits of mantissa, ties away from zero (cvt.rna).
inline uint32_t roundToTf32(uint32_t u) {
  return (u & 0x7F800000) == 0x7F800000 ? u : (u + 0x1000) & 0xFFFFE000;
}

} // namespace ptxemu
