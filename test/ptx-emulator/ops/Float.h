// What several families of floating-point handlers share.
#pragma once

#include "../decode/Decoder.h"
#include "Lanes.h"

#include <bit>
#include <cmath>

namespace ptxemu {

/// Minimum and maximum of PTX: the other operand where one is a NaN, and -0
/// below +0.
struct MinNumber {
  template <class T> static T of(T a, T b) {
    T least = a < b ? a : b;
    least = a == b ? (std::signbit(a) ? a : b) : least;
    least = a != a ? b : least;
    return b != b ? a : least;
  }
};
struct MaxNumber {
  template <class T> static T of(T a, T b) {
    T most = a > b ? a : b;
    most = a == b ? (std::signbit(a) ? b : a) : most;
    most = a != a ? b : most;
    return b != b ? a : most;
  }
};
/// The .NaN forms: a NaN where one operand is one.
template <class F> struct OrNan {
  template <class T> static T of(T a, T b) {
    T value = F::of(a, b);
    return a != a || b != b ? std::bit_cast<T>(nan(T())) : value;
  }
  static uint32_t nan(float) { return 0x7FFFFFFF; }
  static uint64_t nan(double) { return 0x7FFFFFFFFFFFFFFF; }
};

/// Flushes subnormals in a slot to zeros of their sign, in place or to `to`.
const Op *flushSubnormals(const Op *op, Warp &warp);
/// Clamps to [0, 1]; NaN becomes 0.
Handler saturateHandler(Type type);

/// Sources and result of an f32 or f64 instruction, with .ftz and .sat.
uint32_t realSource(Decoder &decoder, size_t i, Type type);
void finishReal(Decoder &decoder, uint32_t result, Type type);

/// Handlers for directed rounding (.rz, .rm, .rp); null for .rn or none.
/// `name` is one of + - * / s(qrt) f(ma) r(cp).
Handler roundedHandler(const Decoder &decoder, char name, Type type);

bool decodeApproximation(Decoder &decoder, Type type);

} // namespace ptxemu
