// Normal deviates by AS 241, and the logarithm that it needs: see
// Initialization.h. This file is compiled with -ffp-contract=off.
#include "runtime/Parameters/Initialization.h"

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
/// Coefficients of p(r)/q(r), constant term first; q's is 1.
struct Rational {
  double p[8], q[8];

  double operator()(double r) const {
    double numerator = p[7], denominator = q[7];
    for (int i = 6; i >= 0; --i) {
      numerator = numerator * r + p[i];
      denominator = denominator * r + q[i];
    }
    return numerator / denominator;
  }
};

// The three approximations of AS 241: central, near and far tail.
constexpr Rational central = {
    {3.3871328727963666080e0, 1.3314166789178437745e+2,
     1.9715909503065514427e+3, 1.3731693765509461125e+4,
     4.5921953931549871457e+4, 6.7265770927008700853e+4,
     3.3430575583588128105e+4, 2.5090809287301226727e+3},
    {1.0, 4.2313330701600911252e+1, 6.8718700749205790830e+2,
     5.3941960214247511077e+3, 2.1213794301586595867e+4,
     3.9307895800092710610e+4, 2.8729085735721942674e+4,
     5.2264952788528545610e+3}};
constexpr Rational nearTail = {
    {1.42343711074968357734e0, 4.63033784615654529590e0,
     5.76949722146069140550e0, 3.64784832476320460504e0,
     1.27045825245236838258e0, 2.41780725177450611770e-1,
     2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1.0, 2.05319162663775882187e0, 1.67638483018380384940e0,
     6.89767334985100004550e-1, 1.48103976427480074590e-1,
     1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9}};
constexpr Rational farTail = {
    {6.65790464350110377720e0, 5.46378491116411436990e0,
     1.78482653991729133580e0, 2.96560571828504891230e-1,
     2.65321895265761230930e-2, 1.24266094738807843860e-3,
     2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1,
     1.48753612908506148525e-2, 7.86869131145613259100e-4,
     1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15}};
} // namespace

double normalQuantile(double p) {
  double q = p - 0.5;
  if (q >= -0.425 && q <= 0.425)
    return q * central(0.180625 - q * q);
  // A square root is exactly rounded by IEEE 754, so it is no libm risk.
  double r = std::sqrt(-portableLog(q < 0 ? p : 1 - p));
  double z = r <= 5 ? nearTail(r - 1.6) : farTail(r - 5);
  return q < 0 ? -z : z;
}

} // namespace blocks
