// Synthetic batches for `bench`: arrays of an entry's sources with given
// extents, the same on every machine.
#pragma once

#include "blocks/Program.h"

namespace blocks::cli {

/// One array per source of `entry`; `extents` gives the named axes. Floats are
/// uniform on [0, 1), integers 0 or 1 (valid labels of any classifier). Throws
/// UsageError for an axis without an extent.
std::vector<Array> syntheticBatch(const EntrySpec &entry,
                                  const std::map<std::string, int64_t> &extents,
                                  uint64_t seed);

/// Throws UsageError for an extent of an axis that no source of `entry` has.
void checkAxes(const EntrySpec &entry,
               const std::map<std::string, int64_t> &extents);

} // namespace blocks::cli
