// Socket: the operating system's part of a connection: owners of descriptors,
// listening, connecting with a time limit, and a bell that wakes a thread out
// of poll(2).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace fuel {

using Clock = std::chrono::steady_clock;
using Deadline = Clock::time_point;

/// Move-only owner of a descriptor.
class Socket {
public:
  Socket() = default;
  explicit Socket(int fd) : descriptor(fd) {}
  ~Socket();
  Socket(Socket &&other) noexcept;
  Socket &operator=(Socket &&other) noexcept;
  int get() const { return descriptor; }
  bool isOpen() const { return descriptor >= 0; }

private:
  int descriptor = -1;
};

/// Rung in one thread (or a signal handler), heard in another's poll(2).
class Bell {
public:
  Bell();
  void ring() noexcept; ///< Async-signal-safe.
  void silence() noexcept;
  int fd() const { return socket.get(); }

private:
  Socket socket;
};

/// Milliseconds until then, for poll(2): at least 0, at most an hour.
int millisecondsUntil(Deadline deadline);

/// "host:port", with brackets around an IPv6 address.
std::string hostPort(const std::string &host, int port);

/// Listens there without blocking; port 0 picks a free one.
Socket listenOn(const std::string &host, int port);
int portOf(const Socket &socket);
bool isLoopback(const std::string &host);
/// The next connection, non-blocking and without delay; closed if there is
/// none. `peer` becomes its address.
Socket acceptFrom(const Socket &listener, std::string &peer);

/// Throws IoError naming host and port, also when `cancel` rings.
Socket connectTo(const std::string &host, int port, Deadline deadline,
                 const Bell *cancel = nullptr);
/// Waits for `events` on `fd`; false when the time is over or `cancel` rang.
bool waitFor(int fd, short events, Deadline deadline,
             const Bell *cancel = nullptr);

} // namespace fuel
