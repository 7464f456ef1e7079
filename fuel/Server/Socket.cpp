// Socket: see Socket.h.
#include "fuel/Server/Socket.h"

#include "blocks/Error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace fuel {

Socket::~Socket() {
  if (descriptor >= 0)
    ::close(descriptor);
}

Socket::Socket(Socket &&other) noexcept
    : descriptor(std::exchange(other.descriptor, -1)) {}

Socket &Socket::operator=(Socket &&other) noexcept {
  std::swap(descriptor, other.descriptor);
  return *this;
}

Bell::Bell() : socket(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!socket.isOpen())
    throw blocks::IoError(std::string("cannot make an event: ") +
                          std::strerror(errno));
}

void Bell::ring() noexcept {
  uint64_t one = 1;
  // It fails only where the bell has been rung 2^64 times and not heard.
  [[maybe_unused]] ssize_t written = ::write(fd(), &one, sizeof one);
}

void Bell::silence() noexcept {
  uint64_t count;
  [[maybe_unused]] ssize_t got = ::read(fd(), &count, sizeof count);
}

int millisecondsUntil(Deadline deadline) {
  auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  return int(std::clamp<int64_t>(left.count(), 0, 3600 * 1000));
}

std::string hostPort(const std::string &host, int port) {
  bool v6 = host.find(':') != std::string::npos;
  return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

//===-- Addresses ---------------------------------------------------------===//

namespace {
struct FreeAddresses {
  void operator()(addrinfo *list) const { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;
} // namespace

static Addresses resolve(const std::string &host, int port, int flags) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = flags | AI_NUMERICSERV;
  addrinfo *list = nullptr;
  int code = ::getaddrinfo(host.empty() ? nullptr : host.c_str(),
                           std::to_string(port).c_str(), &wanted, &list);
  if (code != 0)
    throw blocks::IoError("'" + host +
                          "' is no address that this machine "
                          "knows: " +
                          ::gai_strerror(code));
  return Addresses(list);
}

static void withoutDelay(int fd) {
  int one = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
}

static Socket newSocket(const addrinfo &address) {
  return Socket(::socket(address.ai_family,
                         address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
                         address.ai_protocol));
}

Socket listenOn(const std::string &host, int port) {
  int code = 0;
  Addresses list = resolve(host, port, AI_PASSIVE);
  for (const addrinfo *a = list.get(); a; a = a->ai_next) {
    Socket socket = newSocket(*a);
    int one = 1;
    ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (socket.isOpen() &&
        ::bind(socket.get(), a->ai_addr, a->ai_addrlen) == 0 &&
        ::listen(socket.get(), SOMAXCONN) == 0)
      return socket;
    code = errno;
  }
  throw blocks::IoError("cannot listen on " + hostPort(host, port) + ": " +
                        std::strerror(code) +
                        "; choose another --port, or 0 for any free one");
}

int portOf(const Socket &socket) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  ::getsockname(socket.get(), reinterpret_cast<sockaddr *>(&address), &length);
  if (address.ss_family == AF_INET6)
    return ntohs(reinterpret_cast<sockaddr_in6 &>(address).sin6_port);
  return ntohs(reinterpret_cast<sockaddr_in &>(address).sin_port);
}

static bool isLoopback(const addrinfo &address) {
  if (address.ai_family == AF_INET) {
    auto *v4 = reinterpret_cast<const sockaddr_in *>(address.ai_addr);
    return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
  }
  auto *v6 = reinterpret_cast<const sockaddr_in6 *>(address.ai_addr);
  return address.ai_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
}

bool isLoopback(const std::string &host) {
  Addresses list = resolve(host, 0, AI_PASSIVE);
  for (const addrinfo *a = list.get(); a; a = a->ai_next)
    if (!isLoopback(*a))
      return false;
  return true;
}

Socket acceptFrom(const Socket &listener, std::string &peer) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  auto *plain = reinterpret_cast<sockaddr *>(&address);
  Socket socket(
      ::accept4(listener.get(), plain, &length, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!socket.isOpen())
    return socket;
  withoutDelay(socket.get());
  char host[NI_MAXHOST] = "?", port[NI_MAXSERV] = "0";
  ::getnameinfo(plain, length, host, sizeof host, port, sizeof port,
                NI_NUMERICHOST | NI_NUMERICSERV);
  peer = hostPort(host, std::atoi(port));
  return socket;
}

//===-- Connecting and waiting --------------------------------------------===//

bool waitFor(int fd, short events, Deadline deadline, const Bell *cancel) {
  pollfd both[] = {{fd, events, 0}, {cancel ? cancel->fd() : -1, POLLIN, 0}};
  for (;;) {
    int count = ::poll(both, 2, millisecondsUntil(deadline));
    if (both[1].revents)
      return false;
    if (count > 0)
      return true;
    if ((count == 0 || errno != EINTR) && Clock::now() >= deadline)
      return false;
  }
}

/// 0, or why not.
static int connectSocket(const Socket &socket, const addrinfo &address,
                         Deadline deadline, const Bell *cancel) {
  if (!socket.isOpen())
    return errno;
  if (::connect(socket.get(), address.ai_addr, address.ai_addrlen) == 0)
    return 0;
  if (errno != EINPROGRESS)
    return errno;
  if (!waitFor(socket.get(), POLLOUT, deadline, cancel))
    return ETIMEDOUT;
  int code = 0;
  socklen_t length = sizeof code;
  ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &code, &length);
  return code;
}

Socket connectTo(const std::string &host, int port, Deadline deadline,
                 const Bell *cancel) {
  int code = 0;
  Addresses list = resolve(host, port, 0);
  for (const addrinfo *a = list.get(); a; a = a->ai_next) {
    Socket socket = newSocket(*a);
    code = connectSocket(socket, *a, deadline, cancel);
    if (code == 0) {
      withoutDelay(socket.get());
      return socket;
    }
  }
  throw blocks::IoError("cannot connect to " + hostPort(host, port) + ": " +
                        std::strerror(code) +
                        "; is fuel-server running there?");
}

} // namespace fuel
