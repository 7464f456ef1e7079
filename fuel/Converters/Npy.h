// Npy: arrays of NumPy's .npy files and .npz archives, row by row: numbers of
// either byte order, booleans, half floats, strings of bytes and of characters
// (which become UTF-8), in C or Fortran order.
#pragma once

#include "fuel/Converters/ArrayFile.h"

#include <vector>

namespace fuel {

/// Whether the file begins like an archive.
bool isNpz(const std::string &path);
/// Names of an archive's arrays, without ".npy", in its order.
std::vector<std::string> npzNames(const std::string &path);

/// A .npy file, or the array `member` of an archive. What is compressed is
/// unpacked into a file without a name in `folder`.
std::unique_ptr<ArrayFile> openNpy(const std::string &path,
                                   const std::string &member,
                                   const std::string &folder);

} // namespace fuel
