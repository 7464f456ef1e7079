// The wire format of Fuel's own server, without its library: ZMTP 3.0 with the
// NULL mechanism, as far as a PUSH and a PULL socket need it, and Fuel's
// messages on top: a JSON list that describes the arrays, then their bytes, or
// {"stop":true} at the end of an epoch.
#pragma once

#include "fuel/DataStream.h"
#include "fuel/Server/Channel.h"

#include <deque>
#include <vector>

namespace fuel::zmq {

constexpr size_t greetingBytes = 64;
/// The first 64 bytes of either side.
std::string greeting();
/// The command that follows; `type` is "PUSH" or "PULL".
std::string ready(const std::string &type);
/// Throws CorruptError unless these are the first `got` bytes of the greeting
/// of a peer that we can speak to.
void checkGreeting(const char *bytes, size_t got);

struct FrameHead {
  bool more = false, command = false;
  uint64_t length = 0;
  size_t headBytes = 0; ///< 0: it is not yet whole.
};
/// Reads a frame's first bytes.
FrameHead parseFrameHead(const char *bytes, size_t got);

/// A message that is being written, with the batch that it is about.
struct Message {
  Batch batch;
  std::deque<std::string> heads; ///< What is not the arrays' bytes.
  std::vector<iovec> parts;      ///< All of it, in order.
  size_t next = 0;               ///< The part being written,
  size_t written = 0;            ///< and how much of it.

  void packBatch(); ///< Of `batch`.
  void packStop();
  /// True when nothing is left.
  bool flush(Channel &channel);

private:
  void clear();
  void addHead(std::string head);
};

} // namespace fuel::zmq
