// Square roots, reciprocals and the .approx functions. The hardware's
// approximations have errors of a few units in the last place that differ from
// chip to chip; here the exact functions stand for them, rounded to f32.
#include "Float.h"

namespace ptxemu {
namespace {

struct Sqrt {
  template <class T> static T of(T a) { return std::sqrt(a); }
};
struct Reciprocal {
  template <class T> static T of(T a) { return T(1) / a; }
};
struct ReciprocalSqrt {
  template <class T> static T of(T a) {
    return a == T(0) ? std::copysign(T(INFINITY), a) : T(1) / std::sqrt(a);
  }
};
struct Exp2 {
  static float of(float a) { return std::exp2(a); }
};
struct Log2 {
  static float of(float a) { return std::log2(a); }
};
struct Sin {
  static float of(float a) { return std::sin(a); }
};
struct Cos {
  static float of(float a) { return std::cos(a); }
};
struct Tanh {
  static float of(float a) { return std::tanh(a); }
};

/// Functions that the host computes lane by lane.
template <class F> const Op *slowUnary(const Op *op, Warp &warp) {
  const auto *a = slot<float>(warp, op->a);
  return mapActive<float>(op, warp, [=](int i) { return F::of(a[i]); });
}

bool emitUnary(Decoder &d, Handler handler, Type type) {
  uint32_t a = realSource(d, 1, type), to = d.destination(0, type);
  d.emit(handler, to, a);
  finishReal(d, to, type);
  return true;
}

} // namespace

bool decodeApproximation(Decoder &d, Type type) {
  bool directed = d.has(".rz") || d.has(".rm") || d.has(".rp");
  auto real = [&](Handler f32, Handler f64) {
    return emitUnary(d, type == Type::f32 ? f32 : f64, type);
  };
  if (d.is("sqrt"))
    return directed
               ? emitUnary(d, roundedHandler(d, 's', type), type)
               : real(unary<Sqrt, float, float>, unary<Sqrt, double, double>);
  if (d.is("rcp"))
    return directed ? emitUnary(d, roundedHandler(d, 'r', type), type)
                    : real(unary<Reciprocal, float, float>,
                           unary<Reciprocal, double, double>);
  if (d.is("rsqrt"))
    return real(unary<ReciprocalSqrt, float, float>,
                unary<ReciprocalSqrt, double, double>);
  if (type != Type::f32)
    return false;
  if (d.is("ex2"))
    return emitUnary(d, slowUnary<Exp2>, type);
  if (d.is("lg2"))
    return emitUnary(d, slowUnary<Log2>, type);
  if (d.is("sin"))
    return emitUnary(d, slowUnary<Sin>, type);
  if (d.is("cos"))
    return emitUnary(d, slowUnary<Cos>, type);
  if (d.is("tanh"))
    return emitUnary(d, slowUnary<Tanh>, type);
  return false;
}

} // namespace ptxemu
