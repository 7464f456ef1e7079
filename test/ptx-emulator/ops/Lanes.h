// How a handler works on the lanes of a warp: registers as plain arrays of 32
// values, results blended where only some lanes run. The loops carry no
// dependence from lane to lane (a register may be source and destination of
// its own lane only), which the pragma tells the compiler's vectoriser.
#pragma once

#include "../machine/Warp.h"
#include "../ptx/Type.h"

#include <cstring>

#if defined(__clang__)
#define PTX_FOR_LANES(i, n)                                                    \
  _Pragma("clang loop vectorize(assume_safety)") for (int i = 0; i < (n); ++i)
#else
#define PTX_FOR_LANES(i, n) _Pragma("GCC ivdep") for (int i = 0; i < (n); ++i)
#endif

namespace ptxemu {

template <class T> inline T *slot(const Warp &warp, uint32_t offset) {
  return reinterpret_cast<T *>(warp.regs + offset);
}

inline uint32_t &predicate(const Warp &warp, uint32_t offset) {
  return *slot<uint32_t>(warp, offset);
}

template <class T>
[[gnu::noinline]] void blend(T *to, const T *from, uint32_t mask) {
  PTX_FOR_LANES(i, laneCount)
  to[i] = mask >> i & 1 ? from[i] : to[i];
}

/// d[i] = f(i) for the lanes that run; f must have no side effects.
template <class D, class F>
inline const Op *mapLanes(const Op *op, Warp &warp, F f) {
  alignas(64) D spare[laneCount];
  D *to = slot<D>(warp, op->d);
  D *out = warp.exec == allLanes ? to : spare;
  PTX_FOR_LANES(i, laneCount)
  out[i] = D(f(i));
  if (out == spare) [[unlikely]]
    blend(to, spare, warp.exec);
  return op + 1;
}

/// The same for functions that are worth skipping where no lane runs.
template <class D, class F>
inline const Op *mapActive(const Op *op, Warp &warp, F f) {
  D *to = slot<D>(warp, op->d);
  for (int i = 0; i < laneCount; ++i)
    if (warp.exec >> i & 1)
      to[i] = D(f(i));
  return op + 1;
}

inline void setPredicate(const Warp &warp, uint32_t offset, uint32_t bits) {
  uint32_t &to = predicate(warp, offset);
  to = (to & ~warp.exec) | (bits & warp.exec);
}

/// One bit a lane.
template <class F> inline uint32_t collectBits(F f) {
  alignas(64) uint32_t ones[laneCount];
  PTX_FOR_LANES(i, laneCount)
  ones[i] = f(i) ? 1u << i : 0;
  uint32_t bits = 0;
  for (int i = 0; i < laneCount; ++i)
    bits |= ones[i];
  return bits;
}

template <class F, class D, class A> const Op *unary(const Op *op, Warp &warp) {
  const A *a = slot<A>(warp, op->a);
  return mapLanes<D>(op, warp, [=](int i) { return F::of(a[i]); });
}

template <class F, class D, class A, class B = A>
const Op *binary(const Op *op, Warp &warp) {
  const A *a = slot<A>(warp, op->a);
  const B *b = slot<B>(warp, op->b);
  return mapLanes<D>(op, warp, [=](int i) { return F::of(a[i], b[i]); });
}

template <class F, class D, class A, class B = A, class C = A>
const Op *ternary(const Op *op, Warp &warp) {
  const A *a = slot<A>(warp, op->a);
  const B *b = slot<B>(warp, op->b);
  const C *c = slot<C>(warp, op->c);
  return mapLanes<D>(op, warp, [=](int i) { return F::of(a[i], b[i], c[i]); });
}

/// Calls g with a value of the C++ type of an integer type; null for others.
template <class G> Handler forInteger(Type type, G g) {
  switch (type) {
  case Type::u16:
  case Type::b16:
    return g(uint16_t());
  case Type::s16:
    return g(int16_t());
  case Type::u32:
  case Type::b32:
    return g(uint32_t());
  case Type::s32:
    return g(int32_t());
  case Type::u64:
  case Type::b64:
    return g(uint64_t());
  case Type::s64:
    return g(int64_t());
  default:
    return nullptr;
  }
}

/// The same by width, for operations that only see bits.
template <class G> Handler forBits(Type type, G g) {
  switch (sizeOf(type)) {
  case 2:
    return g(uint16_t());
  case 4:
    return g(uint32_t());
  case 8:
    return g(uint64_t());
  default:
    return nullptr;
  }
}

template <class G> Handler forReal(Type type, G g) {
  if (type == Type::f32)
    return g(float());
  if (type == Type::f64)
    return g(double());
  return nullptr;
}

} // namespace ptxemu
