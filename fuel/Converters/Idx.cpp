// Idx: see Idx.h.
#include "fuel/Converters/Idx.h"

#include "blocks/Error.h"
#include "fuel/Converters/GzipFile.h"
#include "runtime/Base/NpyFormat.h"

#include <algorithm>
#include <cstring>

namespace fuel {

using blocks::CorruptError;
using blocks::DType;

namespace {
uint32_t bigEndian(const unsigned char *bytes) {
  return uint32_t(bytes[0]) << 24 | uint32_t(bytes[1]) << 16 |
         uint32_t(bytes[2]) << 8 | bytes[3];
}

/// The first four bytes: 0, 0, the type, the rank.
struct Magic {
  unsigned char bytes[4];
  size_t count; ///< Fewer than 4 if the file is shorter.

  explicit Magic(GzipFile &file) : count(file.read(bytes, 4)) {}
  std::string text() const {
    return count < 4 ? "(none)" : std::to_string(bigEndian(bytes));
  }
  int rank() const { return bytes[3]; }
};

std::optional<DType> elementType(const Magic &magic) {
  if (magic.count < 4 || magic.bytes[0] || magic.bytes[1])
    return std::nullopt;
  switch (magic.bytes[2]) {
  case 0x08:
    return DType::UInt8;
  case 0x09:
    return DType::Int8;
  case 0x0b:
    return DType::Int16;
  case 0x0c:
    return DType::Int32;
  case 0x0d:
    return DType::Float32;
  case 0x0e:
    return DType::Float64;
  default:
    return std::nullopt;
  }
}

blocks::Shape readShape(GzipFile &file, int rank, DType dtype) {
  blocks::Shape shape;
  uint64_t bytes = blocks::dtypeSize(dtype);
  for (int i = 0; i < rank; ++i) {
    unsigned char extent[4];
    if (file.read(extent, 4) < 4)
      throw CorruptError("'" + file.path() + "' ends within its header");
    shape.push_back(bigEndian(extent));
    if (__builtin_mul_overflow(bytes, uint64_t(shape.back()), &bytes))
      bytes = UINT64_MAX;
  }
  if (bytes > file.mostBytes())
    throw CorruptError(
        "'" + file.path() + "' claims the impossible shape " +
        blocks::formatShape(shape) +
        ", more than the file can hold: it is truncated, or its header is "
        "damaged");
  return shape;
}

class IdxFile : public ArrayFile {
public:
  /// `wantedRank`: of unsigned bytes; otherwise anything is welcome.
  IdxFile(const std::string &path, std::optional<int> wantedRank) : file(path) {
    Magic magic(file);
    std::optional<DType> dtype = elementType(magic);
    if (wantedRank && (dtype != DType::UInt8 || magic.rank() != *wantedRank))
      throw CorruptError("'" + path + "' begins with the magic number " +
                         magic.text() + "; expected " +
                         std::to_string(0x0800 + *wantedRank) +
                         ", that of an IDX file of unsigned bytes with " +
                         std::to_string(*wantedRank) + " dimensions");
    if (!dtype)
      throw CorruptError("'" + path + "' begins with the magic number " +
                         magic.text() +
                         ", which is not that of an IDX file: two bytes of 0, "
                         "a type (8, 9, 11 to 14), the number of dimensions");
    shape = readShape(file, magic.rank(), *dtype);
    describe(path, *dtype, shape);
    left = rows();
    if (left == 0)
      requireEnd();
  }

  void read(int64_t rows, std::byte *out) override {
    size_t bytes = size_t(rows) * rowBytes(), got = file.read(out, bytes);
    if (got < bytes)
      throw CorruptError(
          "'" + file.path() + "' holds " +
          std::to_string(uint64_t(this->rows() - left) * rowBytes() + got) +
          " bytes of data; its header " + blocks::formatShape(shape) +
          " announces " + std::to_string(uint64_t(this->rows()) * rowBytes()) +
          ": it is truncated");
    size_t width = blocks::dtypeSize(info().dtype);
    blocks::swapBytes(out, bytes / width, width);
    left -= rows;
    if (left == 0)
      requireEnd();
  }

  const blocks::Shape &wholeShape() const { return shape; }

private:
  void requireEnd() {
    if (!file.atEnd())
      throw CorruptError("'" + file.path() + "' goes on after the " +
                         std::to_string(uint64_t(rows()) * rowBytes()) +
                         " bytes that its header " +
                         blocks::formatShape(shape) + " announces");
  }

  GzipFile file;
  blocks::Shape shape;
  int64_t left = 0;
};
} // namespace

// The content grows piece by piece, so that a header that claims too much meets
// the end of the file before the end of the memory.
blocks::Array readIdx(const std::string &path, int rank) {
  IdxFile file(path, rank);
  constexpr int64_t pieceBytes = int64_t(1) << 26;
  int64_t piece = std::max<int64_t>(1, pieceBytes / int64_t(file.rowBytes()));
  std::string content;
  for (int64_t left = file.rows(); left > 0;) {
    int64_t rows = std::min(left, piece);
    size_t done = content.size();
    content.resize(done + size_t(rows) * file.rowBytes());
    file.read(rows, reinterpret_cast<std::byte *>(content.data() + done));
    left -= rows;
  }
  blocks::Array array(DType::UInt8, file.wholeShape());
  if (!content.empty())
    std::memcpy(array.data(), content.data(), content.size());
  return array;
}

std::unique_ptr<ArrayFile> openIdx(const std::string &path) {
  return std::make_unique<IdxFile>(path, std::nullopt);
}

} // namespace fuel
