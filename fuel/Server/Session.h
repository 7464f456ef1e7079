// Session: one client of a server, with a thread that talks to it. It owns the
// client's feed, whose own thread prepares the batches.
#pragma once

#include "fuel/Server.h"
#include "fuel/Server/Feed.h"

#include <atomic>
#include <thread>

namespace fuel {

/// What a server's sessions need of it.
class Host {
public:
  virtual ~Host() = default;
  virtual const ServerOptions &options() const = 0;
  virtual const Key *key() const = 0; ///< Null: in clear.
  /// Takes the client in: fills `welcome` and makes its feed. Throws
  /// blocks::Error, which the client is told.
  virtual std::unique_ptr<Feed> admit(const wire::Hello &hello, Bell &bell,
                                      wire::Welcome &welcome) = 0;
  /// The session's thread is about to end; `admitted` as `admit` returned.
  virtual void ended(bool admitted) = 0;
  virtual void log(const std::string &line) = 0;
};

class Session {
public:
  Session(Socket socket, std::string peer, Host &host);
  ~Session();
  /// Ends it between two frames.
  void stop() noexcept;
  bool finished() const { return done; }

private:
  void work();
  void greet();
  wire::Hello receiveHello();
  void refuse(const wire::Notice &notice);
  void serve();
  void handleFrames();
  bool sendFrames();
  std::chrono::milliseconds silence() const;
  void heartbeat();
  void await(bool allSent);
  void sayGoodbye();

  Socket socket;
  std::string peer;
  Host &host;
  Bell bell;
  std::unique_ptr<Channel> channel;
  FrameReader reader;
  FrameWriter writer;
  std::unique_ptr<Feed> feed;
  bool sending = false, left = false;
  uint32_t clientHeartbeat = 0; ///< Milliseconds.
  Clock::time_point lastHeard, lastSent;
  std::atomic<bool> stopping = false, done = false;
  std::thread thread;
};

} // namespace fuel
