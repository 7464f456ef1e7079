// Fuel's own wire format: see ZeroMq.h.
#include "fuel/Server/ZeroMq.h"

#include "blocks/Error.h"

#include <cstring>

namespace fuel::zmq {

static constexpr unsigned char moreFlag = 1, longFlag = 2, commandFlag = 4;

std::string greeting() {
  std::string text(greetingBytes, '\0');
  text[0] = '\xff';
  text[9] = '\x7f';
  text[10] = 3;
  text.replace(12, 4, "NULL");
  return text;
}

static std::string bigEndian(uint64_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i)
    text += char(value >> 8 * i);
  return text;
}

static std::string frameHead(unsigned char flags, uint64_t length) {
  if (length > 255)
    return char(flags | longFlag) + bigEndian(length, 8);
  return std::string{char(flags), char(length)};
}

std::string ready(const std::string &type) {
  std::string body = "\5READY\13Socket-Type" + bigEndian(type.size(), 4) + type;
  // Fuel's client names itself so, with an empty identity.
  if (type == "PULL")
    body += "\10Identity" + bigEndian(0, 4);
  return frameHead(commandFlag, body.size()) + body;
}

void checkGreeting(const char *bytes, size_t got) {
  bool fits = got < 1 || bytes[0] == '\xff';
  fits &= got < 10 || bytes[9] == '\x7f';
  fits &= got < 11 || bytes[10] >= 3;
  fits &= got < 32 || std::memcmp(bytes + 12, "NULL\0\0\0\0", 8) == 0;
  if (!fits)
    throw blocks::CorruptError("the other side does not speak ZeroMQ's "
                               "protocol (ZMTP 3.0, NULL)");
}

FrameHead parseFrameHead(const char *bytes, size_t got) {
  FrameHead head;
  if (got < 2)
    return head;
  auto flags = static_cast<unsigned char>(bytes[0]);
  if (flags > 7 || flags == (commandFlag | moreFlag))
    throw blocks::CorruptError("a frame has flags that ZMTP 3.0 does not know");
  head.more = flags & moreFlag;
  head.command = flags & commandFlag;
  size_t size = flags & longFlag ? 8 : 1;
  if (got < 1 + size)
    return head;
  for (size_t i = 0; i < size; ++i)
    head.length = head.length << 8 | static_cast<unsigned char>(bytes[1 + i]);
  head.headBytes = 1 + size;
  return head;
}

//===-- Messages ----------------------------------------------------------===//

void Message::clear() {
  heads.clear();
  parts.clear();
  next = written = 0;
}

void Message::addHead(std::string head) {
  std::string &kept = heads.emplace_back(std::move(head));
  parts.push_back({kept.data(), kept.size()});
}

/// Fuel sends no arrays without axes.
static std::string describe(const blocks::Array &array) {
  std::string text = "{\"shape\":[";
  for (size_t i = 0; i < array.shape().size(); ++i)
    text += (i ? "," : "") + std::to_string(array.shape()[i]);
  if (array.shape().empty())
    text += "1";
  return text + "],\"fortran_order\":false,\"descr\":\"" +
         std::string(blocks::dtypeNumpy(array.dtype())) + "\"}";
}

void Message::packBatch() {
  clear();
  std::string json = "[";
  for (const blocks::Array &array : batch.sources)
    json += (json.size() > 1 ? "," : "") + describe(array);
  json += "]";
  bool more = !batch.sources.empty();
  addHead(frameHead(more ? moreFlag : 0, json.size()) + json);
  for (blocks::Array &array : batch.sources) {
    more = &array != &batch.sources.back();
    addHead(frameHead(more ? moreFlag : 0, array.bytes()));
    if (array.bytes() > 0)
      parts.push_back({array.data(), array.bytes()});
  }
}

void Message::packStop() {
  clear();
  std::string json = "{\"stop\":true}";
  addHead(frameHead(0, json.size()) + json);
}

bool Message::flush(Channel &channel) {
  while (next < parts.size()) {
    iovec rest = {static_cast<char *>(parts[next].iov_base) + written,
                  parts[next].iov_len - written};
    size_t count = channel.write(&rest, 1);
    if (count == 0)
      return false;
    written += count;
    if (written == parts[next].iov_len) {
      ++next;
      written = 0;
    }
  }
  return true;
}

} // namespace fuel::zmq
