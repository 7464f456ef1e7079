// Arithmetic with directed rounding, by the host's rounding mode. The work is
// done in functions that are not inlined and see only memory, so that nothing
// moves across the change of mode; this file is compiled with -frounding-math.
#include "Rounded.h"
#include "Float.h"

#include <cfenv>

namespace ptxemu {
namespace {

/// Sets the host's rounding mode for a while.
class RoundingScope {
public:
  explicit RoundingScope(int64_t mode) : saved(std::fegetround()) {
    static constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                                    FE_UPWARD};
    std::fesetround(modes[mode]);
  }
  ~RoundingScope() { std::fesetround(saved); }

private:
  int saved;
};

template <char Name, class T> T compute(T a, T b, T c) {
  switch (Name) {
  case '+':
    return a + b;
  case '-':
    return a - b;
  case '*':
    return a * b;
  case '/':
    return a / b;
  case 's':
    return std::sqrt(a);
  case 'r':
    return T(1) / a;
  default:
    return std::fma(a, b, c);
  }
}

template <char Name, class T>
[[gnu::noinline]] void computeAll(T *d, const T *a, const T *b, const T *c) {
  for (int i = 0; i < laneCount; ++i)
    d[i] = compute<Name>(a[i], b[i], c[i]);
}

template <int64_t Mode, char Name, class T>
const Op *rounded(const Op *op, Warp &warp) {
  T result[laneCount];
  {
    RoundingScope scope(Mode);
    computeAll<Name, T>(result, slot<T>(warp, op->a), slot<T>(warp, op->b),
                        slot<T>(warp, op->c));
  }
  blend(slot<T>(warp, op->d), result, warp.exec);
  return op + 1;
}

template <class D, class S>
[[gnu::noinline]] void convertAll(D *d, const S *s) {
  for (int i = 0; i < laneCount; ++i)
    d[i] = D(s[i]);
}

template <class D, class S> const Op *convert(const Op *op, Warp &warp) {
  D result[laneCount];
  {
    RoundingScope scope(op->imm);
    convertAll<D, S>(result, slot<S>(warp, op->a));
  }
  blend(slot<D>(warp, op->d), result, warp.exec);
  return op + 1;
}

template <int64_t Mode, class T> Handler handlerFor(char name) {
  switch (name) {
  case '+':
    return rounded<Mode, '+', T>;
  case '-':
    return rounded<Mode, '-', T>;
  case '*':
    return rounded<Mode, '*', T>;
  case '/':
    return rounded<Mode, '/', T>;
  case 's':
    return rounded<Mode, 's', T>;
  case 'r':
    return rounded<Mode, 'r', T>;
  default:
    return rounded<Mode, 'f', T>;
  }
}

template <class T> Handler handlerFor(const Decoder &d, char name) {
  if (d.has(".rz"))
    return handlerFor<1, T>(name);
  if (d.has(".rm"))
    return handlerFor<2, T>(name);
  return handlerFor<3, T>(name);
}

} // namespace

Handler roundedHandler(const Decoder &d, char name, Type type) {
  return type == Type::f32 ? handlerFor<float>(d, name)
                           : handlerFor<double>(d, name);
}

Handler roundedConversion(Type to, Type from) {
  auto target = [&](auto source) -> Handler {
    using S = decltype(source);
    return to == Type::f32 ? Handler(convert<float, S>) : convert<double, S>;
  };
  switch (from) {
  case Type::u32:
    return target(uint32_t());
  case Type::s32:
    return target(int32_t());
  case Type::u64:
    return target(uint64_t());
  case Type::s64:
    return target(int64_t());
  case Type::f64:
    return target(double());
  default:
    return nullptr;
  }
}

} // namespace ptxemu
