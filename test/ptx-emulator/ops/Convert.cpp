// cvt. A conversion is taken apart: the source is brought to an integer, f32 or
// f64, converted, and narrowed to f16, bf16 or tf32 if that is the result.
#include "Float.h"
#include "Half.h"
#include "Rounded.h"

#include <limits>

namespace ptxemu {
namespace {

template <class T>
using SlotOf = std::conditional_t<
    sizeof(T) == 1, std::conditional_t<std::is_signed_v<T>, int16_t, uint16_t>,
    T>;

/// Integers by C++'s rules; Saturate clamps to the range of the result.
template <class D, class S, bool Saturate>
const Op *intToInt(const Op *op, Warp &warp) {
  const auto *a = slot<SlotOf<S>>(warp, op->a);
  return mapLanes<SlotOf<D>>(op, warp, [=](int i) {
    auto value = S(a[i]);
    if (Saturate) {
      using Wide = __int128;
      Wide low = std::numeric_limits<D>::min(),
           high = std::numeric_limits<D>::max();
      Wide exact = value;
      return D(exact < low ? low : exact > high ? high : exact);
    }
    return D(value);
  });
}

template <class D, class S> const Op *intToReal(const Op *op, Warp &warp) {
  const auto *a = slot<SlotOf<S>>(warp, op->a);
  return mapLanes<D>(op, warp, [=](int i) { return D(S(a[i])); });
}

enum Rounding { nearest, towardZero, down, up };

template <Rounding R, class T> T roundWhole(T a) {
  switch (R) {
  case nearest:
    return std::nearbyint(a); // the host rounds to even
  case towardZero:
    return std::trunc(a);
  case down:
    return std::floor(a);
  default:
    return std::ceil(a);
  }
}

/// Values outside the range become its nearest end, NaN becomes 0.
template <class D, class S, Rounding R>
const Op *realToInt(const Op *op, Warp &warp) {
  const auto *a = slot<S>(warp, op->a);
  constexpr S low = S(std::numeric_limits<D>::min());
  // The first value that is too large; a power of two, so exact.
  constexpr S over = S(2) * S(std::numeric_limits<D>::max() / 2 + 1);
  return mapLanes<SlotOf<D>>(op, warp, [=](int i) {
    S value = roundWhole<R>(a[i]);
    bool fits = value >= low && value < over;
    D inside = D(fits ? value : S(0));
    D outside = value >= over ? std::numeric_limits<D>::max()
                : value < low ? std::numeric_limits<D>::min()
                              : D(0);
    return fits ? inside : outside;
  });
}

template <class D, class S> const Op *realToReal(const Op *op, Warp &warp) {
  const auto *a = slot<S>(warp, op->a);
  return mapLanes<D>(op, warp, [=](int i) { return D(a[i]); });
}
template <class T, Rounding R> const Op *wholeReal(const Op *op, Warp &warp) {
  const auto *a = slot<T>(warp, op->a);
  return mapLanes<T>(op, warp, [=](int i) { return roundWhole<R>(a[i]); });
}

template <class H> const Op *widen(const Op *op, Warp &warp) {
  const auto *a = slot<uint16_t>(warp, op->a);
  return mapLanes<float>(op, warp, [=](int i) { return H::widen(a[i]); });
}
template <class H> const Op *narrow(const Op *op, Warp &warp) {
  const auto *a = slot<float>(warp, op->a);
  return mapLanes<uint16_t>(op, warp, [=](int i) { return H::narrow(a[i]); });
}
/// Toward zero: the nearest half, one step back where that was too far.
template <class H> uint16_t narrowDown(float a) {
  uint16_t near = H::narrow(a);
  bool over = std::fabs(H::widen(near)) > std::fabs(a);
  return uint16_t(near - (over ? 1 : 0));
}
template <class H> const Op *narrowToZero(const Op *op, Warp &warp) {
  const auto *a = slot<float>(warp, op->a);
  return mapLanes<uint16_t>(op, warp,
                            [=](int i) { return narrowDown<H>(a[i]); });
}
/// f64 to a float that the narrowing can round correctly.
const Op *doubleToOdd(const Op *op, Warp &warp) {
  const auto *a = slot<double>(warp, op->a);
  return mapLanes<float>(op, warp, [=](int i) { return toOddFloat(a[i]); });
}
const Op *toTf32(const Op *op, Warp &warp) {
  const auto *a = slot<uint32_t>(warp, op->a);
  bool even = op->imm;
  return mapLanes<uint32_t>(op, warp, [=](int i) {
    uint32_t u = a[i];
    uint32_t tied = (u & 0x7F800000) == 0x7F800000
                        ? u
                        : (u + 0xFFF + (u >> 13 & 1)) & 0xFFFFE000;
    return even ? tied : roundToTf32(u);
  });
}
const Op *reluReal(const Op *op, Warp &warp) {
  const auto *a = slot<float>(warp, op->a);
  return mapLanes<float>(op, warp, [=](int i) { return a[i] < 0 ? 0 : a[i]; });
}
const Op *joinHalves(const Op *op, Warp &warp) {
  const auto *a = slot<uint16_t>(warp, op->a), *b = slot<uint16_t>(warp, op->b);
  return mapLanes<uint32_t>(op, warp,
                            [=](int i) { return uint32_t(a[i]) << 16 | b[i]; });
}

/// Like forInteger, with the 8-bit types.
template <class G> Handler forAnyInteger(Type type, G g) {
  if (type == Type::u8 || type == Type::b8)
    return g(uint8_t());
  if (type == Type::s8)
    return g(int8_t());
  return forInteger(type, g);
}

Rounding wholeMode(const Decoder &d) {
  if (d.has(".rzi") || d.has(".rz"))
    return towardZero;
  if (d.has(".rmi") || d.has(".rm"))
    return down;
  if (d.has(".rpi") || d.has(".rp"))
    return up;
  return nearest;
}

bool roundsToWhole(const Decoder &d) {
  return d.has(".rni") || d.has(".rzi") || d.has(".rmi") || d.has(".rpi");
}

Handler intToIntHandler(Type to, Type from, bool saturate) {
  return forAnyInteger(from, [&](auto s) {
    return forAnyInteger(to, [&](auto t) -> Handler {
      using D = decltype(t);
      using S = decltype(s);
      return saturate ? intToInt<D, S, true> : intToInt<D, S, false>;
    });
  });
}

Handler intToRealHandler(Type to, Type from) {
  return forAnyInteger(from, [&](auto s) {
    return forReal(to, [](auto t) -> Handler {
      return intToReal<decltype(t), decltype(s)>;
    });
  });
}

template <Rounding R> Handler realToIntMode(Type to, Type from) {
  return forReal(from, [&](auto s) {
    return forAnyInteger(to, [](auto t) -> Handler {
      return realToInt<decltype(t), decltype(s), R>;
    });
  });
}
Handler realToIntHandler(Rounding mode, Type to, Type from) {
  switch (mode) {
  case nearest:
    return realToIntMode<nearest>(to, from);
  case towardZero:
    return realToIntMode<towardZero>(to, from);
  case down:
    return realToIntMode<down>(to, from);
  default:
    return realToIntMode<up>(to, from);
  }
}

template <class T> Handler wholeRealHandler(Rounding mode) {
  switch (mode) {
  case nearest:
    return wholeReal<T, nearest>;
  case towardZero:
    return wholeReal<T, towardZero>;
  case down:
    return wholeReal<T, down>;
  default:
    return wholeReal<T, up>;
  }
}

/// Brings f16 and bf16 to f32; says of which type the slot is then.
uint32_t widened(Decoder &d, uint32_t from, Type &type) {
  if (type != Type::f16 && type != Type::bf16)
    return from;
  uint32_t wide = d.temporary(Type::f32);
  d.emit(type == Type::f16 ? widen<Half> : widen<Bfloat>, wide, from);
  type = Type::f32;
  return wide;
}

/// f32 or f64 to f32 or f64, with rounding to whole numbers or directed.
void emitRealToReal(Decoder &d, uint32_t to, uint32_t from, Type target,
                    Type type) {
  if (type == Type::f32 && d.has(".ftz")) {
    uint32_t flushed = d.temporary(type);
    d.emit(flushSubnormals, flushed, from);
    from = flushed;
  }
  Rounding mode = wholeMode(d);
  if (target == type && roundsToWhole(d))
    d.emit(type == Type::f32 ? wholeRealHandler<float>(mode)
                             : wholeRealHandler<double>(mode),
           to, from);
  else if (target == Type::f32 && type == Type::f64 && mode != nearest)
    d.emit(roundedConversion(target, type), to, from).imm = mode;
  else if (target == Type::f32)
    d.emit(type == Type::f32 ? realToReal<float, float>
                             : realToReal<float, double>,
           to, from);
  else
    d.emit(type == Type::f32 ? realToReal<double, float>
                             : realToReal<double, double>,
           to, from);
  finishReal(d, to, target);
}

void emitIntToReal(Decoder &d, uint32_t to, uint32_t from, Type target,
                   Type type) {
  Rounding mode = wholeMode(d);
  Handler directed =
      mode == nearest ? nullptr : roundedConversion(target, type);
  if (directed)
    d.emit(directed, to, from).imm = mode;
  else
    d.emit(intToRealHandler(target, type), to, from);
  if (d.has(".sat"))
    d.emit(saturateHandler(target), to, to);
}

/// A half out of an f32, f64 or integer slot; returns a slot of 16 bits.
void emitNarrow(Decoder &d, uint32_t to, uint32_t from, Type target,
                Type type) {
  bool half = target == Type::f16;
  if (isInteger(type)) {
    uint32_t real = d.temporary(Type::f64);
    d.emit(intToRealHandler(Type::f64, type), real, from);
    from = real;
    type = Type::f64;
  }
  uint32_t real = d.temporary(Type::f32);
  if (type == Type::f64)
    d.emit(doubleToOdd, real, from);
  else
    d.emit(realToReal<float, float>, real, from);
  if (roundsToWhole(d))
    d.emit(wholeRealHandler<float>(wholeMode(d)), real, real);
  if (d.has(".relu"))
    d.emit(reluReal, real, real);
  if (d.has(".sat"))
    d.emit(saturateHandler(Type::f32), real, real);
  if (d.has(".rm") || d.has(".rp"))
    d.fail("this rounding of halves is not emulated");
  bool zero = d.has(".rz");
  Handler handler = half ? (zero ? narrowToZero<Half> : narrow<Half>)
                         : (zero ? narrowToZero<Bfloat> : narrow<Bfloat>);
  d.emit(handler, to, real);
}

bool decodePair(Decoder &d, Type target) {
  if (d.type() != Type::f32 || d.operandCount() != 3)
    return false;
  Type half = target == Type::f16x2 ? Type::f16 : Type::bf16;
  uint32_t a = d.source(1, Type::f32), b = d.source(2, Type::f32);
  uint32_t high = d.temporary(half), low = d.temporary(half);
  emitNarrow(d, high, a, half, Type::f32);
  emitNarrow(d, low, b, half, Type::f32);
  d.emit(joinHalves, d.destination(0, target), high, low);
  return true;
}

} // namespace

bool decodeConvert(Decoder &d) {
  if (!d.is("cvt"))
    return false;
  Type target = d.type(0), type = d.type(1);
  if (d.has(".pack") || type == Type::none)
    return false;
  if (target == Type::f16x2 || target == Type::bf16x2)
    return decodePair(d, target);
  if (isHalf(type) && sizeOf(type) == 4)
    return false;
  uint32_t from = d.source(1, type);
  uint32_t to = d.destination(0, target);
  if (target == Type::tf32) {
    d.emit(toTf32, to, from).imm = d.has(".rn");
    return true;
  }
  from = widened(d, from, type);
  if (target == Type::f16 || target == Type::bf16)
    emitNarrow(d, to, from, target, type);
  else if (isInteger(type) && isInteger(target))
    d.emit(intToIntHandler(target, type, d.has(".sat")), to, from);
  else if (isInteger(type))
    emitIntToReal(d, to, from, target, type);
  else if (isInteger(target))
    d.emit(realToIntHandler(wholeMode(d), target, type), to,
           type == Type::f32 && d.has(".ftz") ? realSource(d, 1, type) : from);
  else
    emitRealToReal(d, to, from, target, type);
  return true;
}

} // namespace ptxemu
