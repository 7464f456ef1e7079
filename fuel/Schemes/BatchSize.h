// BatchSize: what schemes accept as numbers of examples. The limit keeps sums
// and products of such numbers far from the ends of 64 bits.
#pragma once

#include "blocks/Error.h"

#include <cstdint>
#include <string>

namespace fuel {

constexpr int64_t mostExamples = int64_t(1) << 40;

/// UsageError unless 1 <= size <= mostExamples; `what`: "the batch size".
inline void checkSize(const char *what, int64_t size) {
  if (size < 1 || size > mostExamples)
    throw blocks::UsageError(std::string(what) + " is " + std::to_string(size) +
                             "; expected 1 or more, at most 2^40");
}

/// The same for a length, which may be 0.
inline void checkLength(const char *what, int64_t length) {
  if (length < 0 || length > mostExamples)
    throw blocks::UsageError(std::string(what) + " is " +
                             std::to_string(length) +
                             "; expected 0 or more, at most 2^40");
}

} // namespace fuel
