// f32 and f64 arithmetic: add, sub, mul, fma, div, sqrt, rcp, min, max, abs,
// neg, copysign, testp.
#include "Float.h"

#include <algorithm>

namespace ptxemu {
namespace {

struct Add {
  template <class T> static T of(T a, T b) { return a + b; }
};
struct Sub {
  template <class T> static T of(T a, T b) { return a - b; }
};
struct Mul {
  template <class T> static T of(T a, T b) { return a * b; }
};
struct Div {
  template <class T> static T of(T a, T b) { return a / b; }
};
struct Fma {
  template <class T> static T of(T a, T b, T c) { return std::fma(a, b, c); }
};
struct Abs {
  template <class T> static T of(T a) { return std::fabs(a); }
};
struct Neg {
  template <class T> static T of(T a) { return -a; }
};
struct CopySign {
  // The sign is the first operand's.
  template <class T> static T of(T a, T b) { return std::copysign(b, a); }
};
struct XorSign {
  static float of(float result, float signs) {
    return std::bit_cast<float>((std::bit_cast<uint32_t>(result) & 0x7FFFFFFF) |
                                (std::bit_cast<uint32_t>(signs) & 0x80000000));
  }
};
struct Saturate {
  template <class T> static T of(T a) {
    T low = a > T(0) ? a : T(0); // NaN gives 0
    return low < T(1) ? low : T(1);
  }
};
struct Flush {
  static uint32_t of(uint32_t a) { return a & 0x7F800000 ? a : a & 0x80000000; }
};

template <class F> Handler binaryReal(Type type) {
  return forReal(type, [](auto z) -> Handler {
    return binary<F, decltype(z), decltype(z)>;
  });
}
template <class F> Handler unaryReal(Type type) {
  return forReal(type, [](auto z) -> Handler {
    return unary<F, decltype(z), decltype(z)>;
  });
}

bool hasRounding(const Decoder &d) {
  return d.has(".rz") || d.has(".rm") || d.has(".rp");
}

void emitReal2(Decoder &d, Handler handler, Type type) {
  uint32_t a = realSource(d, 1, type), b = realSource(d, 2, type);
  uint32_t to = d.destination(0, type);
  d.emit(handler, to, a, b);
  finishReal(d, to, type);
}

bool decodeBinary(Decoder &d, Type type) {
  struct Row {
    const char *name;
    char symbol;
    Handler (*handler)(Type);
  };
  static const Row rows[] = {{"add", '+', binaryReal<Add>},
                             {"sub", '-', binaryReal<Sub>},
                             {"mul", '*', binaryReal<Mul>},
                             {"div", '/', binaryReal<Div>}};
  for (const Row &row : rows)
    if (d.is(row.name)) {
      emitReal2(d,
                hasRounding(d) ? roundedHandler(d, row.symbol, type)
                               : row.handler(type),
                type);
      return true;
    }
  return false;
}

bool decodeFma(Decoder &d, Type type) {
  if (!d.is("fma") && !d.is("mad"))
    return false;
  uint32_t a = realSource(d, 1, type), b = realSource(d, 2, type),
           c = realSource(d, 3, type), to = d.destination(0, type);
  Handler handler = hasRounding(d) ? roundedHandler(d, 'f', type)
                                   : forReal(type, [](auto z) -> Handler {
                                       using T = decltype(z);
                                       return ternary<Fma, T, T>;
                                     });
  d.emit(handler, to, a, b, c);
  finishReal(d, to, type);
  return true;
}

/// min and max take three operands on sm_100 and later.
bool decodeExtreme(Decoder &d, Type type) {
  if (!d.is("min") && !d.is("max"))
    return false;
  bool nan = d.has(".NaN"), least = d.is("min");
  Handler handler = least ? (nan ? binaryReal<OrNan<MinNumber>>(type)
                                 : binaryReal<MinNumber>(type))
                          : (nan ? binaryReal<OrNan<MaxNumber>>(type)
                                 : binaryReal<MaxNumber>(type));
  uint32_t a = realSource(d, 1, type), b = realSource(d, 2, type);
  if (d.has(".abs"))
    for (uint32_t *operand : {&a, &b}) {
      uint32_t positive = d.temporary(type);
      d.emit(unaryReal<Abs>(type), positive, *operand);
      *operand = positive;
    }
  uint32_t to = d.destination(0, type);
  if (d.operandCount() == 4) {
    uint32_t c = realSource(d, 3, type), both = d.temporary(type);
    d.emit(handler, both, a, b);
    d.emit(handler, to, both, c);
  } else if (d.has(".xorsign")) {
    uint32_t signs = d.temporary(type), first = realSource(d, 1, type);
    uint32_t second = realSource(d, 2, type), result = d.temporary(type);
    d.emit(
        [](const Op *op, Warp &w) {
          const auto *x = slot<uint32_t>(w, op->a),
                     *y = slot<uint32_t>(w, op->b);
          return mapLanes<uint32_t>(op, w, [=](int i) { return x[i] ^ y[i]; });
        },
        signs, first, second);
    d.emit(handler, result, a, b);
    d.emit(binary<XorSign, float, float>, to, result, signs);
  } else {
    d.emit(handler, to, a, b);
  }
  finishReal(d, to, type);
  return true;
}

bool decodeSigns(Decoder &d, Type type) {
  if (d.is("abs") || d.is("neg")) {
    uint32_t a = realSource(d, 1, type), to = d.destination(0, type);
    d.emit(d.is("abs") ? unaryReal<Abs>(type) : unaryReal<Neg>(type), to, a);
    finishReal(d, to, type);
    return true;
  }
  if (!d.is("copysign"))
    return false;
  uint32_t a = d.source(1, type), b = d.source(2, type);
  d.emit(binaryReal<CopySign>(type), d.destination(0, type), a, b);
  return true;
}

template <class T> const Op *testProperty(const Op *op, Warp &warp) {
  const T *a = slot<T>(warp, op->a);
  int64_t which = op->imm;
  setPredicate(warp, op->d, collectBits([=](int i) {
                 int kind = std::fpclassify(a[i]);
                 switch (which) {
                 case 0:
                   return kind != FP_NAN && kind != FP_INFINITE;
                 case 1:
                   return kind == FP_INFINITE;
                 case 2:
                   return kind != FP_NAN;
                 case 3:
                   return kind == FP_NAN;
                 case 4:
                   return kind == FP_NORMAL;
                 default:
                   return kind == FP_SUBNORMAL;
                 }
               }));
  return op + 1;
}

bool decodeTest(Decoder &d, Type type) {
  if (!d.is("testp"))
    return false;
  static const char *names[] = {".finite",     ".infinite", ".number",
                                ".notanumber", ".normal",   ".subnormal"};
  for (int i = 0; i < 6; ++i)
    if (d.has(names[i])) {
      uint32_t a = d.source(1, type);
      d.emit(type == Type::f32 ? testProperty<float> : testProperty<double>,
             d.destination(0, Type::pred), a)
          .imm = i;
      return true;
    }
  return false;
}

} // namespace

const Op *flushSubnormals(const Op *op, Warp &warp) {
  return unary<Flush, uint32_t, uint32_t>(op, warp);
}

Handler saturateHandler(Type type) { return unaryReal<Saturate>(type); }

uint32_t realSource(Decoder &d, size_t i, Type type) {
  uint32_t from = d.source(i, type);
  if (type != Type::f32 || !d.has(".ftz"))
    return from;
  uint32_t flushed = d.temporary(type);
  d.emit(flushSubnormals, flushed, from);
  return flushed;
}

void finishReal(Decoder &d, uint32_t result, Type type) {
  if (type == Type::f32 && d.has(".ftz"))
    d.emit(flushSubnormals, result, result);
  if (d.has(".sat"))
    d.emit(saturateHandler(type), result, result);
}

bool decodeFloat(Decoder &d) {
  Type type = d.type();
  if (d.is("copysign") || d.is("testp") || type == Type::f32 ||
      type == Type::f64) {
    if (type != Type::f32 && type != Type::f64)
      return false;
    if (d.type(0) != type && d.is("fma"))
      return false; // mixed precision
    return decodeApproximation(d, type) || decodeBinary(d, type) ||
           decodeFma(d, type) || decodeExtreme(d, type) ||
           decodeSigns(d, type) || decodeTest(d, type);
  }
  return false;
}

} // namespace ptxemu
