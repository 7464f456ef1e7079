// shfl.sync, vote.sync, match.sync, redux.sync, activemask, elect.sync,
// bar.warp.sync.
#include "../machine/DeviceMemory.h"
#include "Collective.h"

#include <algorithm>

namespace ptxemu {
namespace {

enum Mode { up, down, butterfly, index };

/// op->list: slots of b, c, member mask, and of the predicate or 0.
template <Mode M> const Op *shuffle(const Op *op, Warp &warp) {
  const Op *next = nullptr;
  if (!gather(op, warp, op->list[2], next))
    return next;
  const auto *a = slot<uint32_t>(warp, op->a),
             *b = slot<uint32_t>(warp, op->list[0]),
             *c = slot<uint32_t>(warp, op->list[1]);
  uint32_t result[laneCount], inside = 0;
  for (int lane = 0; lane < laneCount; ++lane) {
    int offset = int(b[lane] & 31), clamp = int(c[lane] & 31),
        segment = int(c[lane] >> 8 & 31);
    int most = (lane & segment) | (clamp & ~segment), least = lane & segment;
    int from = M == up          ? lane - offset
               : M == down      ? lane + offset
               : M == butterfly ? lane ^ offset
                                : least | (offset & ~segment);
    bool valid = M == up ? from >= most : from <= most;
    from = valid ? from : lane;
    inside |= uint32_t(valid) << lane;
    // What a lane that does not take part gives is undefined.
    result[lane] =
        warp.exec >> from & 1 ? a[from] : uint32_t(DeviceMemory::poison);
  }
  blend(slot<uint32_t>(warp, op->d), result, warp.exec);
  if (op->list[3])
    setPredicate(warp, op->list[3], inside);
  return op + 1;
}

bool decodeShuffle(Decoder &d) {
  if (!d.has(".sync"))
    d.fail("shfl without .sync does not exist on sm_70 and later");
  Handler handler = d.has(".up")     ? shuffle<up>
                    : d.has(".down") ? shuffle<down>
                    : d.has(".bfly") ? shuffle<butterfly>
                                     : shuffle<index>;
  uint32_t a = d.source(1, Type::b32);
  std::vector<uint32_t> rest;
  for (size_t i = 2; i < 5; ++i)
    rest.push_back(d.source(i, Type::b32));
  rest.push_back(d.secondPredicate(d.operand(0)));
  const uint32_t *list = d.list(rest);
  d.emit(handler, d.destination(0, Type::b32), a).list = list;
  return true;
}

enum Vote { all, any, uniform, ballot };

template <Vote V> const Op *vote(const Op *op, Warp &warp) {
  const Op *next = nullptr;
  if (!gather(op, warp, op->b, next))
    return next;
  const auto *mask = slot<uint32_t>(warp, op->b);
  uint32_t truths = predicate(warp, op->a) & warp.exec, bits = 0;
  auto *d = slot<uint32_t>(warp, op->d);
  for (uint32_t lanes = warp.exec; lanes; lanes &= lanes - 1) {
    int lane = std::countr_zero(lanes);
    uint32_t members = mask[lane] & warp.exec, yes = truths & members;
    if (V == ballot)
      d[lane] = yes;
    bool value = V == all   ? yes == members
                 : V == any ? yes != 0
                            : yes == members || yes == 0;
    bits |= uint32_t(value) << lane;
  }
  if (V != ballot)
    setPredicate(warp, op->d, bits);
  return op + 1;
}

bool decodeVote(Decoder &d) {
  if (!d.has(".sync"))
    d.fail("vote without .sync does not exist on sm_70 and later");
  uint32_t a = d.predicateSource(d.operand(1)), mask = d.source(2, Type::b32);
  if (d.has(".ballot"))
    d.emit(vote<ballot>, d.destination(0, Type::b32), a, mask);
  else
    d.emit(d.has(".all")   ? vote<all>
           : d.has(".any") ? vote<any>
                           : vote<uniform>,
           d.destination(0, Type::pred), a, mask);
  return true;
}

/// op->c: the predicate of match.all, or 0; op->imm: match.all.
template <class T> const Op *match(const Op *op, Warp &warp) {
  const Op *next = nullptr;
  if (!gather(op, warp, op->b, next))
    return next;
  const T *a = slot<T>(warp, op->a);
  const auto *mask = slot<uint32_t>(warp, op->b);
  uint32_t result[laneCount] = {}, whole = 0;
  for (int lane = 0; lane < laneCount; ++lane) {
    uint32_t members = mask[lane] & warp.exec, same = 0;
    for (int other = 0; other < laneCount; ++other)
      same |= uint32_t((members >> other & 1) && a[other] == a[lane]) << other;
    bool everyone = same == members;
    whole |= uint32_t(everyone) << lane;
    result[lane] = op->imm && !everyone ? 0 : same;
  }
  blend(slot<uint32_t>(warp, op->d), result, warp.exec);
  if (op->c)
    setPredicate(warp, op->c, whole);
  return op + 1;
}

bool decodeMatch(Decoder &d) {
  Type type = d.type();
  uint32_t a = d.source(1, type), mask = d.source(2, Type::b32);
  uint32_t second = d.secondPredicate(d.operand(0));
  d.emit(sizeOf(type) == 8 ? match<uint64_t> : match<uint32_t>,
         d.destination(0, Type::b32), a, mask, second)
      .imm = d.has(".all");
  return true;
}

struct Sum {
  template <class T> static T of(T a, T b) { return T(a + b); }
};
struct Least {
  template <class T> static T of(T a, T b) { return b < a ? b : a; }
};
struct Most {
  template <class T> static T of(T a, T b) { return b > a ? b : a; }
};
struct Both {
  template <class T> static T of(T a, T b) { return a & b; }
};
struct Either {
  template <class T> static T of(T a, T b) { return a | b; }
};
struct Differ {
  template <class T> static T of(T a, T b) { return a ^ b; }
};

template <class T, class F> const Op *reduce(const Op *op, Warp &warp) {
  const Op *next = nullptr;
  if (!gather(op, warp, op->b, next))
    return next;
  const T *a = slot<T>(warp, op->a);
  const auto *mask = slot<uint32_t>(warp, op->b);
  T result[laneCount] = {};
  for (int lane = 0; lane < laneCount; ++lane) {
    uint32_t members = mask[lane] & warp.exec;
    if (!(warp.exec >> lane & 1) || !members)
      continue;
    T value = a[std::countr_zero(members)];
    for (members &= members - 1; members; members &= members - 1)
      value = F::of(value, a[std::countr_zero(members)]);
    result[lane] = value;
  }
  blend(slot<T>(warp, op->d), result, warp.exec);
  return op + 1;
}

Handler reduceHandler(const Decoder &d, Type type) {
  bool isS = type == Type::s32;
  if (d.has(".add"))
    return reduce<uint32_t, Sum>;
  if (d.has(".min"))
    return isS ? reduce<int32_t, Least> : reduce<uint32_t, Least>;
  if (d.has(".max"))
    return isS ? reduce<int32_t, Most> : reduce<uint32_t, Most>;
  if (d.has(".and"))
    return reduce<uint32_t, Both>;
  if (d.has(".or"))
    return reduce<uint32_t, Either>;
  return d.has(".xor") ? reduce<uint32_t, Differ> : nullptr;
}

bool decodeRedux(Decoder &d) {
  Type type = d.type();
  Handler handler = type == Type::f32 ? nullptr : reduceHandler(d, type);
  if (!handler)
    return false;
  uint32_t a = d.source(1, type), mask = d.source(2, Type::b32);
  d.emit(handler, d.destination(0, type), a, mask);
  return true;
}

const Op *activeMask(const Op *op, Warp &warp) {
  uint32_t mask = warp.exec;
  return mapLanes<uint32_t>(op, warp, [=](int) { return mask; });
}

const Op *elect(const Op *op, Warp &warp) {
  const Op *next = nullptr;
  if (!gather(op, warp, op->b, next))
    return next;
  auto leader = uint32_t(std::countr_zero(warp.exec));
  if (op->c)
    setPredicate(warp, op->c, 1u << leader);
  return mapLanes<uint32_t>(op, warp, [=](int) { return leader; });
}

const Op *warpBarrier(const Op *op, Warp &warp) {
  const Op *next = nullptr;
  return gather(op, warp, op->b, next) ? op + 1 : next;
}

} // namespace

bool decodeWarp(Decoder &d) {
  if (d.is("shfl"))
    return decodeShuffle(d);
  if (d.is("vote"))
    return decodeVote(d);
  if (d.is("match"))
    return decodeMatch(d);
  if (d.is("redux"))
    return decodeRedux(d);
  if (d.is("activemask")) {
    d.emit(activeMask, d.destination(0, Type::b32));
    return true;
  }
  if (d.is("elect")) {
    uint32_t mask = d.source(1, Type::b32);
    uint32_t p = d.secondPredicate(d.operand(0));
    d.emit(elect, d.destination(0, Type::b32), 0, mask, p);
    return true;
  }
  if (d.is("bar") && d.has(".warp")) {
    uint32_t mask = d.source(0, Type::b32);
    d.emit(warpBarrier, 0, 0, mask);
    return true;
  }
  return false;
}

} // namespace ptxemu
