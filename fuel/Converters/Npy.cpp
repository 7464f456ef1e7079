// Npy: see Npy.h.
#include "fuel/Converters/Npy.h"

#include "blocks/Error.h"
#include "fuel/Writing/NamelessFile.h"
#include "runtime/Base/FileDescriptor.h"
#include "runtime/Base/MappedFile.h"
#include "runtime/Base/NpyFormat.h"
#include "runtime/Base/ZipDirectory.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>

namespace fuel {

using blocks::MappedFile;
using blocks::NpyHeader;
using blocks::ZipMember;
using Bytes = std::span<const std::byte>;

//===-- Archives ----------------------------------------------------------===//

bool isNpz(const std::string &path) {
  char first[4] = {};
  blocks::FileDescriptor(path, O_RDONLY).readAt(first, 4, 0);
  return std::memcmp(first, "PK\3\4", 4) == 0 ||
         std::memcmp(first, "PK\5\6", 4) == 0;
}

static std::string arrayName(const ZipMember &member) {
  return member.name.ends_with(".npy")
             ? member.name.substr(0, member.name.size() - 4)
             : "";
}

std::vector<std::string> npzNames(const std::string &path) {
  MappedFile file(path);
  std::vector<std::string> names;
  for (const ZipMember &member : blocks::readZipDirectory(file.bytes(), path))
    if (!arrayName(member).empty())
      names.push_back(arrayName(member));
  return names;
}

static ZipMember findMember(const MappedFile &file, const std::string &path,
                            const std::string &name) {
  std::string known;
  for (ZipMember &member : blocks::readZipDirectory(file.bytes(), path)) {
    if (arrayName(member) == name)
      return member;
    if (!arrayName(member).empty())
      known += (known.empty() ? "" : ", ") + arrayName(member);
  }
  throw blocks::InputError("'" + path + "' has no array '" + name +
                           "'; it has: " + (known.empty() ? "none" : known));
}

//===-- Characters --------------------------------------------------------===//

namespace {
/// Characters of 32 bits to UTF-8.
class Characters {
public:
  Characters(const NpyHeader &header, const std::string &where)
      : length(header.elementBytes / 4), bigEndian(header.bigEndian),
        where(where) {}

  /// Appends an element up to its padding.
  void append(const std::byte *element, std::string &text) const {
    size_t used = length;
    while (used > 0 && at(element, used - 1) == 0)
      --used;
    for (size_t i = 0; i < used; ++i)
      appendUtf8(at(element, i), text);
  }

private:
  uint32_t at(const std::byte *element, size_t i) const {
    uint32_t value;
    std::memcpy(&value, element + 4 * i, 4);
    return bigEndian ? __builtin_bswap32(value) : value;
  }
  void appendUtf8(uint32_t c, std::string &text) const {
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
      throw blocks::CorruptError("'" + where + "' holds the character " +
                                 std::to_string(c) +
                                 ", which Unicode does not have");
    int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    constexpr unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    text += char(first[more] | c >> (6 * more));
    while (more-- > 0)
      text += char(0x80 | (c >> (6 * more) & 63));
  }
  size_t length;
  bool bigEndian;
  const std::string &where;
};

//===-- The array ---------------------------------------------------------===//

class NpyFile : public ArrayFile {
public:
  NpyFile(const std::string &path, const std::string &member,
          const std::string &folder)
      : mapping(path), place(path + (member.empty() ? "" : ":" + member)) {
    bytes = mapping.bytes();
    if (!member.empty())
      unpack(findMember(mapping, path, member), folder);
    header = blocks::parseNpyHeader(bytes, place, true);
    elements = bytes.data() + header.dataOffset;
    blocks::Shape shape = header.shape;
    outWidth = header.kind == NpyHeader::Kind::Characters ? longestText()
                                                          : header.elementBytes;
    bool text = header.kind != NpyHeader::Kind::Number;
    if (text)
      shape.push_back(int64_t(outWidth));
    describe(place, header.dtype, shape, text);
    for (size_t axis = 1; axis < header.shape.size(); ++axis)
      inRow *= size_t(header.shape[axis]);
  }

