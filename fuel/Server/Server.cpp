// Server: see include/fuel/Server.h. The thread in `run` accepts connections
// and clears away sessions that have ended.
#include "fuel/Server.h"

#include "fuel/Server/OwnFeed.h"
#include "fuel/Server/Session.h"
#include "fuel/Server/ShardedStream.h"
#include "fuel/Server/SharedFeed.h"

#include <list>
#include <poll.h>
#include <random>

namespace fuel {

using namespace wire;

// Connections that have not yet greeted, beyond the clients.
static constexpr int64_t strangers = 16;

static uint64_t drawInstance() {
  std::random_device random;
  return uint64_t(random()) << 32 | random();
}

class Server::Implementation : public Host {
public:
  Implementation(StreamFactory make, const ServerOptions &chosen)
      : factory(std::move(make)), settings(chosen), instance(drawInstance()) {
    check();
    listener = listenOn(settings.host, settings.port);
    // Wrong data are told before anyone connects.
    std::unique_ptr<DataStream> first = factory();
    if (settings.shared)
      dealer =
          std::make_unique<Dealer>(std::move(first), instance, settings.grace);
  }

  int port() const { return portOf(listener); }
  void stop() noexcept { stopBell.ring(); }

  void run() {
    for (;;) {
      // Out of descriptors, accepting fails at once, again and again.
      bool full = int64_t(sessions.size()) >= settings.maxClients + strangers;
      pollfd all[] = {{stopBell.fd(), POLLIN, 0},
                      {endedBell.fd(), POLLIN, 0},
                      {full ? -1 : listener.get(), POLLIN, 0}};
      ::poll(all, 3, -1);
      if (all[0].revents)
        break;
      endedBell.silence();
      sessions.remove_if([](const auto &s) { return s->finished(); });
      if (all[2].revents)
        accept();
    }
    for (auto &session : sessions)
      session->stop();
    sessions.clear();
    stopBell.silence();
  }

  //===-- Host, in the sessions' threads ----------------------------------===//

  const ServerOptions &options() const override { return settings; }
  const Key *key() const override { return secret ? &*secret : nullptr; }

  std::unique_ptr<Feed> admit(const Hello &hello, Bell &bell,
                              Welcome &welcome) override {
    std::lock_guard guard(lock); // Streams are opened one after the other.
    if (clients >= settings.maxClients)
      throw blocks::UnsupportedError(
          "the server has " + std::to_string(clients) +
          " clients already, which is its --max-clients");
    std::unique_ptr<Feed> feed = settings.shared ? shared(hello, bell, welcome)
                                                 : own(hello, bell, welcome);
    welcome.instance = instance;
    ++clients;
    return feed;
  }
  void ended(bool admitted) override {
    {
      std::lock_guard guard(lock);
      clients -= admitted;
    }
    endedBell.ring();
  }
  void log(const std::string &line) override {
    if (settings.log)
      settings.log(line);
  }

private:
  void check() {
    if (!settings.keyFile.empty())
      secret = Key::fromFile(settings.keyFile);
    else if (!isLoopback(settings.host))
      throw blocks::UsageError(
          "'" + settings.host +
          "' can be reached from other machines; that "
          "needs a key: fuel-server --make-key FILE, then --key FILE here and "
          "at the clients");
    if (settings.maxClients < 1 || !(settings.timeout > 0) ||
        !(settings.grace >= 0))
      throw blocks::UsageError("a server needs room for at least one client, "
                               "and a timeout above 0");
  }

  void accept() {
    std::string peer;
    Socket socket = acceptFrom(listener, peer);
    if (socket.isOpen())
      return sessions.push_back(
          std::make_unique<Session>(std::move(socket), peer, *this));
    // No descriptor left, perhaps: others may give some back.
    pollfd bell = {stopBell.fd(), POLLIN, 0};
    ::poll(&bell, 1, 50);
  }

  std::unique_ptr<Feed> own(const Hello &hello, Bell &bell, Welcome &welcome) {
    std::unique_ptr<DataStream> stream = factory();
    if (hello.ranks > 1)
      stream = std::make_unique<ShardedStream>(std::move(stream), hello.rank,
                                               hello.ranks);
    welcome = describeStream(*stream);
    return std::make_unique<OwnFeed>(std::move(stream), bell);
  }

  std::unique_ptr<Feed> shared(const Hello &hello, Bell &bell,
                               Welcome &welcome) {
    if (hello.ranks > 1)
      throw blocks::UsageError("this server deals its batches to whoever asks "
                               "(--mode shared); it has no ranks");
    welcome = dealer->welcome();
    return std::make_unique<SharedFeed>(*dealer, hello, bell);
  }

  StreamFactory factory;
  const ServerOptions settings;
  const uint64_t instance;
  std::optional<Key> secret;
  Socket listener;
  Bell stopBell, endedBell;
  std::mutex lock;
  int64_t clients = 0;
  std::unique_ptr<Dealer> dealer;
  std::list<std::unique_ptr<Session>> sessions; // They use all of the above.
};

Server::Server(StreamFactory factory, const ServerOptions &options)
    : self(std::make_unique<Implementation>(std::move(factory), options)) {}
Server::~Server() = default;
int Server::port() const { return self->port(); }
void Server::run() { self->run(); }
void Server::stop() noexcept { self->stop(); }

} // namespace fuel
