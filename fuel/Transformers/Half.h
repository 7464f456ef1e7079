// Half: 16-bit floats in arithmetic. Stored as their bits; computed as floats.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace fuel {

/// The bits of the half float nearest to `x`, ties to even.
inline uint16_t halfBits(double x) {
  uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  double a = std::fabs(x);
  if (std::isnan(x))
    return sign | 0x7e00;
  if (a >= 65520) // Halfway between the largest half and the next power.
    return sign | 0x7c00;
  if (a == 0)
    return sign;
  int exponent = std::max(std::ilogb(a), -14);
  // In units of the last place; 2048 carries into the exponent by itself.
  double units = std::nearbyint(std::ldexp(a, 10 - exponent));
  int bits = (exponent + 14) * 1024 + int(units);
  return sign | uint16_t(bits);
}

inline float halfValue(uint16_t bits) {
  int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  float a = exponent == 0   ? std::ldexp(float(fraction), -24)
            : exponent < 31 ? std::ldexp(float(fraction + 1024), exponent - 25)
            : fraction      ? std::numeric_limits<float>::quiet_NaN()
                            : std::numeric_limits<float>::infinity();
  return bits & 0x8000 ? -a : a;
}

/// A half float as an element type.
struct Half {
  uint16_t bits = 0;
  Half() = default;
  explicit Half(double x) : bits(halfBits(x)) {}
  explicit operator float() const { return halfValue(bits); }
};
static_assert(sizeof(Half) == 2);

} // namespace fuel
