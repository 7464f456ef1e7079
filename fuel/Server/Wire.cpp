// Wire: see Wire.h.
#include "fuel/Server/Wire.h"

#include "blocks/Error.h"
#include "fuel/Server/Crc32c.h"

#include <bit>
#include <cstring>

static_assert(std::endian::native == std::endian::little,
              "numbers are copied to the wire as they are");

namespace fuel::wire {

static constexpr uint32_t mark = 0x314c5546; // "FUL1"

std::string kindName(Kind kind) {
  switch (kind) {
  case Kind::Hello:
    return "HELLO";
  case Kind::Start:
    return "START";
  case Kind::Restore:
    return "RESTORE";
  case Kind::Resume:
    return "RESUME";
  case Kind::Credit:
    return "CREDIT";
  case Kind::Heartbeat:
    return "HEARTBEAT";
  case Kind::Bye:
    return "BYE";
  case Kind::Welcome:
    return "WELCOME";
  case Kind::Started:
    return "STARTED";
  case Kind::Batch:
    return "BATCH";
  case Kind::End:
    return "END";
  case Kind::Failure:
    return "FAILURE";
  case Kind::Shutdown:
    return "SHUTDOWN";
  }
  return "of the unknown kind " + std::to_string(int(kind));
}

void encodeHeader(const FrameHeader &header, std::byte *to) {
  std::memset(to, 0, FrameHeader::bytes);
  std::memcpy(to, &mark, 4);
  std::memcpy(to + 4, &header.kind, 1);
  std::memcpy(to + 8, &header.head, 4);
  std::memcpy(to + 12, &header.checksum, 4);
  std::memcpy(to + 16, &header.payload, 8);
  uint32_t own = crc32c(0, to, 28);
  std::memcpy(to + 28, &own, 4);
}

FrameHeader decodeHeader(std::span<const std::byte, FrameHeader::bytes> from) {
  Reader reader(from);
  if (reader.number<uint32_t>() != mark)
    throw blocks::CorruptError(
        "no frame of Fuel's protocol begins here: does another program use "
        "this port, or has only one side a key?");
  uint32_t own;
  std::memcpy(&own, from.data() + 28, 4);
  if (own != crc32c(0, from.data(), 28))
    throw blocks::CorruptError("a frame's header was damaged on the way");
  FrameHeader header;
  header.kind = Kind(reader.number<uint8_t>());
  bool zero = reader.number<uint8_t>() == 0;
  zero &= reader.number<uint16_t>() == 0;
  header.head = reader.number<uint32_t>();
  header.checksum = reader.number<uint32_t>();
  header.payload = reader.number<uint64_t>();
  zero &= reader.number<uint32_t>() == 0;
  if (!zero)
    throw blocks::CorruptError("a frame's header has bytes that this version "
                               "does not know");
  return header;
}

void Writer::append(const void *data, size_t bytes) {
  const auto *from = static_cast<const std::byte *>(data);
  out.insert(out.end(), from, from + bytes);
}

void Writer::text(std::string_view value) {
  number(uint32_t(value.size()));
  append(value.data(), value.size());
}

void Writer::numbers(std::span<const int64_t> values) {
  append(values.data(), values.size_bytes());
}

void Writer::list(std::span<const int64_t> values) {
  number(uint32_t(values.size()));
  numbers(values);
}

void Reader::take(void *to, size_t bytes) {
  if (rest.size() < bytes)
    throw blocks::CorruptError(
        "a message ends before all that it promises has come");
  if (bytes > 0)
    std::memcpy(to, rest.data(), bytes);
  rest = rest.subspan(bytes);
}

bool Reader::flag() {
  auto value = number<uint8_t>();
  if (value > 1)
    throw blocks::CorruptError("a message says " + std::to_string(value) +
                               " where only 0 and 1 are possible");
  return value == 1;
}

uint32_t Reader::length(size_t each) {
  auto count = number<uint32_t>();
  if (count > rest.size() / each)
    throw blocks::CorruptError("a message promises " + std::to_string(count) +
                               " things and ends before them");
  return count;
}

void Reader::text(std::string &value) {
  value.resize(length(1));
  take(value.data(), value.size());
}

std::string Reader::text() {
  std::string value;
  text(value);
  return value;
}

std::string Reader::name() {
  std::string value = text();
  for (unsigned char c : value)
    if (c < ' ')
      throw blocks::CorruptError("a message has a control character in a name");
  return value;
}

void Reader::numbers(std::vector<int64_t> &values, uint64_t count) {
  if (count > rest.size() / 8)
    throw blocks::CorruptError("a message promises " + std::to_string(count) +
                               " numbers and ends before them");
  values.resize(count);
  take(values.data(), count * 8);
}

void Reader::list(std::vector<int64_t> &values) {
  numbers(values, number<uint32_t>());
}

void Reader::finish() const {
  if (!rest.empty())
    throw blocks::CorruptError("a message has " + std::to_string(rest.size()) +
                               " bytes more than it says");
}

} // namespace fuel::wire