  void read(int64_t rows, std::byte *out) override {
    if (header.fortranOrder && header.shape.size() > 1)
      turn(size_t(rows), out);
    else
      copy(elements + size_t(next) * inRow * header.elementBytes,
           size_t(rows) * inRow, out);
    next += rows;
  }

private:
  /// A stored member lies in the archive; another one is unpacked.
  void unpack(const ZipMember &member, const std::string &folder) {
    if (member.method == 0) {
      blocks::streamZipMember(member, place, [](Bytes) {}); // The checksum.
      bytes = member.data;
      return;
    }
    unpacked = namelessFile(folder, "array");
    blocks::streamZipMember(member, place, [&](Bytes piece) {
      unpacked.writeAll(piece.data(), piece.size());
    });
    // It has no other name.
    mapping = MappedFile("/proc/self/fd/" + std::to_string(unpacked.get()));
    bytes = mapping.bytes();
  }

  size_t longestText() const {
    Characters characters(header, place);
    size_t longest = 1, count = bytes.size() - header.dataOffset;
    std::string text;
    for (size_t at = 0; at < count; at += header.elementBytes) {
      text.clear();
      characters.append(elements + at, text);
      longest = std::max(longest, text.size());
    }
    return longest;
  }

  /// `count` elements that follow each other.
  void copy(const std::byte *from, size_t count, std::byte *out) const {
    if (header.kind == NpyHeader::Kind::Characters)
      return copyCharacters(from, count, out);
    std::memcpy(out, from, count * header.elementBytes);
    if (header.bigEndian)
      blocks::swapBytes(out, count, header.elementBytes);
    if (header.dtype == blocks::DType::Bool)
      for (size_t i = 0; i < count; ++i)
        out[i] = std::byte(out[i] != std::byte(0));
  }

  void copyCharacters(const std::byte *from, size_t count,
                      std::byte *out) const {
    Characters characters(header, place);
    std::string text;
    for (size_t i = 0; i < count; ++i, out += outWidth) {
      text.clear();
      characters.append(from + i * header.elementBytes, text);
      std::memset(out, 0, outWidth);
      std::memcpy(out, text.data(), text.size());
    }
  }

  /// Rows of an array in Fortran order, where axis 0 is the fastest.
  void turn(size_t rows, std::byte *out) const {
    const blocks::Shape &shape = header.shape;
    std::vector<int64_t> index(shape.size(), 0);
    for (size_t element = 0; element < inRow; ++element) {
      size_t column = 0;
      for (size_t axis = shape.size(); axis-- > 1;)
        column = column * size_t(shape[axis]) + size_t(index[axis]);
      const std::byte *from =
          elements +
          (column * size_t(shape[0]) + size_t(next)) * header.elementBytes;
      for (size_t row = 0; row < rows; ++row)
        copy(from + row * header.elementBytes, 1,
             out + (row * inRow + element) * outWidth);
      for (size_t axis = shape.size(); axis-- > 1;) {
        if (++index[axis] < shape[axis])
          break;
        index[axis] = 0;
      }
    }
  }

  MappedFile mapping;
  blocks::FileDescriptor unpacked;
  std::string place;
  Bytes bytes;
  NpyHeader header;
  const std::byte *elements = nullptr;
  size_t outWidth = 0; ///< Bytes of an element that comes out.
  size_t inRow = 1;    ///< Elements.
  int64_t next = 0;
};
} // namespace

std::unique_ptr<ArrayFile> openNpy(const std::string &path,
                                   const std::string &member,
                                   const std::string &folder) {
  return std::make_unique<NpyFile>(path, member, folder);
}

} // namespace fuel
