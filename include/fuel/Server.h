// Server and connectStream: a stream in a process of its own, and the stream
// that its clients see. docs/fuel-protocol.md has what they say to each other.
#pragma once

#include "fuel/DataStream.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace fuel {

/// Makes the streams that a server delivers; all of them alike.
using StreamFactory = std::function<std::unique_ptr<DataStream>()>;

struct ServerOptions {
  std::string host = "127.0.0.1";
  int port = 5558; ///< 0: any free one.
  /// Required where `host` is not loopback.
  std::string keyFile;
  /// One stream is dealt to all clients, instead of one for each.
  bool shared = false;
  int64_t maxClients = 16;
  /// A client that was silent for so many seconds is dropped.
  double timeout = 30;
  /// Shared: so long a lost client's batches are kept for it.
  double grace = 10;
  /// Told what happens, from any thread; may be empty.
  std::function<void(const std::string &)> log;
};

/// Serves until it is stopped. One thread accepts, two serve each client.
class Server {
public:
  /// Listens when it returns. Throws blocks::Error.
  Server(StreamFactory factory, const ServerOptions &options);
  ~Server();
  Server(const Server &) = delete;
  Server &operator=(const Server &) = delete;

  int port() const;
  /// Serves in the calling thread until `stop`; then ends the clients'
  /// connections between two frames, and all threads.
  void run();
  /// From any thread or signal handler, also before `run`.
  void stop() noexcept;

private:
  class Implementation;
  std::unique_ptr<Implementation> self;
};

struct ConnectOptions {
  std::string host = "127.0.0.1";
  int port = 5558;
  std::string keyFile; ///< Empty: in clear.
  /// Seconds without a sign of life after which the server is taken for dead.
  double timeout = 10;
  /// Seconds to try connecting again, and to go on at the exact batch, when the
  /// connection is lost; 0: that is an error.
  double reconnect = 0;
  /// Batches received ahead.
  int64_t depth = 4;
  /// Of each epoch, only every `ranks`th batch from `rank` on.
  int64_t rank = 0, ranks = 1;
};

/// "tcp://host:port" (or zmq:// for Fuel's own format), and options:
/// "?key=FILE&timeout=5&reconnect=60&depth=8 &rank=0&ranks=2". Throws
/// UsageError that says what is possible.
ConnectOptions parseStreamAddress(const std::string &address);
/// Begins like a server's address rather than a file's name.
bool isStreamAddress(const std::string &file);
bool isZeroMqAddress(const std::string &file);

/// The stream of a server. Its states are those of the served stream: a local
/// one that is built alike continues from them, and the other way round. Throws
/// IoError naming host and port.
std::unique_ptr<DataStream> connectStream(const ConnectOptions &options);

//===-- Fuel's own wire format, for its servers and clients ---------------===//

/// Delivers a stream as Fuel's start_server does: no schema, no resuming, one
/// stream for all clients. Fixed-size sources only.
class ZeroMqServer {
public:
  ZeroMqServer(std::unique_ptr<DataStream> stream,
               const ServerOptions &options);
  ~ZeroMqServer();
  ZeroMqServer(const ZeroMqServer &) = delete;
  ZeroMqServer &operator=(const ZeroMqServer &) = delete;
  int port() const;
  void run();
  void stop() noexcept;

private:
  class Implementation;
  std::unique_ptr<Implementation> self;
};

/// The stream of such a server; host, port and timeout count. `names` are those
/// of the arrays in a batch; empty: source0, source1 and so on.
std::unique_ptr<DataStream>
connectZeroMqStream(const ConnectOptions &options,
                    const std::vector<std::string> &names);

} // namespace fuel
