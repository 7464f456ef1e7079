// Operations on bits: logic, shifts, counts, fields, permutations.
#include "../decode/Decoder.h"
#include "Lanes.h"

#include <algorithm>
#include <bit>

namespace ptxemu {
namespace {

struct And {
  template <class T> static T of(T a, T b) { return T(a & b); }
};
struct Or {
  template <class T> static T of(T a, T b) { return T(a | b); }
};
struct Xor {
  template <class T> static T of(T a, T b) { return T(a ^ b); }
};
struct Not {
  template <class T> static T of(T a) { return T(~a); }
};
struct LogicalNot {
  template <class T> static T of(T a) { return a == 0; }
};

/// Logic on predicates: all lanes in one word.
template <class F> const Op *predicateBinary(const Op *op, Warp &warp) {
  setPredicate(warp, op->d,
               F::of(predicate(warp, op->a), predicate(warp, op->b)));
  return op + 1;
}
const Op *predicateNot(const Op *op, Warp &warp) {
  setPredicate(warp, op->d, ~predicate(warp, op->a));
  return op + 1;
}

// Shift amounts are clamped at the width, as PTX says.
struct ShiftLeft {
  template <class T> static T of(T a, uint32_t n) {
    return n >= 8 * sizeof(T) ? T(0) : T(uint64_t(a) << n);
  }
};
struct ShiftRight {
  template <class T> static T of(T a, uint32_t n) {
    uint32_t most = 8 * sizeof(T) - 1;
    if (T(-1) < T(0))
      return T(a >> (n > most ? most : n));
    return n > most ? T(0) : T(a >> n);
  }
};

template <bool Left, bool Wrap> struct Funnel {
  static uint32_t of(uint32_t low, uint32_t high, uint32_t n) {
    n = Wrap ? n & 31 : n > 32 ? 32 : n;
    uint64_t both = uint64_t(high) << 32 | low;
    return uint32_t(Left ? (both << n) >> 32 : both >> n);
  }
};

struct PopCount {
  template <class T> static uint32_t of(T a) {
    return uint32_t(std::popcount(a));
  }
};
struct LeadingZeros {
  template <class T> static uint32_t of(T a) {
    return uint32_t(std::countl_zero(a));
  }
};
struct Reverse {
  static uint32_t of(uint32_t a) {
    a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
    a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
    a = (a >> 4 & 0x0F0F0F0F) | (a & 0x0F0F0F0F) << 4;
    a = (a >> 8 & 0x00FF00FF) | (a & 0x00FF00FF) << 8;
    return a >> 16 | a << 16;
  }
  static uint64_t of(uint64_t a) {
    return uint64_t(of(uint32_t(a))) << 32 | of(uint32_t(a >> 32));
  }
};

/// Place of the leading one (for negative numbers: zero), or all ones.
template <bool ShiftAmount> struct FindBit {
  template <class T> static uint32_t of(T a) {
    using U = std::make_unsigned_t<T>;
    U bits = a < T(0) ? U(~a) : U(a);
    if (bits == 0)
      return ~0u;
    auto zeros = uint32_t(std::countl_zero(bits));
    return ShiftAmount ? zeros : uint32_t(8 * sizeof(T)) - 1 - zeros;
  }
};

struct Extract {
  template <class T> static T of(T a, uint32_t position, uint32_t length) {
    using U = std::make_unsigned_t<T>;
    constexpr uint32_t width = 8 * sizeof(T);
    position &= 0xFF, length &= 0xFF;
    bool negative = T(-1) < T(0) && length != 0 &&
                    (U(a) >> std::min(position + length - 1, width - 1) & 1);
    U field = position >= width ? U(0) : U(U(a) >> position);
    if (length >= width)
      length = width;
    U mask = length == width ? U(~U(0)) : U((U(1) << length) - 1);
    U above = negative ? U(~mask) : U(0);
    // Bits past the top of a are its sign, too.
    if (negative && position + length > width)
      above = position >= width ? U(~U(0))
                                : U(above | (U(~U(0)) << (width - position)));
    return T((field & mask) | above);
  }
};
struct Insert {
  template <class T>
  static T of(const T a, T b, uint32_t position, uint32_t length) {
    constexpr uint32_t width = 8 * sizeof(T);
    position &= 0xFF, length &= 0xFF;
    if (length == 0 || position >= width)
      return b;
    T mask = length >= width ? T(~T(0)) : T((T(1) << length) - 1);
    mask = T(mask << position);
    return T((b & ~mask) | (T(a << position) & mask));
  }
};
template <class T> const Op *insertField(const Op *op, Warp &warp) {
  const T *a = slot<T>(warp, op->a), *b = slot<T>(warp, op->b);
  const auto *position = slot<uint32_t>(warp, op->list[0]),
             *length = slot<uint32_t>(warp, op->list[1]);
  return mapLanes<T>(op, warp, [=](int i) {
    return Insert::of(a[i], b[i], position[i], length[i]);
  });
}

template <bool Wrap> struct FieldMask {
  static uint32_t of(uint32_t position, uint32_t length) {
    if (Wrap)
      position &= 31, length &= 31;
    if (position >= 32 || length == 0)
      return 0;
    uint32_t mask = length >= 32 ? ~0u : (1u << length) - 1;
    return mask << position;
  }
};
template <bool Wrap> struct ExtendFrom {
  template <class T> static T of(T a, uint32_t n) {
    n = Wrap ? n & 31 : n > 32 ? 32 : n;
    if (n == 0)
      return 0;
    return T(T(uint32_t(a) << (32 - n)) >> (32 - n));
  }
};

/// Any function of three bits: the immediate is its table.
const Op *lop3(const Op *op, Warp &warp) {
  const auto *a = slot<uint32_t>(warp, op->a), *b = slot<uint32_t>(warp, op->b),
             *c = slot<uint32_t>(warp, op->c);
  auto table = uint32_t(op->imm);
  uint32_t rows[8];
  for (uint32_t i = 0; i < 8; ++i)
    rows[i] = table >> i & 1 ? ~0u : 0;
  return mapLanes<uint32_t>(op, warp, [=](int i) {
    uint32_t x = a[i], y = b[i], z = c[i];
    uint32_t low = (rows[0] & ~y & ~z) | (rows[1] & ~y & z) |
                   (rows[2] & y & ~z) | (rows[3] & y & z);
    uint32_t high = (rows[4] & ~y & ~z) | (rows[5] & ~y & z) |
                    (rows[6] & y & ~z) | (rows[7] & y & z);
    return (~x & low) | (x & high);
  });
}

uint32_t permuteByte(uint64_t bytes, uint32_t selector) {
  auto byte = uint32_t(bytes >> (selector & 7) * 8) & 0xFF;
  return selector & 8 ? (byte & 0x80 ? 0xFF : 0) : byte;
}

/// Selectors of the modes of prmt, by the low bits of c.
uint32_t permuteSelector(int64_t mode, uint32_t c) {
  static constexpr uint16_t tables[6][4] = {
      {0x3210, 0x4321, 0x5432, 0x6543},  // f4e
      {0x5670, 0x6701, 0x7012, 0x0123},  // b4e
      {0x0000, 0x1111, 0x2222, 0x3333},  // rc8
      {0x3210, 0x3211, 0x3222, 0x3333},  // ecl
      {0x0000, 0x1110, 0x2210, 0x3210},  // ecr
      {0x1010, 0x3232, 0x1010, 0x3232}}; // rc16
  return mode == 0 ? c : tables[mode - 1][c & 3];
}

const Op *permute(const Op *op, Warp &warp) {
  const auto *a = slot<uint32_t>(warp, op->a), *b = slot<uint32_t>(warp, op->b),
             *c = slot<uint32_t>(warp, op->c);
  int64_t mode = op->imm;
  return mapLanes<uint32_t>(op, warp, [=](int i) {
    uint64_t bytes = uint64_t(b[i]) << 32 | a[i];
    uint32_t selector = permuteSelector(mode, c[i]), result = 0;
    for (uint32_t byte = 0; byte < 4; ++byte)
      result |= permuteByte(bytes, selector >> byte * 4 & 15) << byte * 8;
    return result;
  });
}

template <class F> Handler binaryBits(Type type) {
  return forBits(type, [](auto z) -> Handler {
    return binary<F, decltype(z), decltype(z)>;
  });
}
template <class F> Handler countBits(Type type) {
  return sizeOf(type) == 8 ? Handler(unary<F, uint32_t, uint64_t>)
                           : unary<F, uint32_t, uint32_t>;
}

bool decodeLogic(Decoder &d, Type type) {
  if (!d.is("and") && !d.is("or") && !d.is("xor"))
    return false;
  bool pred = type == Type::pred;
  uint32_t a = d.source(1, type), b = d.source(2, type);
  Handler handler =
      d.is("and")  ? (pred ? predicateBinary<And> : binaryBits<And>(type))
      : d.is("or") ? (pred ? predicateBinary<Or> : binaryBits<Or>(type))
                   : (pred ? predicateBinary<Xor> : binaryBits<Xor>(type));
  d.emit(handler, d.destination(0, type), a, b);
  return true;
}

bool decodeNot(Decoder &d, Type type) {
  if (!d.is("not") && !d.is("cnot"))
    return false;
  uint32_t a = d.source(1, type);
  Handler handler = type == Type::pred ? predicateNot
                    : d.is("not")
                        ? forBits(type,
                                  [](auto z) -> Handler {
                                    return unary<Not, decltype(z), decltype(z)>;
                                  })
                        : forBits(type, [](auto z) -> Handler {
                            return unary<LogicalNot, decltype(z), decltype(z)>;
                          });
  d.emit(handler, d.destination(0, type), a);
  return true;
}

bool decodeShift(Decoder &d, Type type) {
  if (d.is("shf")) {
    bool left = d.has(".l"), wrap = d.has(".wrap");
    uint32_t a = d.source(1, type), b = d.source(2, type),
             c = d.source(3, Type::u32);
    Handler handler =
        left ? (wrap ? ternary<Funnel<true, true>, uint32_t, uint32_t>
                     : ternary<Funnel<true, false>, uint32_t, uint32_t>)
             : (wrap ? ternary<Funnel<false, true>, uint32_t, uint32_t>
                     : ternary<Funnel<false, false>, uint32_t, uint32_t>);
    d.emit(handler, d.destination(0, type), a, b, c);
    return true;
  }
  if (!d.is("shl") && !d.is("shr"))
    return false;
  uint32_t a = d.source(1, type), n = d.source(2, Type::u32);
  Handler handler = d.is("shl")
                        ? forBits(type,
                                  [](auto z) -> Handler {
                                    using T = decltype(z);
                                    return binary<ShiftLeft, T, T, uint32_t>;
                                  })
                        : forInteger(type, [](auto z) -> Handler {
                            using T = decltype(z);
                            return binary<ShiftRight, T, T, uint32_t>;
                          });
  d.emit(handler, d.destination(0, type), a, n);
  return true;
}

bool decodeCount(Decoder &d, Type type) {
  Handler handler = nullptr;
  if (d.is("popc"))
    handler = countBits<PopCount>(type);
  else if (d.is("clz"))
    handler = countBits<LeadingZeros>(type);
  else if (d.is("bfind"))
    handler = forInteger(type, [&](auto z) -> Handler {
      using T = decltype(z);
      return d.has(".shiftamt") ? unary<FindBit<true>, uint32_t, T>
                                : unary<FindBit<false>, uint32_t, T>;
    });
  if (handler) {
    uint32_t a = d.source(1, type);
    d.emit(handler, d.destination(0, Type::u32), a);
    return true;
  }
  if (!d.is("brev"))
    return false;
  uint32_t a = d.source(1, type);
  d.emit(sizeOf(type) == 8 ? unary<Reverse, uint64_t, uint64_t>
                           : unary<Reverse, uint32_t, uint32_t>,
         d.destination(0, type), a);
  return true;
}

bool decodeField(Decoder &d, Type type) {
  if (d.is("bfe")) {
    uint32_t a = d.source(1, type), b = d.source(2, Type::u32),
             c = d.source(3, Type::u32);
    d.emit(forInteger(type,
                      [](auto z) -> Handler {
                        using T = decltype(z);
                        return ternary<Extract, T, T, uint32_t, uint32_t>;
                      }),
           d.destination(0, type), a, b, c);
  } else if (d.is("bfi")) {
    uint32_t a = d.source(1, type), b = d.source(2, type);
    const uint32_t *field =
        d.list({d.source(3, Type::u32), d.source(4, Type::u32)});
    d.emit(sizeOf(type) == 8 ? insertField<uint64_t> : insertField<uint32_t>,
           d.destination(0, type), a, b)
        .list = field;
  } else if (d.is("bmsk")) {
    uint32_t a = d.source(1, type), b = d.source(2, type);
    d.emit(d.has(".wrap") ? binary<FieldMask<true>, uint32_t, uint32_t>
                          : binary<FieldMask<false>, uint32_t, uint32_t>,
           d.destination(0, type), a, b);
  } else if (d.is("szext")) {
    uint32_t a = d.source(1, type), b = d.source(2, Type::u32);
    bool wrap = d.has(".wrap"), isS = type == Type::s32;
    Handler handler =
        isS ? (wrap ? binary<ExtendFrom<true>, int32_t, int32_t, uint32_t>
                    : binary<ExtendFrom<false>, int32_t, int32_t, uint32_t>)
            : (wrap ? binary<ExtendFrom<true>, uint32_t, uint32_t>
                    : binary<ExtendFrom<false>, uint32_t, uint32_t>);
    d.emit(handler, d.destination(0, type), a, b);
  } else {
    return false;
  }
  return true;
}

bool decodePermute(Decoder &d) {
  static const char *modes[] = {".f4e", ".b4e", ".rc8",
                                ".ecl", ".ecr", ".rc16"};
  int64_t mode = 0;
  for (int i = 0; i < 6; ++i)
    if (d.has(modes[i]))
      mode = i + 1;
  uint32_t a = d.source(1, Type::b32), b = d.source(2, Type::b32),
           c = d.source(3, Type::b32);
  d.emit(permute, d.destination(0, Type::b32), a, b, c).imm = mode;
  return true;
}

} // namespace

bool decodeBits(Decoder &d) {
  if (d.is("prmt"))
    return decodePermute(d);
  Type type = d.type();
  if (d.is("lop3")) {
    if (!d.operand(0).second.empty())
      return false; // the .BoolOp forms
    uint32_t a = d.source(1, type), b = d.source(2, type),
             c = d.source(3, type);
    d.emit(lop3, d.destination(0, type), a, b, c).imm = d.immediate(4);
    return true;
  }
  return decodeLogic(d, type) || decodeNot(d, type) || decodeShift(d, type) ||
         decodeCount(d, type) || decodeField(d, type);
}

} // namespace ptxemu
