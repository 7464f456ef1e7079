// Arithmetic on f16, bf16 and pairs of them. Sums and products of two halves
// are exact enough in f32 to be rounded twice without harm; fma goes through
// rounding to odd. A pair's slot is simply 64 halves.
#include "Float.h"
#include "Half.h"

namespace ptxemu {
namespace {

struct Add {
  static float of(float a, float b) { return a + b; }
};
struct Sub {
  static float of(float a, float b) { return a - b; }
};
struct Mul {
  static float of(float a, float b) { return a * b; }
};
struct Exp2 {
  static float of(float a) { return std::exp2(a); }
};
struct Tanh {
  static float of(float a) { return std::tanh(a); }
};

/// Runs f for 32 or 64 halves and blends.
template <int Halves, class F>
const Op *mapHalves(const Op *op, Warp &warp, F f) {
  alignas(64) uint16_t out[Halves];
  PTX_FOR_LANES(i, Halves)
  out[i] = f(i);
  if constexpr (Halves == 32)
    blend(slot<uint16_t>(warp, op->d), out, warp.exec);
  else
    blend(slot<uint32_t>(warp, op->d), reinterpret_cast<uint32_t *>(out),
          warp.exec);
  return op + 1;
}

template <class H, int N, class F>
const Op *halfUnary(const Op *op, Warp &warp) {
  const auto *a = slot<uint16_t>(warp, op->a);
  return mapHalves<N>(op, warp,
                      [=](int i) { return H::narrow(F::of(H::widen(a[i]))); });
}
template <class H, int N, class F>
const Op *halfBinary(const Op *op, Warp &warp) {
  const auto *a = slot<uint16_t>(warp, op->a), *b = slot<uint16_t>(warp, op->b);
  return mapHalves<N>(op, warp, [=](int i) {
    return H::narrow(F::of(H::widen(a[i]), H::widen(b[i])));
  });
}
template <class H, int N> const Op *halfFma(const Op *op, Warp &warp) {
  const auto *a = slot<uint16_t>(warp, op->a), *b = slot<uint16_t>(warp, op->b),
             *c = slot<uint16_t>(warp, op->c);
  return mapHalves<N>(op, warp, [=](int i) {
    double exact = fmaToOdd(H::widen(a[i]), H::widen(b[i]), H::widen(c[i]));
    return H::narrow(toOddFloat(exact));
  });
}

/// op->imm: a mask of bits to keep and one to flip, for abs and neg.
template <int N> const Op *signBits(const Op *op, Warp &warp) {
  const auto *a = slot<uint16_t>(warp, op->a);
  auto keep = uint16_t(op->imm), flip = uint16_t(op->imm >> 16);
  return mapHalves<N>(op, warp,
                      [=](int i) { return uint16_t((a[i] & keep) ^ flip); });
}

struct Relu {
  static float of(float a) { return a <= 0 ? 0 : a; } // keeps NaN
};
struct Clamp {
  static float of(float a) { return a > 0 ? (a < 1 ? a : 1) : 0; }
};

template <class F> Handler pickBinary(Type type) {
  switch (type) {
  case Type::f16:
    return halfBinary<Half, 32, F>;
  case Type::f16x2:
    return halfBinary<Half, 64, F>;
  case Type::bf16:
    return halfBinary<Bfloat, 32, F>;
  default:
    return halfBinary<Bfloat, 64, F>;
  }
}
template <class F> Handler pickUnary(Type type) {
  switch (type) {
  case Type::f16:
    return halfUnary<Half, 32, F>;
  case Type::f16x2:
    return halfUnary<Half, 64, F>;
  case Type::bf16:
    return halfUnary<Bfloat, 32, F>;
  default:
    return halfUnary<Bfloat, 64, F>;
  }
}
Handler pickFma(Type type) {
  switch (type) {
  case Type::f16:
    return halfFma<Half, 32>;
  case Type::f16x2:
    return halfFma<Half, 64>;
  case Type::bf16:
    return halfFma<Bfloat, 32>;
  default:
    return halfFma<Bfloat, 64>;
  }
}

void finish(Decoder &d, uint32_t to, Type type) {
  if (d.has(".relu"))
    d.emit(pickUnary<Relu>(type), to, to);
  if (d.has(".sat"))
    d.emit(pickUnary<Clamp>(type), to, to);
}

bool decodeHalfUnary(Decoder &d, Type type) {
  bool pair = sizeOf(type) == 4;
  uint32_t a;
  if (d.is("abs") || d.is("neg")) {
    a = d.source(1, type);
    d.emit(pair ? signBits<64> : signBits<32>, d.destination(0, type), a).imm =
        d.is("abs") ? 0x00007FFF : 0x8000FFFF;
    return true;
  }
  Handler handler = d.is("ex2")    ? pickUnary<Exp2>(type)
                    : d.is("tanh") ? pickUnary<Tanh>(type)
                                   : nullptr;
  if (!handler)
    return false;
  a = d.source(1, type);
  d.emit(handler, d.destination(0, type), a);
  return true;
}

Handler halfBinaryHandler(const Decoder &d, Type type) {
  bool nan = d.has(".NaN");
  if (d.is("add"))
    return pickBinary<Add>(type);
  if (d.is("sub"))
    return pickBinary<Sub>(type);
  if (d.is("mul"))
    return pickBinary<Mul>(type);
  if (d.is("min"))
    return nan ? pickBinary<OrNan<MinNumber>>(type)
               : pickBinary<MinNumber>(type);
  if (d.is("max"))
    return nan ? pickBinary<OrNan<MaxNumber>>(type)
               : pickBinary<MaxNumber>(type);
  return nullptr;
}

} // namespace

bool decodeHalf(Decoder &d) {
  Type type = d.type();
  if (!isHalf(type))
    return false;
  if (d.has(".xorsign") || d.has(".abs"))
    return false;
  if (decodeHalfUnary(d, type))
    return true;
  if (d.is("fma")) {
    uint32_t a = d.source(1, type), b = d.source(2, type),
             c = d.source(3, type), to = d.destination(0, type);
    d.emit(pickFma(type), to, a, b, c);
    finish(d, to, type);
    return true;
  }
  Handler handler = halfBinaryHandler(d, type);
  if (!handler)
    return false;
  uint32_t a = d.source(1, type), b = d.source(2, type),
           to = d.destination(0, type);
  d.emit(handler, to, a, b);
  finish(d, to, type);
  return true;
}

} // namespace ptxemu
