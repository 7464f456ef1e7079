// Connection: a client's connection to a server, from connecting to the
// exchange of frames. One thread uses it.
#pragma once

#include "fuel/Server.h"
#include "fuel/Server/Frames.h"
#include "fuel/Server/Messages.h"

#include <exception>

namespace fuel {

class Connection {
public:
  /// Connects and greets. `key` may be null; `hello` has identity and attempt;
  /// `place` says where batches go.
  /// Throws blocks::Error when it fails, also by `deadline` or when `cancel`
  /// rings.
  Connection(const ConnectOptions &options, const Key *key,
             const wire::Hello &hello, FrameReader::Place place,
             Deadline deadline, const Bell &cancel);

  const wire::Welcome &welcome() const { return greeting; }
  FrameWriter &writer() { return out; }
  /// Sends what is queued, as far as it goes, and a heartbeat if one is due.
  /// Throws IoError if the server has been silent too long.
  void send();
  /// Waits until there is something to receive or to send, or `bell` rings.
  void await(const Bell &bell);
  /// The next whole frame that is there; false if there is none. Throws
  /// IoError when the connection broke.
  bool receive();
  wire::Kind kind() const { return in.kind(); }
  wire::ByteSpan head() const { return in.head(); }
  /// Sends what is queued and closes, within a moment.
  void close() noexcept;

private:
  void greet(wire::Hello hello, Deadline deadline, const Bell &cancel);
  void awaitWelcome(Deadline deadline, const Bell &cancel);
  std::chrono::milliseconds heartbeat() const;
  void flush();
  bool receiveGreeting();

  const ConnectOptions &options;
  const std::chrono::milliseconds limit;
  std::unique_ptr<Channel> channel;
  FrameReader in;
  FrameWriter out;
  wire::Welcome greeting;
  bool allSent = true;
  std::exception_ptr sendFailure; ///< Nothing more can be sent.
  Clock::time_point lastHeard, lastSent;
};

/// The error that FAILURE tells about.
blocks::Error failureOf(const wire::Notice &notice);

} // namespace fuel
