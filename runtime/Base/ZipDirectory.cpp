// ZipDirectory: see ZipDirectory.h, and PKWARE's APPNOTE 6.3 for the records.
#include "runtime/Base/ZipDirectory.h"

#include "blocks/Error.h"

#include <algorithm>
#include <memory>
#include <zlib.h>

namespace blocks {

namespace {
constexpr uint32_t localSignature = 0x04034b50, centralSignature = 0x02014b50,
                   endSignature = 0x06054b50, end64Signature = 0x06064b50,
                   locator64Signature = 0x07064b50;

/// Little-endian numbers at checked places.
class Reader {
public:
  Reader(std::span<const std::byte> bytes, const std::string &where)
      : bytes(bytes), where(where) {}

  std::span<const std::byte> slice(uint64_t offset, uint64_t length) const {
    if (offset > bytes.size() || length > bytes.size() - offset)
      fail("a record reaches beyond the end of the file");
    return bytes.subspan(offset, length);
  }
  template <typename T> T at(uint64_t offset) const {
    auto part = slice(offset, sizeof(T));
    T value = 0;
    for (size_t i = 0; i < sizeof(T); ++i)
      value |= T(T(uint8_t(part[i])) << (8 * i));
    return value;
  }
  uint64_t size() const { return bytes.size(); }
  const std::string &name() const { return where; }
  [[noreturn]] void fail(const std::string &what) const {
    throw CorruptError("'" + where + "' is a damaged ZIP archive: " + what);
  }

private:
  std::span<const std::byte> bytes;
  const std::string &where;
};

struct Directory {
  uint64_t offset, count;
};

uint64_t findEndRecord(const Reader &file) {
  if (file.size() < 22)
    file.fail("it is shorter than a directory");
  // A comment of up to 65535 bytes may follow the record.
  uint64_t last = file.size() - 22;
  uint64_t first = last > 65535 ? last - 65535 : 0;
  for (uint64_t at = last + 1; at-- > first;)
    if (file.at<uint32_t>(at) == endSignature)
      return at;
  file.fail("it has no directory; was it cut off?");
}

Directory findDirectory(const Reader &file) {
  uint64_t end = findEndRecord(file);
  Directory result{file.at<uint32_t>(end + 16), file.at<uint16_t>(end + 10)};
  bool is64 = result.offset == 0xFFFFFFFFu || result.count == 0xFFFFu;
  if (!is64 || end < 20 || file.at<uint32_t>(end - 20) != locator64Signature)
    return result;
  uint64_t record = file.at<uint64_t>(end - 12);
  if (file.at<uint32_t>(record) != end64Signature)
    file.fail("its ZIP64 directory is missing");
  return {file.at<uint64_t>(record + 48), file.at<uint64_t>(record + 32)};
}

/// Replaces sizes and the offset of 0xFFFFFFFF by those of the ZIP64 field.
void applyZip64(const Reader &file, uint64_t extra, uint64_t extraLength,
                uint64_t &size, uint64_t &packed, uint64_t &offset) {
  for (uint64_t end = extra + extraLength; extra + 4 <= end;) {
    uint16_t id = file.at<uint16_t>(extra);
    uint64_t next = extra + 4 + file.at<uint16_t>(extra + 2);
    if (next > end)
      file.fail("an extra field reaches beyond its record");
    uint64_t at = extra + 4;
    if (id == 1)
      for (uint64_t *value : {&size, &packed, &offset})
        if (*value == 0xFFFFFFFFu && at + 8 <= next) {
          *value = file.at<uint64_t>(at);
          at += 8;
        }
    extra = next;
  }
}

ZipMember readMember(const Reader &file, uint64_t &at) {
  if (file.at<uint32_t>(at) != centralSignature)
    file.fail("its directory holds something else");
  ZipMember member;
  uint16_t flags = file.at<uint16_t>(at + 8);
  member.method = file.at<uint16_t>(at + 10);
  member.crc = file.at<uint32_t>(at + 16);
  uint64_t packed = file.at<uint32_t>(at + 20);
  member.size = file.at<uint32_t>(at + 24);
  uint64_t nameLength = file.at<uint16_t>(at + 28);
  uint64_t extraLength = file.at<uint16_t>(at + 30);
  uint64_t commentLength = file.at<uint16_t>(at + 32);
  uint64_t local = file.at<uint32_t>(at + 42);
  auto name = file.slice(at + 46, nameLength);
  member.name.assign(reinterpret_cast<const char *>(name.data()), name.size());
  applyZip64(file, at + 46 + nameLength, extraLength, member.size, packed,
             local);
  if (flags & 1)
    file.fail("member '" + member.name + "' is encrypted");
  if (file.at<uint32_t>(local) != localSignature)
    file.fail("member '" + member.name + "' is not where its directory says");
  uint64_t data = local + 30 + file.at<uint16_t>(local + 26) +
                  file.at<uint16_t>(local + 28);
  member.data = file.slice(data, packed);
  at += 46 + nameLength + extraLength + commentLength;
  return member;
}

/// Deflate cannot expand more than about 1032 times: a larger claim is a lie
/// that must not make us allocate.
void requirePossible(const ZipMember &member, const Reader &file) {
  if (member.method != 0 && member.method != 8)
    throw UnsupportedError("'" + file.name() + "': member '" + member.name +
                           "' is compressed by method " +
                           std::to_string(member.method) +
                           "; use np.savez or np.savez_compressed");
  if (member.size / 1040 > member.data.size() + 64)
    file.fail("member '" + member.name + "' claims an impossible size");
}

using Use = std::function<void(std::span<const std::byte>)>;

/// Inflates to the end of the stream.
void inflateMember(const ZipMember &member, const Use &use,
                   const Reader &file) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    throw std::bad_alloc();
  std::unique_ptr<z_stream, int (*)(z_stream *)> owner(&stream, inflateEnd);
  std::vector<std::byte> piece(size_t(1) << 18);
  uint64_t left = member.data.size();
  stream.next_in =
      const_cast<Bytef *>(reinterpret_cast<const Bytef *>(member.data.data()));
  int code = Z_OK;
  while (code == Z_OK) {
    // zlib counts in 32 bits.
    if (stream.avail_in == 0) {
      stream.avail_in = uInt(std::min<uint64_t>(left, 1u << 30));
      left -= stream.avail_in;
    }
    stream.next_out = reinterpret_cast<Bytef *>(piece.data());
    stream.avail_out = uInt(piece.size());
    code = inflate(&stream, Z_NO_FLUSH);
    use({piece.data(), piece.size() - stream.avail_out});
  }
  if (code != Z_STREAM_END)
    file.fail("member '" + member.name + "' does not inflate to its size");
}
} // namespace

