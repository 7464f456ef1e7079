// Elements: see Elements.h.
#include "fuel/Transformers/Elements.h"

#include "blocks/Error.h"
#include "fuel/Transformers/Half.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace fuel {

using blocks::Array;
using blocks::DType;

namespace {
/// Calls `f` with a zero of the C++ type behind `dtype`.
template <typename F> void dispatch(DType dtype, F f) {
  switch (dtype) {
  case DType::Bool:
    return f(bool());
  case DType::Int8:
    return f(int8_t());
  case DType::Int16:
    return f(int16_t());
  case DType::Int32:
    return f(int32_t());
  case DType::Int64:
    return f(int64_t());
  case DType::UInt8:
    return f(uint8_t());
  case DType::UInt16:
    return f(uint16_t());
  case DType::UInt32:
    return f(uint32_t());
  case DType::UInt64:
    return f(uint64_t());
  case DType::Float16:
    return f(Half());
  case DType::Float32:
    return f(float());
  case DType::Float64:
    return f(double());
  }
}

/// A float as an integer: truncated; what does not fit gives the value that
/// x86 gives, which is also NumPy's there, without undefined behaviour.
uint64_t truncated(double x) {
  if (x >= 9223372036854775808.0 && x < 18446744073709551616.0)
    return uint64_t(x);
  if (x > -9223372036854775809.0 && x < 9223372036854775808.0)
    return uint64_t(int64_t(x));
  return uint64_t(1) << 63;
}

template <typename To, typename From> To convert(From x) {
  if constexpr (std::is_same_v<From, Half>)
    return convert<To>(float(x));
  else if constexpr (std::is_same_v<To, Half>)
    return Half(double(x));
  else if constexpr (std::is_same_v<To, bool>)
    return x != From();
  else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>)
    return To(truncated(x));
  else
    return To(x);
}

/// Booleans are read as bytes: a damaged file may hold other values than 0, 1.
template <typename T>
using Stored = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;
} // namespace

void castElements(const Array &in, DType dtype, Array &out) {
  out.resize(dtype, in.shape());
  int64_t n = in.size();
  if (n == 0)
    return;
  if (dtype == in.dtype()) {
    std::memcpy(out.data(), in.data(), in.bytes());
    return;
  }
  dispatch(in.dtype(), [&](auto from) {
    dispatch(dtype, [&](auto to) {
      using From = Stored<decltype(from)>;
      using To = decltype(to);
      const From *source = in.as<From>();
      Stored<To> *target = out.as<Stored<To>>();
      for (int64_t i = 0; i < n; ++i)
        if constexpr (std::is_same_v<decltype(from), bool>)
          target[i] = Stored<To>(convert<To>(uint8_t(source[i] != 0)));
        else
          target[i] = Stored<To>(convert<To>(source[i]));
    });
  });
}

namespace {
struct Times {
  template <typename T> T operator()(T a, T b) const { return a * b; }
};
struct Plus {
  template <typename T> T operator()(T a, T b) const { return a + b; }
};

/// Integers are combined as unsigned 64-bit ones, which wrap around.
template <typename Op> void combine(Array &array, const Scalar &scalar, Op op) {
  int64_t n = array.size();
  dispatch(array.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_same_v<T, Half>) {
      float s = float(Half(scalar.value()));
      for (Half *x = array.as<Half>(), *end = x + n; x != end; ++x)
        *x = Half(op(float(*x), s));
    } else if constexpr (std::is_floating_point_v<T>) {
      T s = T(scalar.value());
      for (T *x = array.as<T>(), *end = x + n; x != end; ++x)
        *x = op(*x, s);
    } else if constexpr (!std::is_same_v<T, bool>) {
      for (T *x = array.as<T>(), *end = x + n; x != end; ++x)
        *x = T(op(uint64_t(*x), uint64_t(scalar.integer)));
    }
  });
}
} // namespace

void multiply(Array &array, const Scalar &factor) {
  combine(array, factor, Times());
}
void add(Array &array, const Scalar &term) { combine(array, term, Plus()); }

void scaleElements(const Array &in, const Scalar &scale, const Scalar &shift,
                   DType dtype, Array &out) {
  DType scaled = promote(in.dtype(), scale);
  DType shifted = promote(scaled, shift);
  Array between;
  castElements(in, scaled, out);
  multiply(out, scale);
  if (shifted != scaled) {
    castElements(out, shifted, between);
    std::swap(out, between);
  }
  add(out, shift);
  if (dtype != shifted) {
    castElements(out, dtype, between);
    std::swap(out, between);
  }
}

//===-- Scalars -----------------------------------------------------------===//

Scalar Scalar::parse(const std::string &text) {
  Scalar result;
  const char *end = text.c_str() + text.size();
  char *stopped = nullptr;
  errno = 0;
  result.integer = std::strtoll(text.c_str(), &stopped, 10);
  if (!text.empty() && stopped == end && errno == 0)
    return result;
  result.isInteger = false;
  result.real = std::strtod(text.c_str(), &stopped);
  if (stopped != text.c_str() && *stopped == '/') {
    const char *divisor = stopped + 1;
    result.real /= std::strtod(divisor, &stopped);
    if (stopped == divisor)
      stopped = nullptr;
  }
  if (text.empty() || stopped != end || !std::isfinite(result.real))
    throw blocks::UsageError("'" + text +
                             "' is not a number; expected for example 2, 0.5 "
                             "or 1/255");
  return result;
}

namespace {
bool isFloat(DType t) { return t >= DType::Float16; }
bool isUnsigned(DType t) { return t >= DType::UInt8 && t <= DType::UInt64; }

/// Bits an unsigned or signed type needs to hold `value`.
int bitsFor(int64_t value, bool isSigned) {
  for (int bits : {8, 16, 32}) {
    int64_t limit = int64_t(1) << (isSigned ? bits - 1 : bits);
    if (value < limit && (value >= 0 || (isSigned && value >= -limit)))
      return bits;
  }
  return 64;
}

DType integerOf(int bits, bool isSigned) {
  int step = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3;
  return DType(int(isSigned ? DType::Int8 : DType::UInt8) + step);
}

DType promoteInteger(DType array, int64_t value) {
  int width = int(blocks::dtypeSize(array)) * 8;
  if (isUnsigned(array)) {
    if (value >= 0)
      return integerOf(std::max(width, bitsFor(value, false)), false);
    if (width == 64)
      return DType::Float64;
    return integerOf(std::max(2 * width, bitsFor(value, true)), true);
  }
  return integerOf(std::max(width, bitsFor(value, true)), true);
}

/// A float array stays as it is if the scalar counts as no wider a type: an
/// integer of 8 bits fits a half, one of 16 bits a single; a float counts as
/// the narrowest type whose range holds it.
DType promoteFloat(DType array, const Scalar &scalar) {
  DType needed = DType::Float64;
  if (scalar.isInteger) {
    int bits = bitsFor(scalar.integer, scalar.integer < 0);
    needed = bits == 8    ? DType::Float16
             : bits == 16 ? DType::Float32
                          : DType::Float64;
  } else if (std::fabs(scalar.real) < 65000) {
    needed = DType::Float16;
  } else if (std::fabs(scalar.real) < 3.4e38) {
    needed = DType::Float32;
  }
  return std::max(array, needed);
}
} // namespace

DType promote(DType array, const Scalar &scalar) {
  if (isFloat(array))
    return promoteFloat(array, scalar);
  if (!scalar.isInteger)
    return DType::Float64;
  if (array == DType::Bool)
    return DType::Int64;
  return promoteInteger(array, scalar.integer);
}

} // namespace fuel
