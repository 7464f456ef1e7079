// Idx: the file format of MNIST and its kin, plain or gzipped: a magic number
// that tells element type and rank, the dimensions, then the elements. All
// big-endian.
#pragma once

#include "blocks/Array.h"
#include "fuel/Converters/ArrayFile.h"

#include <string>

namespace fuel {

/// Reads `path`, whose array must have `rank` dimensions and unsigned bytes.
/// CorruptError naming the file if magic, length or compression do not hold.
blocks::Array readIdx(const std::string &path, int rank);

/// Any element type and rank, row by row.
std::unique_ptr<ArrayFile> openIdx(const std::string &path);

} // namespace fuel
