// Writing of .npz archives and .npy files: see include/blocks/NpzFile.h. Local
// headers are padded so that stored elements are 64-byte aligned in the file
// and can be used where they lie.
#include "blocks/NpzFile.h"

#include "blocks/Error.h"
#include "runtime/Base/AtomicFile.h"
#include "runtime/Base/NpyFormat.h"

#include <algorithm>
#include <set>
#include <zlib.h>

namespace blocks {

namespace {
void append(std::string &text, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i)
    text += char(value >> (8 * i) & 255);
}

constexpr uint64_t limit32 = 0xFFFFFFFEu;
// 1980-01-01, the earliest date of the format: equal arrays, equal files.
constexpr uint64_t dosDate = 0x21;

struct Entry {
  std::string name;
  uint32_t crc = 0;
  uint64_t packed = 0, size = 0, offset = 0;
  int method = 0;
};

/// The fields that the local header and the directory have in common.
std::string commonFields(const Entry &entry, size_t extraLength) {
  std::string text;
  append(text, 20, 2);    // Version needed.
  append(text, 0x800, 2); // Names are UTF-8.
  append(text, uint64_t(entry.method), 2);
  append(text, 0, 2);
  append(text, dosDate, 2);
  append(text, entry.crc, 4);
  append(text, entry.packed, 4);
  append(text, entry.size, 4);
  append(text, entry.name.size(), 2);
  append(text, extraLength, 2);
  return text;
}

uint32_t checksum(uint32_t crc, const void *data, size_t bytes) {
  // A null pointer would make zlib start anew.
  return bytes ? uint32_t(crc32_z(crc, static_cast<const Bytef *>(data), bytes))
               : crc;
}

std::string deflated(const std::string &header, const ArrayView &array) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string out;
  out.resize(deflateBound(&stream, uLong(header.size() + array.bytes())));
  auto run = [&](const void *data, size_t bytes, int flush) {
    stream.next_in = static_cast<Bytef *>(const_cast<void *>(data));
    stream.avail_in = uInt(bytes);
    stream.next_out = reinterpret_cast<Bytef *>(out.data()) + stream.total_out;
    stream.avail_out = uInt(out.size() - stream.total_out);
    deflate(&stream, flush);
  };
  run(header.data(), header.size(), Z_NO_FLUSH);
  run(array.data, array.bytes(), Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}
} // namespace

struct NpzWriter::Contents {
  AtomicFile file;
  bool deflate;
  std::vector<Entry> entries;
  std::set<std::string> names;
  uint64_t offset = 0;

  Contents(const std::string &path, bool deflate)
      : file(path), deflate(deflate) {}

  void write(const std::string &text) {
    file.write(text);
    offset += text.size();
  }
  void checkRoom(uint64_t bytes) const {
    if (offset + bytes > limit32)
      throw UnsupportedError(
          "'" + file.path() +
          "' would exceed 4 GiB, the limit of an NPZ archive "
          "here; use a checkpoint instead");
  }
  void writeLocalHeader(const Entry &entry) {
    size_t plain = 30 + entry.name.size();
    // An extra field of our own kind ("BL") takes the padding.
    size_t padding = (64 - (offset + plain + 4) % 64) % 64;
    std::string text;
    append(text, 0x04034b50, 4);
    text += commonFields(entry, padding + 4) + entry.name;
    append(text, 0x4C42, 2);
    append(text, padding, 2);
    write(text + std::string(padding, '\0'));
  }
  void writeDirectory() {
    checkRoom(entries.size() * 512 + 22);
    uint64_t start = offset;
    for (const Entry &entry : entries) {
      std::string text;
      append(text, 0x02014b50, 4);
      append(text, 20, 2);
      text += commonFields(entry, 0);
      text.append(10, '\0'); // Comment, disk, attributes.
      append(text, entry.offset, 4);
      write(text + entry.name);
    }
    std::string end;
    append(end, 0x06054b50, 4);
    append(end, 0, 4);
    append(end, entries.size(), 2);
    append(end, entries.size(), 2);
    append(end, offset - start, 4);
    append(end, start, 4);
    append(end, 0, 2);
    write(end);
  }
};

NpzWriter::NpzWriter(const std::string &path, bool deflate)
    : contents(std::make_unique<Contents>(path, deflate)) {}
NpzWriter::~NpzWriter() = default;

void NpzWriter::add(const std::string &name, const ArrayView &array) {
  Contents &c = *contents;
  if (!c.names.insert(name).second)
    throw InputError("'" + c.file.path() + "' would get two members '" + name +
                     ".npy'");
  if (name.size() > 400 || c.entries.size() >= 65534)
    throw UnsupportedError("'" + c.file.path() + "': member '" + name +
                           "' exceeds the limits of the ZIP format");
  std::string header = makeNpyHeader(array);
  Entry entry;
  entry.name = name + ".npy";
  entry.size = header.size() + array.bytes();
  entry.offset = c.offset;
  c.checkRoom(entry.size + 1024);
  entry.crc = checksum(checksum(0, header.data(), header.size()), array.data,
                       array.bytes());
  std::string packed;
  if (c.deflate)
    packed = deflated(header, array);
  entry.method = c.deflate ? 8 : 0;
  entry.packed = c.deflate ? packed.size() : entry.size;
  c.writeLocalHeader(entry);
  if (c.deflate) {
    c.write(packed);
  } else {
    c.write(header);
    c.file.write(array.data, array.bytes());
    c.offset += array.bytes();
  }
  c.entries.push_back(std::move(entry));
}

void NpzWriter::commit() {
  contents->writeDirectory();
  contents->file.commit();
}

void writeNpy(const std::string &path, const ArrayView &array) {
  AtomicFile file(path);
  file.write(makeNpyHeader(array));
  file.write(array.data, array.bytes());
  file.commit();
}

} // namespace blocks
