// MatStream: see MatStream.h.
#include "fuel/Converters/MatStream.h"

#include "blocks/Error.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <zlib.h>

namespace fuel {

using blocks::CorruptError;

void MatStream::skip(uint64_t count) {
  char piece[4096];
  while (count > 0) {
    size_t part = size_t(std::min<uint64_t>(count, sizeof piece));
    read(piece, part);
    count -= part;
  }
}

uint32_t MatStream::number(bool swapped) {
  uint32_t value = 0;
  read(&value, sizeof value);
  return swapped ? __builtin_bswap32(value) : value;
}

uint64_t MatStream::Tag::padded() const {
  return small ? 4 : (uint64_t(bytes) + 7) / 8 * 8;
}

// In a small element the upper half of the first word is the length.
MatStream::Tag MatStream::tag(bool swapped) {
  uint32_t first = number(swapped);
  if (first >> 16 != 0)
    return {first & 0xffff, std::min<uint32_t>(first >> 16, 4), true};
  return {first, number(swapped), false};
}

namespace {
class StoredStream : public MatStream {
public:
  StoredStream(std::span<const std::byte> bytes, const std::string &where)
      : rest(bytes), where(where) {}
  void read(void *out, size_t count) override {
    if (count > rest.size())
      throw CorruptError(where + " ends within an array; is it complete?");
    if (count > 0)
      std::memcpy(out, rest.data(), count);
    rest = rest.subspan(count);
  }

private:
  std::span<const std::byte> rest;
  std::string where;
};

class InflatedStream : public MatStream {
public:
  InflatedStream(std::span<const std::byte> bytes, const std::string &where)
      : rest(bytes), where(where) {
    if (inflateInit(&stream) != Z_OK)
      throw std::bad_alloc();
  }
  ~InflatedStream() override { inflateEnd(&stream); }
  InflatedStream(const InflatedStream &) = delete;
  InflatedStream &operator=(const InflatedStream &) = delete;

  void read(void *out, size_t count) override {
    auto *to = static_cast<Bytef *>(out);
    while (count > 0) {
      size_t part = std::min<size_t>(count, size_t(1) << 30);
      inflatePart(to, part);
      to += part;
      count -= part;
    }
  }

private:
  void inflatePart(Bytef *to, size_t count) {
    stream.next_out = to;
    stream.avail_out = uInt(count);
    while (stream.avail_out > 0) {
      if (stream.avail_in == 0)
        refill();
      int code = inflate(&stream, Z_NO_FLUSH);
      if (code != Z_OK && !(code == Z_STREAM_END && stream.avail_out == 0))
        throw CorruptError(
            "the compressed array in " + where +
            (code == Z_STREAM_END ? " ends too early" : " is damaged"));
    }
  }
  void refill() {
    size_t part = std::min<size_t>(rest.size(), size_t(1) << 30);
    if (part == 0)
      throw CorruptError(where + " ends within a compressed array; is it "
                                 "complete?");
    stream.next_in =
        const_cast<Bytef *>(reinterpret_cast<const Bytef *>(rest.data()));
    stream.avail_in = uInt(part);
    rest = rest.subspan(part);
  }

  z_stream stream{};
  std::span<const std::byte> rest;
  std::string where;
};
} // namespace

std::unique_ptr<MatStream> storedMatStream(std::span<const std::byte> bytes,
                                           const std::string &where) {
  return std::make_unique<StoredStream>(bytes, where);
}

std::unique_ptr<MatStream> inflatedMatStream(std::span<const std::byte> bytes,
                                             const std::string &where) {
  return std::make_unique<InflatedStream>(bytes, where);
}

} // namespace fuel
