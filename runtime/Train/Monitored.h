// Monitored: which outputs of an entry a run monitors.
#pragma once

#include "blocks/Program.h"

#include <string>
#include <vector>

namespace blocks {

/// The outputs of `entry` to monitor: those of `names` that it has (a penalty
/// exists in training only), or every scalar one if there are no names. A name
/// that neither "train" nor "eval" knows stays, and is an error later.
std::vector<std::string> monitored(const ProgramSpec &spec,
                                   const EntrySpec &entry,
                                   const std::vector<std::string> &names);

} // namespace blocks
