// ConvertOptions: the check of a converter's options against its table. Their
// type is in include/fuel/Convert.h.
#pragma once

#include "fuel/Convert.h"

namespace fuel {

/// Fills in the defaults. UsageError for an unknown, missing, repeated or
/// impossible option.
void checkConvertOptions(const Converter &converter, ConvertOptions &options);

/// `seed`, if the generator can be seeded with it (32 bits); else UsageError.
uint64_t checkedShuffleSeed(int64_t seed);

} // namespace fuel
