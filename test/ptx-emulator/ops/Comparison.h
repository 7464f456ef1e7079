// The comparisons of setp and set, by their suffixes.
#pragma once

#include "../decode/Decoder.h"

namespace ptxemu {

enum Relation { eq, ne, lt, le, gt, ge, num, nan };

struct Comparison {
  Relation relation;
  bool unordered = false;    ///< true for NaN too
  bool unsignedOnly = false; ///< lo, ls, hi, hs
};

/// Finds the comparison among the modifiers; false when there is none.
bool findComparison(const Decoder &decoder, Comparison &result);

/// setp and set on f16x2 and bf16x2, and set that gives halves.
bool decodePairComparison(Decoder &decoder, Type type);
bool decodeHalfSet(Decoder &decoder, Type type);

} // namespace ptxemu
