// NpyFormat: the .npy header (NumPy enhancement proposal 1) and its data, on
// bytes in memory. Used for single files and for members of archives.
#pragma once

#include "blocks/Array.h"

#include <cstddef>
#include <span>
#include <string>

namespace blocks {

struct NpyHeader {
  enum class Kind {
    Number,    ///< `dtype`.
    Bytes,     ///< Strings of bytes, padded with NUL.
    Characters ///< Strings of 32-bit characters, padded with 0.
  };
  Kind kind = Kind::Number;
  DType dtype = DType::Float32;
  bool bigEndian = false;
  size_t elementBytes = 4;
  Shape shape;
  bool fortranOrder = false;
  size_t dataOffset = 0; ///< Bytes before the first element.
};

/// Parses and checks a header against the length of `bytes`, which must hold
/// exactly the header and the elements. `where` names the file for errors.
/// Strings are refused unless `texts` allows them.
NpyHeader parseNpyHeader(std::span<const std::byte> bytes,
                         const std::string &where, bool texts = false);

/// The header of `array`; its length is a multiple of 64.
std::string makeNpyHeader(const ArrayView &array);

/// Copies the numbers behind a parsed header into a native array in C order.
Array copyNpyData(std::span<const std::byte> bytes, const NpyHeader &header);

/// Turns the bytes of `count` elements of `width` bytes round.
void swapBytes(std::byte *elements, size_t count, size_t width);

} // namespace blocks
