// ConvertOptions: the check of a converter's options against its table. Their
// type is in include/fuel/Convert.h.
#pragma once

#include "fuel/Convert.h"

namespace fuel {

/// Fills in the defaults. UsageError for an unknown, missing, repeated or
/// impossible option.
void checkConvertOptions(const Converter &converter, ConvertOptions &options);

} // namespace fuel
