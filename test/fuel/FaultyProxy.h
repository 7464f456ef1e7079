// FaultyProxy: stands between a client and a server and does to their bytes
// what networks and crashes do: cuts the connection at any byte, holds bytes
// back, changes one, stops forwarding without closing, or sends rubbish.
#pragma once

#include "fuel/Server/Socket.h"
#include "runtime/Base/SignalsBlocked.h"

#include <algorithm>
#include <atomic>
#include <list>
#include <poll.h>
#include <random>
#include <sys/socket.h>
#include <thread>
#include <vector>

namespace served {

using namespace fuel;

class FaultyProxy {
public:
  /// Faults come after at most `reach` bytes of a connection.
  FaultyProxy(int target, uint32_t seed, size_t reach)
      : target(target), reach(reach), random(seed),
        listener(listenOn("127.0.0.1", 0)) {
    blocks::SignalsBlocked inherited;
    thread = std::thread([this] { work(); });
  }
  ~FaultyProxy() {
    stopping = true;
    bell.ring();
    thread.join();
  }
  int port() const { return portOf(listener); }
  int faults() const { return count; }
  /// From now on it only forwards.
  void calm() { quiet = true; }
  void retarget(int port) { target = port; }

private:
  enum class Fault { Cut, Change, Delay, Stall, Rubbish };
  struct Link {
    Socket ends[2]; ///< Client, server.
    Fault fault = Fault::Cut;
    int direction = 0;     ///< Whose bytes it hits.
    size_t after = 0;      ///< So many of them.
    size_t passed[2] = {}; ///< Bytes so far from either end.
    bool done = false, stalled = false, closed = false;
  };

  void work() {
    while (!stopping) {
      std::vector<pollfd> all{{bell.fd(), POLLIN, 0},
                              {listener.get(), POLLIN, 0}};
      for (Link &link : links)
        for (Socket &end : link.ends)
          all.push_back({end.get(), POLLIN, 0});
      ::poll(all.data(), nfds_t(all.size()), -1);
      size_t at = 2;
      for (Link &link : links)
        for (int i = 0; i < 2; ++i)
          if (all[at++].revents && !link.closed)
            forward(link, i);
      links.remove_if([](const Link &link) { return link.closed; });
      if (all[1].revents)
        accept();
    }
  }

  void accept() {
    std::string peer;
    Link link;
    link.ends[0] = acceptFrom(listener, peer);
    try {
      link.ends[1] = connectTo("127.0.0.1", target,
                               Clock::now() + std::chrono::seconds(1));
    } catch (const std::exception &) {
      return; // Seen by the client as a cut.
    }
    link.direction = int(random() % 4 != 0); // Mostly the server's bytes.
    // Most of a stall is waiting for the other side's time limit.
    uint32_t kind = random() % 16;
    link.fault = kind < 6    ? Fault::Cut
                 : kind < 12 ? Fault::Change
                 : kind < 14 ? Fault::Delay
                 : kind < 15 ? Fault::Rubbish
                             : Fault::Stall;
    link.after = random() % (link.direction ? reach : 300);
    link.done = quiet;
    links.push_back(std::move(link));
  }

  void forward(Link &link, int from) {
    char bytes[16384];
    ssize_t got = ::recv(link.ends[from].get(), bytes, sizeof bytes, 0);
    if (got < 0 && errno == EAGAIN)
      return;
    if (got <= 0) {
      link.closed = true;
      return;
    }
    size_t size = size_t(got), before = link.passed[from];
    link.passed[from] += size;
    if (link.stalled)
      return;
    if (!link.done && !quiet && from == link.direction &&
        link.after < link.passed[from])
      size = hurt(link, bytes, size, link.after - before);
    send(link.ends[1 - from], bytes, size);
  }

  /// The fault hits byte `at`; returns how many bytes go on.
  size_t hurt(Link &link, char *bytes, size_t size, size_t at) {
    link.done = true;
    ++count;
    switch (link.fault) {
    case Fault::Cut:
      link.closed = true;
      return at;
    case Fault::Change:
      bytes[at] ^= char(1 << random() % 8);
      return size;
    case Fault::Delay:
      std::this_thread::sleep_for(std::chrono::milliseconds(random() % 30));
      link.done = false; // This one lives on; the next fault will come.
      link.fault = Fault(random() % 2);
      link.after = link.passed[link.direction] + random() % reach;
      return size;
    case Fault::Stall:
      link.stalled = true;
      return at;
    case Fault::Rubbish:
      for (size_t i = at; i < size; ++i)
        bytes[i] = char(random());
      return size;
    }
    return size;
  }

  static void send(const Socket &to, const char *bytes, size_t size) {
    for (int tries = 0; size > 0 && tries < 200; ++tries) {
      ssize_t sent = ::send(to.get(), bytes, size, MSG_NOSIGNAL);
      if (sent < 0 && errno != EAGAIN)
        return;
      if (sent < 0)
        waitFor(to.get(), POLLOUT,
                Clock::now() + std::chrono::milliseconds(50));
      else
        bytes += sent, size -= size_t(sent);
    }
  }

  std::atomic<int> target;
  const size_t reach;
  std::mt19937 random;
  Socket listener;
  Bell bell;
  std::list<Link> links;
  std::atomic<bool> stopping = false, quiet = false;
  std::atomic<int> count = 0;
  std::thread thread;
};

} // namespace served
