// Session: see Session.h.
#include "fuel/Server/Session.h"

#include "runtime/Base/SignalsBlocked.h"

#include <algorithm>
#include <poll.h>

namespace fuel {

using namespace wire;
using std::chrono::milliseconds;

// Whoever does not speak the protocol is found out before this.
static constexpr milliseconds greetingTime(5000);
static constexpr milliseconds goodbyeTime(2000);
static constexpr FrameLimits limits{1 << 20, 0};

Session::Session(Socket connection, std::string address, Host &server)
    : socket(std::move(connection)), peer(std::move(address)), host(server),
      reader(limits, {}) {
  blocks::SignalsBlocked inherited;
  thread = std::thread([this] { work(); });
}

Session::~Session() {
  stop();
  thread.join();
}

void Session::stop() noexcept {
  stopping = true;
  bell.ring();
}

void Session::work() {
  try {
    greet();
    serve();
  } catch (const std::exception &error) {
    host.log("client " + peer + ": " + error.what());
  }
  bool admitted = feed != nullptr;
  feed.reset();
  channel.reset();
  done = true;
  host.ended(admitted);
}

//===-- Greeting ----------------------------------------------------------===//

void Session::greet() {
  Deadline deadline = Clock::now() + greetingTime;
  channel = host.key() ? encryptedChannel(std::move(socket), Side::Server,
                                          *host.key(), deadline, &bell)
                       : plainChannel(std::move(socket));
  Hello hello = receiveHello();
  Welcome welcome;
  try {
    if (hello.lowest > version || hello.highest < version)
      throw blocks::UnsupportedError(
          "this server speaks version " + std::to_string(version) +
          " of the protocol, the client " + std::to_string(hello.lowest) +
          " to " + std::to_string(hello.highest) +
          "; use the same release on both sides");
    feed = host.admit(hello, bell, welcome);
  } catch (...) {
    return refuse(failureNotice(0, 0));
  }
  clientHeartbeat = std::max(hello.heartbeat, 30u);
  welcome.heartbeat = uint32_t(host.options().timeout * 1000);
  writer.queue(Kind::Welcome, welcome);
  host.log("client " + peer + ": connected");
}

Hello Session::receiveHello() {
  Deadline deadline = Clock::now() + greetingTime;
  while (!reader.advance(*channel))
    if (!channel->hasBuffered() &&
        !waitFor(channel->fd(), POLLIN, deadline, &bell))
      throw blocks::IoError("it did not greet; closed");
  if (reader.kind() != Kind::Hello)
    throw blocks::CorruptError("it sent " + kindName(reader.kind()) +
                               " instead of HELLO; closed");
  return parseHello(reader.head());
}

void Session::refuse(const Notice &notice) {
  host.log("client " + peer + ": refused: " + notice.text);
  writer.queue(Kind::Failure, notice);
  sayGoodbye();
  left = true;
}

//===-- Serving -----------------------------------------------------------===//

void Session::serve() {
  lastHeard = lastSent = Clock::now();
  while (!left) {
    if (stopping) {
      writer.queueText(Kind::Shutdown, "the server ends");
      return sayGoodbye();
    }
    bell.silence();
    bool allSent = sendFrames();
    heartbeat();
    await(allSent);
    handleFrames();
  }
}

/// Sends what there is, as far as it goes; true if nothing is left.
bool Session::sendFrames() {
  for (;;) {
    bool all = writer.flush(*channel);
    if (writer.wrote())
      lastSent = Clock::now();
    if (!all)
      return false;
    if (sending)
      feed->sent();
    const Frame *frame = feed->take();
    sending = frame != nullptr;
    if (!frame)
      return true;
    writer.send(*frame);
  }
}

/// How long a client may say nothing.
milliseconds Session::silence() const {
  return milliseconds(int64_t(host.options().timeout * 1000));
}

void Session::heartbeat() {
  auto now = Clock::now();
  if (now - lastHeard > silence())
    throw blocks::IoError("nothing came from it for " +
                          std::to_string(silence().count()) + " ms; closed");
  if (now - lastSent < milliseconds(clientHeartbeat / 3) ||
      !writer.betweenFrames())
    return;
  writer.queue(Kind::Heartbeat);
  lastSent = now;
}

void Session::await(bool allSent) {
  bool more = !writer.idle() && allSent; // A heartbeat was just queued.
  Deadline next = std::min(lastSent + milliseconds(clientHeartbeat / 3 + 1),
                           lastHeard + silence() + milliseconds(1));
  if (channel->hasBuffered())
    next = Clock::now();
  short events = short(POLLIN | (allSent && !more ? 0 : POLLOUT));
  pollfd both[] = {{channel->fd(), events, 0}, {bell.fd(), POLLIN, 0}};
  ::poll(both, 2, millisecondsUntil(next));
}

void Session::handleFrames() {
  while (!left && reader.advance(*channel)) {
    switch (reader.kind()) {
    case Kind::Start:
    case Kind::Restore:
    case Kind::Resume:
      feed->command(parseCommand(reader.kind(), reader.head()));
      break;
    case Kind::Credit:
      feed->credit(parseCredit(reader.head()));
      break;
    case Kind::Heartbeat:
      break;
    case Kind::Bye:
      host.log("client " + peer + ": said goodbye");
      feed->leave();
      left = true;
      break;
    default:
      throw blocks::CorruptError("it sent " + kindName(reader.kind()) +
                                 ", which only a server sends; closed");
    }
  }
  if (reader.heard())
    lastHeard = Clock::now();
}

/// Finishes the present frame, sends what is queued and closes, after the
/// client: closing with something unread would reset the connection, and the
/// client might lose the last words.
void Session::sayGoodbye() {
  Deadline deadline = Clock::now() + goodbyeTime;
  while (!writer.flush(*channel))
    if (!waitFor(channel->fd(), POLLOUT, deadline))
      return;
  channel->close();
  char unread[4096];
  try {
    while (waitFor(channel->fd(), POLLIN, deadline))
      channel->read(unread, sizeof unread);
  } catch (const blocks::IoError &) {
    // It has closed.
  }
}

} // namespace fuel
