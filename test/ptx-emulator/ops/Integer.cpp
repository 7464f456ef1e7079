// Integer arithmetic: add, sub, mul, mad, div, rem, min, max, abs, neg, sad,
// the 24-bit and dot products, and the carry chains.
#include "../decode/Decoder.h"
#include "Lanes.h"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace ptxemu {
namespace {

template <class T> using Unsigned = std::make_unsigned_t<T>;
template <class T>
using Double = std::conditional_t<
    sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
    std::conditional_t<
        sizeof(T) == 4,
        std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>,
        std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>>>;

// Wrapping arithmetic goes through 64-bit unsigned numbers.
template <class T> T wrap(uint64_t value) { return T(value); }

struct Add {
  template <class T> static T of(T a, T b) {
    return wrap<T>(uint64_t(a) + uint64_t(b));
  }
};
struct Sub {
  template <class T> static T of(T a, T b) {
    return wrap<T>(uint64_t(a) - uint64_t(b));
  }
};
struct AddSaturated {
  static int32_t of(int32_t a, int32_t b) {
    int64_t sum = int64_t(a) + b;
    return int32_t(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
  }
};
struct SubSaturated {
  static int32_t of(int32_t a, int32_t b) {
    int64_t sum = int64_t(a) - b;
    return int32_t(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
  }
};
struct MulLow {
  template <class T> static T of(T a, T b) {
    return wrap<T>(uint64_t(a) * uint64_t(b));
  }
};
struct MulHigh {
  template <class T> static T of(T a, T b) {
    return T((Double<T>(a) * Double<T>(b)) >> (8 * sizeof(T)));
  }
};
struct MulWide {
  template <class T> static Double<T> of(T a, T b) {
    using U = Unsigned<Double<T>>;
    return Double<T>(U(Double<T>(a)) * U(Double<T>(b)));
  }
};
struct MadLow {
  template <class T> static T of(T a, T b, T c) {
    return wrap<T>(uint64_t(a) * uint64_t(b) + uint64_t(c));
  }
};
struct MadHigh {
  template <class T> static T of(T a, T b, T c) {
    return Add::of(MulHigh::of(a, b), c);
  }
};
struct MadHighSaturated {
  static int32_t of(int32_t a, int32_t b, int32_t c) {
    return AddSaturated::of(MulHigh::of(a, b), c);
  }
};
struct MadWide {
  template <class T> static Double<T> of(T a, T b, Double<T> c) {
    return Add::of(MulWide::of(a, b), c);
  }
};
struct Div {
  // The result of a division by zero is unspecified; all ones on hardware.
  template <class T> static T of(T a, T b) {
    if (b == 0)
      return T(~T(0));
    if (std::is_signed_v<T> && b == T(-1))
      return Sub::of(T(0), a);
    return T(a / b);
  }
};
struct Rem {
  template <class T> static T of(T a, T b) {
    if (b == 0)
      return a;
    if (std::is_signed_v<T> && b == T(-1))
      return 0;
    return T(a % b);
  }
};
struct Min {
  template <class T> static T of(T a, T b) { return a < b ? a : b; }
};
struct Max {
  template <class T> static T of(T a, T b) { return a > b ? a : b; }
};
struct Relu {
  static int32_t of(int32_t a) { return a < 0 ? 0 : a; }
};
struct Abs {
  template <class T> static T of(T a) { return a < 0 ? Sub::of(T(0), a) : a; }
};
struct Neg {
  template <class T> static T of(T a) { return Sub::of(T(0), a); }
};
struct Sad {
  template <class T> static T of(T a, T b, T c) {
    return Add::of(c, a < b ? Sub::of(b, a) : Sub::of(a, b));
  }
};
struct Mad24 {
  static uint32_t of(uint32_t a, uint32_t b, uint32_t c) {
    return (a & 0xFFFFFF) * (b & 0xFFFFFF) + c;
  }
  static int32_t of(int32_t a, int32_t b, int32_t c) {
    int64_t product = int64_t(int32_t(uint32_t(a) << 8) >> 8) *
                      (int32_t(uint32_t(b) << 8) >> 8);
    return int32_t(uint32_t(product) + uint32_t(c));
  }
};
struct Mul24 {
  template <class T> static T of(T a, T b) { return Mad24::of(a, b, T(0)); }
};

/// Pairs of 16-bit numbers.
template <class F, class T> struct PairOf {
  static uint32_t of(uint32_t a, uint32_t b) {
    auto low = uint16_t(F::of(T(a), T(b)));
    auto high = uint16_t(F::of(T(a >> 16), T(b >> 16)));
    return uint32_t(high) << 16 | low;
  }
};

template <class A, class B> struct Dp4a {
  static uint32_t of(uint32_t a, uint32_t b, uint32_t c) {
    for (int i = 0; i < 32; i += 8)
      c += uint32_t(int32_t(A(a >> i)) * int32_t(B(b >> i)));
    return c;
  }
};

template <class F> Handler binaryInteger(Type type) {
  return forInteger(type, [](auto z) -> Handler {
    return binary<F, decltype(z), decltype(z)>;
  });
}
template <class F> Handler ternaryInteger(Type type) {
  return forInteger(type, [](auto z) -> Handler {
    return ternary<F, decltype(z), decltype(z)>;
  });
}
template <class F> Handler unaryInteger(Type type) {
  return forInteger(type, [](auto z) -> Handler {
    return unary<F, decltype(z), decltype(z)>;
  });
}
template <class F> Handler wideInteger(Type type) {
  switch (type) {
  case Type::u16:
    return binary<F, uint32_t, uint16_t>;
  case Type::s16:
    return binary<F, int32_t, int16_t>;
  case Type::u32:
    return binary<F, uint64_t, uint32_t>;
  default:
    return binary<F, int64_t, int32_t>;
  }
}
Handler madWide(Type type) {
  switch (type) {
  case Type::u16:
    return ternary<MadWide, uint32_t, uint16_t, uint16_t, uint32_t>;
  case Type::s16:
    return ternary<MadWide, int32_t, int16_t, int16_t, int32_t>;
  case Type::u32:
    return ternary<MadWide, uint64_t, uint32_t, uint32_t, uint64_t>;
  default:
    return ternary<MadWide, int64_t, int32_t, int32_t, int64_t>;
  }
}

Type doubled(Type type) {
  switch (type) {
  case Type::u16:
    return Type::u32;
  case Type::s16:
    return Type::s32;
  case Type::u32:
    return Type::u64;
  default:
    return Type::s64;
  }
}

/// d = a + b + carry in a register pair's half; op->imm: 1 reads the carry,
/// 2 writes it, 4 subtracts. The flag is the predicate op->list[0].
template <class T> const Op *addCarry(const Op *op, Warp &warp) {
  const T *a = slot<T>(warp, op->a), *b = slot<T>(warp, op->b);
  uint32_t flag = op->list[0], in = predicate(warp, flag), out = 0;
  T *d = slot<T>(warp, op->d);
  for (int i = 0; i < laneCount; ++i) {
    if (!(warp.exec >> i & 1))
      continue;
    T carry = op->imm & 1 ? in >> i & 1 : 0;
    T x = a[i], y = b[i], sum;
    bool over;
    if (op->imm & 4) { // the flag is a borrow
      sum = T(x - y - carry);
      over = x < y || (carry && x == y);
    } else {
      sum = T(x + y + carry);
      over = sum < x || (carry && sum == x);
    }
    d[i] = sum;
    out |= uint32_t(over) << i;
  }
  if (op->imm & 2)
    setPredicate(warp, flag, out);
  return op + 1;
}

bool decodeCarry(Decoder &d) {
  bool subtract = d.is("sub") || d.is("subc");
  bool reads = d.is("addc") || d.is("subc") || d.is("madc");
  bool writes = d.has(".cc");
  if (!reads && !writes)
    return false;
  Type type = d.type();
  Type bits = sizeOf(type) == 8 ? Type::u64 : Type::u32;
  uint32_t left, right, to = d.destination(0, type);
  if (d.is("mad") || d.is("madc")) { // mad.cc: the product first
    left = d.temporary(type);
    d.emit(d.has(".hi") ? binaryInteger<MulHigh>(type)
                        : binaryInteger<MulLow>(type),
           left, d.source(1, type), d.source(2, type));
    right = d.source(3, type);
  } else {
    left = d.source(1, type);
    right = d.source(2, type);
  }
  const uint32_t *flag = d.list({d.carryFlag()});
  Op &op = d.emit(bits == Type::u64 ? addCarry<uint64_t> : addCarry<uint32_t>,
                  to, left, right);
  op.imm = (reads ? 1 : 0) | (writes ? 2 : 0) | (subtract ? 4 : 0);
  op.list = flag;
  return true;
}

void emitBinary(Decoder &d, Handler handler, Type result, Type type) {
  uint32_t a = d.source(1, type), b = d.source(2, type);
  d.emit(handler, d.destination(0, result), a, b);
}
void emitTernary(Decoder &d, Handler handler, Type result, Type type, Type c) {
  uint32_t x = d.source(1, type), y = d.source(2, type), z = d.source(3, c);
  d.emit(handler, d.destination(0, result), x, y, z);
}

bool decodePairs(Decoder &d, Type type) {
  bool isSignedPair = type == Type::s16x2;
  Handler handler = nullptr;
  if (d.is("add"))
    handler = binary<PairOf<Add, uint16_t>, uint32_t, uint32_t>;
  else if (d.is("min"))
    handler = isSignedPair ? binary<PairOf<Min, int16_t>, uint32_t, uint32_t>
                           : binary<PairOf<Min, uint16_t>, uint32_t, uint32_t>;
  else if (d.is("max"))
    handler = isSignedPair ? binary<PairOf<Max, int16_t>, uint32_t, uint32_t>
                           : binary<PairOf<Max, uint16_t>, uint32_t, uint32_t>;
  if (!handler || d.has(".relu"))
    return false;
  emitBinary(d, handler, type, type);
  return true;
}

bool decodeProduct(Decoder &d, Type type) {
  bool wide = d.has(".wide"), high = d.has(".hi");
  if (d.is("mul")) {
    Handler handler = wide   ? wideInteger<MulWide>(type)
                      : high ? binaryInteger<MulHigh>(type)
                             : binaryInteger<MulLow>(type);
    emitBinary(d, handler, wide ? doubled(type) : type, type);
  } else if (d.is("mad")) {
    Type c = wide ? doubled(type) : type;
    Handler handler = wide   ? madWide(type)
                      : high ? ternaryInteger<MadHigh>(type)
                             : ternaryInteger<MadLow>(type);
    if (d.has(".sat"))
      handler = ternary<MadHighSaturated, int32_t, int32_t>;
    emitTernary(d, handler, c, type, c);
  } else if ((d.is("mul24") || d.is("mad24")) && !high) {
    bool isS = type == Type::s32;
    if (d.is("mul24"))
      emitBinary(d,
                 isS ? binary<Mul24, int32_t, int32_t>
                     : binary<Mul24, uint32_t, uint32_t>,
                 type, type);
    else
      emitTernary(d,
                  isS ? ternary<Mad24, int32_t, int32_t>
                      : ternary<Mad24, uint32_t, uint32_t>,
                  type, type, type);
  } else {
    return false;
  }
  return true;
}

bool decodeDot(Decoder &d) {
  bool signedA = d.type(0) == Type::s32, signedB = d.type(1) == Type::s32;
  Handler handler =
      signedA
          ? (signedB
                 ? Handler(ternary<Dp4a<int8_t, int8_t>, uint32_t, uint32_t>)
                 : ternary<Dp4a<int8_t, uint8_t>, uint32_t, uint32_t>)
          : (signedB
                 ? Handler(ternary<Dp4a<uint8_t, int8_t>, uint32_t, uint32_t>)
                 : ternary<Dp4a<uint8_t, uint8_t>, uint32_t, uint32_t>);
  emitTernary(d, handler, Type::u32, Type::u32, Type::u32);
  return true;
}

} // namespace

bool decodeInteger(Decoder &d) {
  Type type = d.type();
  if (d.is("dp4a"))
    return decodeDot(d);
  if (type == Type::u16x2 || type == Type::s16x2)
    return decodePairs(d, type);
  if (!isInteger(type) || sizeOf(type) < 2)
    return false;
  if (decodeCarry(d) || decodeProduct(d, type))
    return true;
  struct Row {
    const char *name;
    Handler (*handler)(Type);
  };
  static const Row binaries[] = {
      {"add", binaryInteger<Add>}, {"sub", binaryInteger<Sub>},
      {"div", binaryInteger<Div>}, {"rem", binaryInteger<Rem>},
      {"min", binaryInteger<Min>}, {"max", binaryInteger<Max>}};
  if (d.has(".sat") && (d.is("add") || d.is("sub"))) {
    emitBinary(d,
               d.is("add") ? binary<AddSaturated, int32_t, int32_t>
                           : binary<SubSaturated, int32_t, int32_t>,
               type, type);
    return true;
  }
  for (const Row &row : binaries)
    if (d.is(row.name)) {
      emitBinary(d, row.handler(type), type, type);
      if (d.has(".relu")) {
        uint32_t to = d.destination(0, type);
        d.emit(unary<Relu, int32_t, int32_t>, to, to);
      }
      return true;
    }
  if (d.is("abs") || d.is("neg")) {
    uint32_t a = d.source(1, type);
    d.emit(d.is("abs") ? unaryInteger<Abs>(type) : unaryInteger<Neg>(type),
           d.destination(0, type), a);
    return true;
  }
  if (d.is("sad")) {
    emitTernary(d, ternaryInteger<Sad>(type), type, type, type);
    return true;
  }
  return false;
}

} // namespace ptxemu
