// setp, set, selp, slct.
#include "Comparison.h"
#include "Float.h"
#include "Half.h"

#include <map>

namespace ptxemu {

bool findComparison(const Decoder &d, Comparison &result) {
  static const std::map<std::string, Comparison> known = {
      {".eq", {eq}},
      {".ne", {ne}},
      {".lt", {lt}},
      {".le", {le}},
      {".gt", {gt}},
      {".ge", {ge}},
      {".equ", {eq, true}},
      {".neu", {ne, true}},
      {".ltu", {lt, true}},
      {".leu", {le, true}},
      {".gtu", {gt, true}},
      {".geu", {ge, true}},
      {".num", {num}},
      {".nan", {nan}},
      {".lo", {lt, false, true}},
      {".ls", {le, false, true}},
      {".hi", {gt, false, true}},
      {".hs", {ge, false, true}}};
  for (const std::string &modifier : d.instruction().modifiers)
    if (auto found = known.find(modifier); found != known.end()) {
      result = found->second;
      return true;
    }
  return false;
}

namespace {

template <Relation R, class T> bool relate(T a, T b) {
  switch (R) {
  case eq:
    return a == b;
  case ne:
    return a < b || a > b; // false for NaN, unlike C++'s !=
  case lt:
    return a < b;
  case le:
    return a <= b;
  case gt:
    return a > b;
  case ge:
    return a >= b;
  case num:
    return a == a && b == b;
  default:
    return a != a || b != b;
  }
}

/// d = relation; Unordered: true for NaN. op->imm: what to do with the
/// predicate c: 0 nothing, 'a'nd, 'o'r, 'x'or. op->list[0]: the q of p|q.
template <Relation R, bool Unordered, class T>
const Op *setPredicateOf(const Op *op, Warp &warp) {
  const T *a = slot<T>(warp, op->a), *b = slot<T>(warp, op->b);
  uint32_t bits = collectBits([=](int i) {
    T x = a[i], y = b[i];
    bool value = relate<R>(x, y);
    return Unordered ? value | (x != x) | (y != y) : value;
  });
  uint32_t inverse = ~bits;
  if (op->imm) {
    uint32_t c = predicate(warp, op->c);
    auto combine = [&](uint32_t value) {
      return op->imm == 'a'   ? value & c
             : op->imm == 'o' ? value | c
                              : value ^ c;
    };
    bits = combine(bits);
    inverse = combine(inverse);
  }
  setPredicate(warp, op->d, bits);
  if (op->list)
    setPredicate(warp, op->list[0], inverse);
  return op + 1;
}

template <bool Unordered, class T> Handler forRelation(Relation relation) {
  switch (relation) {
  case eq:
    return setPredicateOf<eq, Unordered, T>;
  case ne:
    return setPredicateOf<ne, Unordered, T>;
  case lt:
    return setPredicateOf<lt, Unordered, T>;
  case le:
    return setPredicateOf<le, Unordered, T>;
  case gt:
    return setPredicateOf<gt, Unordered, T>;
  case ge:
    return setPredicateOf<ge, Unordered, T>;
  case num:
    return setPredicateOf<num, false, T>;
  default:
    return setPredicateOf<nan, false, T>;
  }
}

Handler comparisonHandler(Type type, const Comparison &comparison) {
  if (type == Type::f32)
    return comparison.unordered
               ? forRelation<true, float>(comparison.relation)
               : forRelation<false, float>(comparison.relation);
  if (type == Type::f64)
    return comparison.unordered
               ? forRelation<true, double>(comparison.relation)
               : forRelation<false, double>(comparison.relation);
  return forInteger(type, [&](auto z) {
    return forRelation<false, decltype(z)>(comparison.relation);
  });
}

template <class H> const Op *widenHalf(const Op *op, Warp &warp) {
  const auto *a = slot<uint16_t>(warp, op->a);
  return mapLanes<float>(op, warp, [=](int i) { return H::widen(a[i]); });
}

/// An operand of a comparison; halves are compared as f32.
uint32_t comparand(Decoder &d, size_t i, Type type) {
  if (type != Type::f16 && type != Type::bf16)
    return realSource(d, i, type);
  uint32_t half = d.source(i, type), wide = d.temporary(Type::f32);
  d.emit(type == Type::f16 ? widenHalf<Half> : widenHalf<Bfloat>, wide, half);
  return wide;
}

/// Emits a comparison into predicate `to`; c is the operand to combine with.
void emitComparison(Decoder &d, uint32_t to, uint32_t inverse, Type type,
                    bool combined) {
  Comparison comparison;
  if (!findComparison(d, comparison))
    d.fail("unknown comparison");
  Type compared = type == Type::f16 || type == Type::bf16 ? Type::f32 : type;
  Handler handler = comparisonHandler(compared, comparison);
  if (!handler)
    d.fail("cannot compare this type");
  uint32_t a = comparand(d, 1, type), b = comparand(d, 2, type);
  uint32_t c = combined ? d.predicateSource(d.operand(3)) : 0;
  const uint32_t *list = inverse ? d.list({inverse}) : nullptr;
  Op &op = d.emit(handler, to, a, b, c);
  op.list = list;
  if (combined)
    op.imm = d.has(".and") ? 'a' : d.has(".or") ? 'o' : 'x';
}

bool decodeSetp(Decoder &d) {
  Type type = d.type();
  if (type == Type::f16x2 || type == Type::bf16x2)
    return decodePairComparison(d, type);
  bool combined = d.has(".and") || d.has(".or") || d.has(".xor");
  uint32_t inverse = d.secondPredicate(d.operand(0));
  Operand first = d.operand(0);
  uint32_t to = d.destination(first, Type::pred);
  emitComparison(d, to, inverse, type, combined);
  return true;
}

template <class T> const Op *selectByPredicate(const Op *op, Warp &warp) {
  const T *a = slot<T>(warp, op->a), *b = slot<T>(warp, op->b);
  uint32_t choose = predicate(warp, op->c);
  return mapLanes<T>(op, warp,
                     [=](int i) { return choose >> i & 1 ? a[i] : b[i]; });
}

template <class T> struct IfNotNegative {
  template <class V> static V of(V a, V b, T c) { return c >= T(0) ? a : b; }
};

/// set: all ones or 1.0 where the comparison holds.
bool decodeSet(Decoder &d) {
  Type result = d.type(0), type = d.type(1);
  if (isHalf(result) && result == type)
    return decodeHalfSet(d, type);
  if (sizeOf(result) != 4 || isHalf(result))
    return false;
  bool combined = d.has(".and") || d.has(".or") || d.has(".xor");
  uint32_t truth = d.temporary(Type::pred);
  emitComparison(d, truth, 0, type, combined);
  uint32_t yes = result == Type::f32 ? d.constant(Type::f32, 0x3F800000)
                                     : d.constant(Type::b32, 0xFFFFFFFF);
  d.emit(selectByPredicate<uint32_t>, d.destination(0, result), yes,
         d.constant(Type::b32, 0), truth);
  return true;
}

bool decodeSelp(Decoder &d) {
  Type type = d.type();
  uint32_t a = d.source(1, type), b = d.source(2, type),
           c = d.predicateSource(d.operand(3));
  Handler handler = forBits(
      type, [](auto z) -> Handler { return selectByPredicate<decltype(z)>; });
  d.emit(handler, d.destination(0, type), a, b, c);
  return true;
}

bool decodeSlct(Decoder &d) {
  Type type = d.type(0), decider = d.type(1);
  uint32_t a = d.source(1, type), b = d.source(2, type),
           c = realSource(d, 3, decider);
  Handler handler = forBits(type, [&](auto z) -> Handler {
    using T = decltype(z);
    return decider == Type::f32
               ? Handler(ternary<IfNotNegative<float>, T, T, T, float>)
               : ternary<IfNotNegative<int32_t>, T, T, T, int32_t>;
  });
  d.emit(handler, d.destination(0, type), a, b, c);
  return true;
}

} // namespace

bool decodeCompare(Decoder &d) {
  if (d.is("setp"))
    return decodeSetp(d);
  if (d.is("set"))
    return decodeSet(d);
  if (d.is("selp"))
    return decodeSelp(d);
  if (d.is("slct"))
    return decodeSlct(d);
  return false;
}

} // namespace ptxemu