std::vector<ZipMember> readZipDirectory(std::span<const std::byte> archive,
                                        const std::string &where) {
  Reader file(archive, where);
  Directory directory = findDirectory(file);
  if (directory.count > file.size() / 46)
    file.fail("its directory claims more members than fit");
  std::vector<ZipMember> members;
  members.reserve(directory.count);
  uint64_t at = directory.offset;
  for (uint64_t i = 0; i < directory.count; ++i)
    members.push_back(readMember(file, at));
  return members;
}

void streamZipMember(const ZipMember &member, const std::string &where,
                     const Use &use) {
  Reader file({}, where);
  requirePossible(member, file);
  uint64_t size = 0;
  uLong crc = 0;
  auto check = [&](std::span<const std::byte> bytes) {
    size += bytes.size();
    if (size > member.size)
      file.fail("member '" + member.name + "' does not inflate to its size");
    crc = crc32_z(crc, reinterpret_cast<const Bytef *>(bytes.data()),
                  bytes.size());
    use(bytes);
  };
  if (member.method == 8)
    inflateMember(member, check, file);
  else
    check(member.data);
  if (size != member.size)
    file.fail("member '" + member.name + "' has another size than it says");
  if (crc != member.crc)
    file.fail("the checksum of member '" + member.name + "' does not hold");
}

std::span<const std::byte> readZipMember(const ZipMember &member,
                                         std::vector<std::byte> &buffer,
                                         const std::string &where) {
  buffer.clear();
  bool stored = member.method == 0;
  if (!stored) {
    requirePossible(member, Reader({}, where));
    buffer.reserve(member.size);
  }
  streamZipMember(member, where, [&](std::span<const std::byte> bytes) {
    if (!stored)
      buffer.insert(buffer.end(), bytes.begin(), bytes.end());
  });
  return stored ? member.data : buffer;
}

} // namespace blocks
