// Normal deviates by AS 241, and the logarithm that it needs: see
// Initialization.h. This file is compiled with -ffp-contract=off.
#include "runtime/Parameters/Initialization.h"

#include "blocks/NormalQuantile.h"

#include <bit>
#include <cmath>
#include <cstddef>

namespace blocks {

double portableLog(double x) {
  // x = m * 2^e with m in [√½, √2); subnormals are scaled up first.
  int64_t exponent = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    exponent = -54;
  }
  uint64_t bits = std::bit_cast<uint64_t>(x);
  exponent += int64_t(bits >> 52) - 1022;
  double m = std::bit_cast<double>((bits & 0x000FFFFFFFFFFFFFu) |
                                   0x3FE0000000000000u); // [½, 1)
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  // log m = 2 artanh s, s = (m-1)/(m+1), |s| < 0.172: 12 terms reach 2^-60.
  double s = (m - 1) / (m + 1), s2 = s * s, tail = 0;
  for (int k = 25; k >= 3; k -= 2)
    tail = tail * s2 + 1.0 / k;
  double logM = 2 * s + 2 * s * s2 * tail;
  // log 2 in two parts: the product of the first with an exponent is exact.
  constexpr double ln2High = 0x1.62e42fee00000p-1;
  constexpr double ln2Low = 0x1.a39ef35793c76p-33;
  return double(exponent) * ln2High + (double(exponent) * ln2Low + logM);
}

namespace {
double quotient(const as241::Rational &f, double r) {
  double numerator = f.p[7], denominator = f.q[7];
  for (int i = 6; i >= 0; --i) {
    numerator = numerator * r + f.p[i];
    denominator = denominator * r + f.q[i];
  }
  return numerator / denominator;
}
} // namespace

double normalQuantile(double p) {
  double q = p - 0.5;
  if (q >= -0.425 && q <= 0.425)
    return q * quotient(as241::central, 0.180625 - q * q);
  // A square root is exactly rounded by IEEE 754, so it is no libm risk.
  double r = std::sqrt(-portableLog(q < 0 ? p : 1 - p));
  double z = r <= 5 ? quotient(as241::nearTail, r - 1.6)
                    : quotient(as241::farTail, r - 5);
  return q < 0 ? -z : z;
}

} // namespace blocks
