// Wire: the bytes of docs/fuel-protocol.md: frame headers, and numbers, texts
// and lists within heads. Nothing that comes from the other side is believed:
// every read is checked against what is left.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fuel::wire {

using Bytes = std::vector<std::byte>;
using ByteSpan = std::span<const std::byte>;

enum class Kind : uint8_t {
  Hello = 1,
  Start = 2,
  Restore = 3,
  Resume = 4,
  Credit = 5,
  Heartbeat = 6,
  Bye = 7,
  Welcome = 16,
  Started = 17,
  Batch = 18,
  End = 19,
  Failure = 20,
  Shutdown = 21,
};
/// "BATCH", for messages.
std::string kindName(Kind kind);

struct FrameHeader {
  static constexpr size_t bytes = 32;
  Kind kind = Kind::Heartbeat;
  uint32_t head = 0;    ///< Bytes of the head.
  uint64_t payload = 0; ///< Bytes after it.
  uint32_t checksum = 0;
};

void encodeHeader(const FrameHeader &header, std::byte *to);
/// Throws CorruptError that says what these bytes are not.
FrameHeader decodeHeader(std::span<const std::byte, FrameHeader::bytes> from);

/// Appends to `out`.
class Writer {
public:
  explicit Writer(Bytes &to) : out(to) {}
  template <typename T> void number(T value) { append(&value, sizeof(value)); }
  void text(std::string_view value);
  void numbers(std::span<const int64_t> values); ///< Without their count.
  void list(std::span<const int64_t> values);

private:
  void append(const void *data, size_t bytes);
  Bytes &out;
};

/// Takes from the front of `bytes`. Throws CorruptError where they end early.
class Reader {
public:
  explicit Reader(ByteSpan bytes) : rest(bytes) {}
  template <typename T> T number() {
    T value;
    take(&value, sizeof(value));
    return value;
  }
  /// A byte that is 0 or 1.
  bool flag();
  void text(std::string &value);
  std::string text();
  /// A text that may be printed.
  std::string name();
  void numbers(std::vector<int64_t> &values, uint64_t count);
  void list(std::vector<int64_t> &values);
  /// A length of things of at least `each` bytes that are still to come.
  uint32_t length(size_t each);
  /// Throws if anything is left.
  void finish() const;

private:
  void take(void *to, size_t bytes);
  ByteSpan rest;
};

} // namespace fuel::wire
