// FrameReader and FrameWriter: see Frames.h.
#include "fuel/Server/Frames.h"

#include "blocks/Error.h"
#include "fuel/Server/Crc32c.h"
#include "fuel/Server/Messages.h"

#include <algorithm>

namespace fuel {

using namespace wire;

// Summed up while they are still in the cache.
static constexpr size_t pieceBytes = 256 * 1024;

//===-- Reading -----------------------------------------------------------===//

/// Reads until `got` is `bytes`; false if there are no more now.
bool FrameReader::fill(Channel &channel, std::byte *to, size_t bytes) {
  while (got < bytes) {
    size_t piece = std::min(bytes - got, pieceBytes);
    size_t count = channel.read(to + got, piece);
    if (count == 0)
      return false;
    anyBytes = true;
    if (phase != Phase::Header)
      checksum = crc32c(checksum, to + got, count);
    got += count;
  }
  return true;
}

void FrameReader::beginHead() {
  header = decodeHeader(raw);
  if (header.head > limits.head || header.payload > limits.payload)
    throw blocks::CorruptError(
        "a frame " + kindName(header.kind) + " announces " +
        std::to_string(header.head) + " + " + std::to_string(header.payload) +
        " bytes; at most " + std::to_string(limits.head) + " + " +
        std::to_string(limits.payload) + " are allowed");
  if (header.payload > 0 && header.kind != Kind::Batch)
    throw blocks::CorruptError("a frame " + kindName(header.kind) +
                               " has a payload");
  body.clear();
  checksum = 0;
  got = 0;
  phase = Phase::Head;
}

bool FrameReader::readPayload(Channel &channel) {
  for (; part < parts.size(); ++part, got = 0)
    if (!fill(channel, parts[part].data(), parts[part].size()))
      return false;
  got = 0;
  return true;
}

void FrameReader::check() const {
  if (checksum != header.checksum)
    throw blocks::CorruptError("a frame " + kindName(header.kind) +
                               " was damaged on the way");
}

// Grows with what has really come, whatever the header announces.
bool FrameReader::readHead(Channel &channel) {
  while (got < header.head) {
    if (got == body.size())
      body.resize(std::min<size_t>(header.head, got + pieceBytes));
    if (!fill(channel, body.data(), body.size()))
      return false;
  }
  return true;
}

void FrameReader::beginPayload() {
  parts.clear();
  part = got = 0;
  phase = Phase::Payload;
  if (header.payload == 0)
    check(); // Before anyone believes the head.
  if (header.kind == Kind::Batch)
    place(header, body, parts);
}

bool FrameReader::advance(Channel &channel) {
  if (phase == Phase::Header) {
    if (!fill(channel, raw.data(), raw.size()))
      return false;
    beginHead();
  }
  if (phase == Phase::Head) {
    if (!readHead(channel))
      return false;
    beginPayload();
  }
  if (!readPayload(channel))
    return false;
  phase = Phase::Header;
  check();
  return true;
}

//===-- Writing -----------------------------------------------------------===//

void Frame::begin() {
  bytes.assign(FrameHeader::bytes, std::byte(0));
  payload.clear();
}

void Frame::finish(Kind kind) {
  FrameHeader header;
  header.kind = kind;
  header.head = uint32_t(bytes.size() - FrameHeader::bytes);
  header.checksum = crc32c(0, bytes.data() + FrameHeader::bytes, header.head);
  for (const iovec &part : payload) {
    header.checksum = crc32c(header.checksum, part.iov_base, part.iov_len);
    header.payload += part.iov_len;
  }
  encodeHeader(header, bytes.data());
}

Frame &FrameWriter::append() {
  if (spare.empty())
    spare.emplace_back();
  small.splice(small.end(), spare, spare.begin());
  small.back().begin();
  return small.back();
}

void FrameWriter::queue(Kind kind) { append().finish(kind); }

void FrameWriter::queueText(Kind kind, std::string_view text) {
  Frame &frame = append();
  encodeText(frame.bytes, text);
  frame.finish(kind);
}

void FrameWriter::send(const Frame &frame) { large = &frame; }

void FrameWriter::load(const Frame &frame) {
  next = 0;
  pending.push_back(
      {const_cast<std::byte *>(frame.bytes.data()), frame.bytes.size()});
  for (const iovec &part : frame.payload)
    if (part.iov_len > 0)
      pending.push_back(part);
}

/// Writes the present frame; true when nothing of it is left.
bool FrameWriter::drain(Channel &channel) {
  constexpr size_t most = 64; // Below every system's IOV_MAX.
  while (next < pending.size()) {
    size_t count = channel.write(pending.data() + next,
                                 int(std::min(pending.size() - next, most)));
    if (count == 0)
      return false;
    anyBytes = true;
    while (next < pending.size() && count >= pending[next].iov_len)
      count -= pending[next++].iov_len;
    if (count > 0) {
      iovec &part = pending[next];
      part.iov_base = static_cast<char *>(part.iov_base) + count;
      part.iov_len -= count;
    }
  }
  pending.clear();
  return true;
}

// Small frames go before the next large one, never into one.
bool FrameWriter::flush(Channel &channel) {
  for (;;) {
    if (pending.empty()) {
      if (idle())
        return true;
      sendingLarge = small.empty();
      load(sendingLarge ? *large : small.front());
    }
    if (!drain(channel))
      return false;
    if (sendingLarge)
      large = nullptr;
    else
      spare.splice(spare.end(), small, small.begin());
  }
}

} // namespace fuel
