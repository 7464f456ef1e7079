// NpyFormat: the .npy header (NumPy enhancement proposal 1) and its data, on
// bytes in memory. Used for single files and for members of archives.
#pragma once

#include "blocks/Array.h"

#include <cstddef>
#include <span>
#include <string>

namespace blocks {

struct NpyHeader {
  DType dtype = DType::Float32;
  Shape shape;
  bool fortranOrder = false;
  size_t dataOffset = 0; ///< Bytes before the first element.
};

/// Parses and checks a header against the length of `bytes`, which must hold
/// exactly the header and the elements. `where` names the file for errors.
NpyHeader parseNpyHeader(std::span<const std::byte> bytes,
                         const std::string &where);

/// The header of `array`; its length is a multiple of 64.
std::string makeNpyHeader(const ArrayView &array);

/// Copies the elements behind a parsed header into an array in C order.
Array copyNpyData(std::span<const std::byte> bytes, const NpyHeader &header);

} // namespace blocks
