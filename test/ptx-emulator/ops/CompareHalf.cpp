// Comparisons of halves that do not fit those of f32: both halves of a pair at
// once, and set with a half for its result.
#include "Comparison.h"
#include "Half.h"
#include "Lanes.h"

namespace ptxemu {
namespace {

bool relationHolds(Relation relation, float x, float y) {
  switch (relation) {
  case eq:
    return x == y;
  case ne:
    return x < y || x > y;
  case lt:
    return x < y;
  case le:
    return x <= y;
  case gt:
    return x > y;
  case ge:
    return x >= y;
  case num:
    return x == x && y == y;
  default:
    return x != x || y != y;
  }
}

/// op->imm: the relation, plus 16 for the unordered forms.
template <class H> bool holds(const Op *op, uint16_t a, uint16_t b) {
  float x = H::widen(a), y = H::widen(b);
  bool unordered = (op->imm & 16) && (x != x || y != y);
  return unordered || relationHolds(Relation(op->imm & 15), x, y);
}

/// p|q are the low and the high half.
template <class H> const Op *comparePairs(const Op *op, Warp &warp) {
  const auto *a = slot<uint16_t>(warp, op->a), *b = slot<uint16_t>(warp, op->b);
  auto half = [&](int i) { return holds<H>(op, a[i], b[i]); };
  setPredicate(warp, op->d, collectBits([&](int i) { return half(2 * i); }));
  setPredicate(warp, op->list[0],
               collectBits([&](int i) { return half(2 * i + 1); }));
  return op + 1;
}

/// 1.0 where the comparison holds; Halves: 32, or 64 for pairs.
template <class H, int Halves> const Op *setHalves(const Op *op, Warp &warp) {
  const auto *a = slot<uint16_t>(warp, op->a), *b = slot<uint16_t>(warp, op->b);
  uint16_t out[Halves], one = H::narrow(1.0f);
  for (int i = 0; i < Halves; ++i)
    out[i] = holds<H>(op, a[i], b[i]) ? one : uint16_t(0);
  if (Halves == 32)
    blend(slot<uint16_t>(warp, op->d), out, warp.exec);
  else
    blend(slot<uint32_t>(warp, op->d), reinterpret_cast<uint32_t *>(out),
          warp.exec);
  return op + 1;
}

bool isCombined(const Decoder &d) {
  return d.has(".and") || d.has(".or") || d.has(".xor");
}

} // namespace

bool decodePairComparison(Decoder &d, Type type) {
  Comparison comparison;
  if (!findComparison(d, comparison) || isCombined(d))
    return false;
  uint32_t a = d.source(1, type), b = d.source(2, type);
  uint32_t low = d.predicateDestination(d.operand(0).text);
  uint32_t high = d.secondPredicate(d.operand(0));
  const uint32_t *list = d.list({high ? high : d.temporary(Type::pred)});
  Op &op =
      d.emit(type == Type::f16x2 ? comparePairs<Half> : comparePairs<Bfloat>,
             low, a, b);
  op.imm = comparison.relation | (comparison.unordered ? 16 : 0);
  op.list = list;
  return true;
}

bool decodeHalfSet(Decoder &d, Type type) {
  Comparison comparison;
  if (!findComparison(d, comparison) || isCombined(d))
    return false;
  uint32_t a = d.source(1, type), b = d.source(2, type);
  Handler handler = type == Type::f16     ? setHalves<Half, 32>
                    : type == Type::f16x2 ? setHalves<Half, 64>
                    : type == Type::bf16  ? setHalves<Bfloat, 32>
                                          : setHalves<Bfloat, 64>;
  d.emit(handler, d.destination(0, type), a, b).imm =
      comparison.relation | (comparison.unordered ? 16 : 0);
  return true;
}

} // namespace ptxemu
