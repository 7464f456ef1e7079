// StateArchive: the records of a checkpoint (progress, options, stream and
// extension states, scalars) as bytes: a Boost.Serialization text archive,
// which is the same on every machine, in an envelope with its length and
// SHA-256. Reading trusts nothing: lengths are capped before memory is taken.
#pragma once

#include "blocks/StateRecord.h"

#include <cstddef>
#include <span>
#include <string>

namespace blocks {

std::string packRecords(const StateRecords &records);

/// Throws CorruptError, naming `where`.
StateRecords unpackRecords(std::span<const std::byte> bytes,
                           const std::string &where);

} // namespace blocks
