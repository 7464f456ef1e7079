// Idx: the file format of MNIST and its kin, plain or gzipped: a magic number
// that tells the rank, the dimensions, then unsigned bytes. All big-endian.
#pragma once

#include "blocks/Array.h"

#include <string>

namespace fuel {

/// Reads `path`, whose array must have `rank` dimensions. CorruptError naming
/// the file if magic, length or compression do not hold.
blocks::Array readIdx(const std::string &path, int rank);

} // namespace fuel
