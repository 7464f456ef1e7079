// atom and red. Warps never run at the same time, so an update is a read and a
// write; the lanes of a warp go in their order, blocks in theirs.
#include "Access.h"
#include "Half.h"

namespace ptxemu {
namespace {

struct Add {
  template <class T> static T of(T old, T b, T) { return T(old + b); }
};
struct Min {
  template <class T> static T of(T old, T b, T) { return b < old ? b : old; }
};
struct Max {
  template <class T> static T of(T old, T b, T) { return b > old ? b : old; }
};
struct And {
  template <class T> static T of(T old, T b, T) { return T(old & b); }
};
struct Or {
  template <class T> static T of(T old, T b, T) { return T(old | b); }
};
struct Xor {
  template <class T> static T of(T old, T b, T) { return T(old ^ b); }
};
struct Exchange {
  template <class T> static T of(T, T b, T) { return b; }
};
struct CompareAndSwap {
  template <class T> static T of(T old, T b, T c) { return old == b ? c : old; }
};
struct Increment {
  template <class T> static T of(T old, T b, T) {
    return old >= b ? T(0) : T(old + 1);
  }
};
struct Decrement {
  template <class T> static T of(T old, T b, T) {
    return old == 0 || old > b ? b : T(old - 1);
  }
};
template <class H> struct AddHalf {
  static uint16_t of(uint16_t old, uint16_t b, uint16_t) {
    return H::narrow(H::widen(old) + H::widen(b));
  }
};
template <class H> struct AddPair {
  static uint32_t of(uint32_t old, uint32_t b, uint32_t) {
    auto low = AddHalf<H>::of(uint16_t(old), uint16_t(b), 0);
    auto high = AddHalf<H>::of(uint16_t(old >> 16), uint16_t(b >> 16), 0);
    return uint32_t(high) << 16 | low;
  }
};

/// op->list: the operands b and c; op->d: the old value, or 0 for red.
template <class T, class F, Space S>
const Op *atomic(const Op *op, Warp &warp) {
  Targets targets;
  resolve<S>(op, warp, sizeof(T), Access::atomic, targets);
  const T *b = slot<T>(warp, op->list[0]), *c = slot<T>(warp, op->list[1]);
  T *d = slot<T>(warp, op->d);
  for (uint32_t lanes = warp.exec; lanes; lanes &= lanes - 1) {
    int i = std::countr_zero(lanes);
    T old, value;
    std::memcpy(&old, targets.host[i], sizeof(T));
    value = F::of(old, b[i], c[i]);
    std::memcpy(targets.host[i], &value, sizeof(T));
    if (op->d)
      d[i] = old;
  }
  return op + 1;
}

template <class T, class F> Handler inSpace(Space space) {
  switch (space) {
  case Space::shared:
    return atomic<T, F, Space::shared>;
  case Space::generic:
    return atomic<T, F, Space::generic>;
  default:
    return atomic<T, F, Space::global>;
  }
}

Handler addHandler(Type type, Space space) {
  switch (type) {
  case Type::u32:
  case Type::s32:
    return inSpace<uint32_t, Add>(space);
  case Type::u64:
  case Type::s64:
    return inSpace<uint64_t, Add>(space);
  case Type::f32:
    return inSpace<float, Add>(space);
  case Type::f64:
    return inSpace<double, Add>(space);
  case Type::f16:
    return inSpace<uint16_t, AddHalf<Half>>(space);
  case Type::bf16:
    return inSpace<uint16_t, AddHalf<Bfloat>>(space);
  case Type::f16x2:
    return inSpace<uint32_t, AddPair<Half>>(space);
  case Type::bf16x2:
    return inSpace<uint32_t, AddPair<Bfloat>>(space);
  default:
    return nullptr;
  }
}

template <class F> Handler orderedHandler(Type type, Space space) {
  switch (type) {
  case Type::u32:
    return inSpace<uint32_t, F>(space);
  case Type::s32:
    return inSpace<int32_t, F>(space);
  case Type::u64:
    return inSpace<uint64_t, F>(space);
  case Type::s64:
    return inSpace<int64_t, F>(space);
  default:
    return nullptr;
  }
}

template <class F> Handler bitHandler(Type type, Space space) {
  switch (sizeOf(type)) {
  case 2:
    return inSpace<uint16_t, F>(space);
  case 4:
    return inSpace<uint32_t, F>(space);
  case 8:
    return inSpace<uint64_t, F>(space);
  default:
    return nullptr;
  }
}

Handler atomicHandler(const Decoder &d, Type type, Space space) {
  if (d.has(".add"))
    return addHandler(type, space);
  if (d.has(".min"))
    return orderedHandler<Min>(type, space);
  if (d.has(".max"))
    return orderedHandler<Max>(type, space);
  if (d.has(".and"))
    return bitHandler<And>(type, space);
  if (d.has(".or"))
    return bitHandler<Or>(type, space);
  if (d.has(".xor"))
    return bitHandler<Xor>(type, space);
  if (d.has(".exch"))
    return bitHandler<Exchange>(type, space);
  if (d.has(".cas"))
    return bitHandler<CompareAndSwap>(type, space);
  if (d.has(".inc"))
    return inSpace<uint32_t, Increment>(space);
  if (d.has(".dec"))
    return inSpace<uint32_t, Decrement>(space);
  return nullptr;
}

} // namespace

bool decodeAtomic(Decoder &d) {
  bool returns = d.is("atom");
  if ((!returns && !d.is("red")) || d.has(".async") || d.hasPrefix(".v"))
    return false;
  Type type = d.type();
  Handler handler = atomicHandler(d, type, spaceOf(d));
  if (!handler)
    return false;
  size_t first = returns ? 1 : 0;
  AddressOperand address = d.address(first);
  uint32_t b = d.source(first + 1, type);
  uint32_t c = d.has(".cas") ? d.source(first + 2, type) : b;
  const uint32_t *list = d.list({b, c});
  uint32_t to = returns ? d.destination(0, type) : 0;
  Op &op = d.emit(handler, to);
  setAddress(d, op, address);
  op.list = list;
  return true;
}

} // namespace ptxemu
