// MatArray: the head of an array in a MATLAB file, and arrays read whole. See
// MatFile.h; the format is in MathWorks' "MAT-File Format", chapter 1.
#pragma once

#include "fuel/Converters/MatFile.h"

#include <optional>

namespace fuel {

/// Numbers by which the format calls types of elements.
enum class MatType : uint32_t {
  Int8 = 1,
  UInt8 = 2,
  Int16 = 3,
  UInt16 = 4,
  Int32 = 5,
  UInt32 = 6,
  Single = 7,
  Double = 9,
  Int64 = 12,
  UInt64 = 13,
  Matrix = 14,
  Compressed = 15,
  Utf8 = 16,
  Utf16 = 17,
};

std::optional<blocks::DType> dtypeOfMat(uint32_t type);

/// Elements from little-endian memory, or big-endian if `swapped`, to doubles.
void matNumbers(blocks::DType dtype, bool swapped, const std::byte *from,
                double *to, size_t count);

class MatArrayReader {
public:
  MatArrayReader(MatStream &stream, bool swapped, const std::string &where)
      : stream(stream), swapped(swapped), where(where) {}

  /// Flags, dimensions and name, after the array's own tag.
  MatVariable head();
  /// What follows the head.
  MatValue value(const MatVariable &head, int depth = 0);
  [[noreturn]] void fail(const std::string &what) const;

private:
  MatValue whole(int depth);
  std::vector<std::byte> content(MatStream::Tag tag);
  void numbers(MatValue &value);
  void text(MatValue &value);
  void structure(MatValue &value, int depth);

  MatStream &stream;
  bool swapped;
  std::string where;
  size_t bytesRead = 0, valuesRead = 0;
};

} // namespace fuel
