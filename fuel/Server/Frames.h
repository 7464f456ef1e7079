// FrameReader and FrameWriter: frames over a channel, as far as the channel
// goes at the moment. A payload is read straight to where it belongs and
// written from where it is.
#pragma once

#include "fuel/Server/Channel.h"
#include "fuel/Server/Wire.h"

#include <functional>
#include <list>
#include <utility>

namespace fuel {

struct FrameLimits {
  uint32_t head;
  uint64_t payload;
};

class FrameReader {
public:
  using Parts = std::vector<std::span<std::byte>>;
  /// Says where the payload of this frame belongs. The parts' bytes are as many
  /// as the payload's.
  using Place =
      std::function<void(const wire::FrameHeader &, wire::ByteSpan, Parts &)>;

  FrameReader(FrameLimits limits, Place place)
      : limits(limits), place(std::move(place)) {}

  /// Reads what is there. True once a frame is whole and its checksum holds; it
  /// stays until the next call. Throws CorruptError, IoError.
  bool advance(Channel &channel);
  wire::Kind kind() const { return header.kind; }
  wire::ByteSpan head() const { return body; }
  /// Bytes have arrived since the last call of this.
  bool heard() { return std::exchange(anyBytes, false); }

private:
  enum class Phase { Header, Head, Payload };
  bool fill(Channel &channel, std::byte *to, size_t bytes);
  void beginHead();
  bool readHead(Channel &channel);
  void beginPayload();
  bool readPayload(Channel &channel);
  void check() const;

  FrameLimits limits;
  Place place;
  Phase phase = Phase::Header;
  size_t got = 0; ///< Bytes of the present piece.
  std::array<std::byte, wire::FrameHeader::bytes> raw;
  wire::FrameHeader header;
  wire::Bytes body;
  Parts parts;
  size_t part = 0;
  uint32_t checksum = 0;
  bool anyBytes = false;
};

/// A frame that is ready to be sent. Its payload lies elsewhere.
struct Frame {
  wire::Bytes bytes; ///< Header and head.
  std::vector<iovec> payload;

  /// Room for the header; the head is appended to `bytes` after that.
  void begin();
  /// Writes the header, once head and payload are there.
  void finish(wire::Kind kind);
};

class FrameWriter {
public:
  /// Queues a frame without payload.
  template <typename Message>
  void queue(wire::Kind kind, const Message &message) {
    Frame &frame = append();
    encode(frame.bytes, message);
    frame.finish(kind);
  }
  void queue(wire::Kind kind);
  void queueText(wire::Kind kind, std::string_view text);
  /// `frame` must live until `flush` is true.
  void send(const Frame &frame);
  bool idle() const { return small.empty() && !large; }
  /// No frame is partly written.
  bool betweenFrames() const { return pending.empty(); }
  /// Writes what goes; true when nothing is left. `wrote` says if any went.
  bool flush(Channel &channel);
  bool wrote() { return std::exchange(anyBytes, false); }

private:
  Frame &append();
  void load(const Frame &frame);
  bool drain(Channel &channel);

  std::list<Frame> small, spare; ///< To send, and to use again.
  const Frame *large = nullptr;
  std::vector<iovec> pending; ///< What is left of the present frame.
  size_t next = 0;
  bool sendingLarge = false;
  bool anyBytes = false;
};

} // namespace fuel
