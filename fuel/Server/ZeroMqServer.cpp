// ZeroMqServer: the server that Fuel's own clients (ServerDataStream) expect: a
// PUSH socket that deals batches and, after each epoch, one stop message to
// whoever is next, for ever. One thread; a client gets its next message when
// the last one has left. A message that a client did not take whole goes to
// another; beyond that, this format loses what a client leaves unread.
#include "fuel/Server.h"

#include "blocks/Error.h"
#include "fuel/Server/ZeroMq.h"

#include <list>
#include <poll.h>

namespace fuel {

class ZeroMqServer::Implementation {
public:
  Implementation(std::unique_ptr<DataStream> source,
                 const ServerOptions &options)
      : stream(std::move(source)), log(options.log),
        mostClients(size_t(options.maxClients)) {
    for (const SourceInfo &info : stream->sources())
      if (info.ragged)
        throw blocks::UnsupportedError(
            "Fuel's own wire format has no items of different shapes, as "
            "source '" +
            info.name + "' has; pad it, or use --mode each");
    if (!isLoopback(options.host))
      throw blocks::UsageError("Fuel's own wire format has no keys: it is "
                               "served on loopback only");
    listener = listenOn(options.host, options.port);
  }

  int port() const { return portOf(listener); }
  void stop() noexcept { stopBell.ring(); }

  void run() {
    stream->startEpoch();
    for (;;) {
      for (Client &client : clients)
        guarded(client, [&] { advance(client); });
      clients.remove_if([](const Client &client) { return client.gone; });
      if (!await())
        return clients.clear();
    }
  }

private:
  using MessagePtr = std::unique_ptr<zmq::Message>;
  struct Client {
    std::unique_ptr<Channel> channel;
    std::string peer, received, toSend;
    size_t sent = 0;
    bool greeted = false, ready = false, gone = false;
    MessagePtr message;
  };

  /// A client's failure is no one else's.
  template <typename Action> void guarded(Client &client, Action action) {
    try {
      action();
    } catch (const blocks::Error &error) {
      if (log)
        log("client " + client.peer + ": " + error.what());
      if (client.message)
        unsent.push_back(std::move(client.message));
      client.gone = true;
    }
  }

  bool await() {
    std::vector<pollfd> all{
        {stopBell.fd(), POLLIN, 0},
        {clients.size() < mostClients ? listener.get() : -1, POLLIN, 0}};
    for (Client &client : clients) {
      bool writes = client.ready || client.sent < client.toSend.size();
      all.push_back(
          {client.channel->fd(), short(POLLIN | (writes ? POLLOUT : 0)), 0});
    }
    ::poll(all.data(), nfds_t(all.size()), -1);
    size_t at = 2;
    for (Client &client : clients)
      if (all[at++].revents & (POLLIN | POLLHUP | POLLERR))
        guarded(client, [&] { receive(client); });
    if (all[1].revents)
      accept();
    return !all[0].revents;
  }

  void accept() {
    Client client;
    Socket socket = acceptFrom(listener, client.peer);
    if (!socket.isOpen())
      return;
    client.channel = plainChannel(std::move(socket));
    client.toSend = zmq::greeting() + zmq::ready("PUSH");
    clients.push_back(std::move(client));
  }

  /// A PULL socket says nothing after its READY that matters.
  void receive(Client &client) {
    constexpr size_t most = 4096;
    char bytes[most];
    size_t count = client.channel->read(bytes, sizeof bytes);
    if (client.ready)
      return;
    client.received.append(bytes, count);
    std::string &received = client.received;
    zmq::checkGreeting(received.data(), received.size());
    if (received.size() < zmq::greetingBytes)
      return;
    const char *rest = received.data() + zmq::greetingBytes;
    size_t left = received.size() - zmq::greetingBytes;
    zmq::FrameHead head = zmq::parseFrameHead(rest, left);
    if (head.length > most || received.size() > 2 * most)
      throw blocks::CorruptError("its READY is too long");
    if (head.headBytes == 0 || left < head.headBytes + head.length)
      return;
    std::string_view body(rest + head.headBytes, head.length);
    if (!head.command || !body.starts_with("\5READY") ||
        body.find("PULL") == body.npos)
      throw blocks::CorruptError("it is no PULL socket");
    client.ready = true;
    if (log)
      log("client " + client.peer + ": connected");
  }

  void advance(Client &client) {
    while (client.sent < client.toSend.size()) {
      iovec rest = {client.toSend.data() + client.sent,
                    client.toSend.size() - client.sent};
      size_t count = client.channel->write(&rest, 1);
      if (count == 0)
        return;
      client.sent += count;
    }
    if (client.gone || !client.ready)
      return;
    if (!client.message)
      client.message = nextMessage();
    if (client.message->flush(*client.channel))
      spare.push_back(std::move(client.message));
  }

  MessagePtr nextMessage() {
    MessagePtr message;
    if (!unsent.empty()) {
      message = std::move(unsent.front());
      unsent.pop_front();
      message->next = message->written = 0;
      return message;
    }
    message = spare.empty() ? std::make_unique<zmq::Message>()
                            : std::move(spare.back());
    if (!spare.empty())
      spare.pop_back();
    if (stream->next(message->batch)) {
      message->packBatch();
      return message;
    }
    message->packStop();
    stream->startEpoch();
    return message;
  }

  std::unique_ptr<DataStream> stream;
  std::function<void(const std::string &)> log;
  size_t mostClients;
  Socket listener;
  Bell stopBell;
  std::list<Client> clients;
  std::deque<MessagePtr> unsent;
  std::vector<MessagePtr> spare;
};

ZeroMqServer::ZeroMqServer(std::unique_ptr<DataStream> stream,
                           const ServerOptions &options)
    : self(std::make_unique<Implementation>(std::move(stream), options)) {}
ZeroMqServer::~ZeroMqServer() = default;
int ZeroMqServer::port() const { return self->port(); }
void ZeroMqServer::run() { self->run(); }
void ZeroMqServer::stop() noexcept { self->stop(); }

} // namespace fuel
