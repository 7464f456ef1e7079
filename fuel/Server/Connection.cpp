// Connection: see Connection.h.
#include "fuel/Server/Connection.h"

#include <algorithm>
#include <poll.h>

namespace fuel {

using namespace wire;
using std::chrono::milliseconds;

static constexpr FrameLimits limits{64u << 20, uint64_t(4) << 30};
static constexpr milliseconds goodbyeTime(500);

// What the server says reaches a terminal.
blocks::Error failureOf(const Notice &notice) {
  std::string text = notice.text;
  for (char &c : text)
    if (static_cast<unsigned char>(c) < ' ' && c != '\n')
      c = '?';
  return blocks::Error(notice.error, text);
}

Connection::Connection(const ConnectOptions &chosen, const Key *key,
                       const Hello &hello, FrameReader::Place place,
                       Deadline deadline, const Bell &cancel)
    : options(chosen), limit(int64_t(options.timeout * 1000)),
      in(limits, std::move(place)) {
  Socket socket = connectTo(options.host, options.port, deadline, &cancel);
  channel = key ? encryptedChannel(std::move(socket), Side::Client, *key,
                                   deadline, &cancel)
                : plainChannel(std::move(socket));
  greet(hello, deadline, cancel);
  lastHeard = lastSent = Clock::now();
}

void Connection::greet(Hello hello, Deadline deadline, const Bell &cancel) {
  hello.depth = uint32_t(options.depth);
  hello.heartbeat = uint32_t(limit.count());
  hello.rank = uint32_t(options.rank);
  hello.ranks = uint32_t(options.ranks);
  out.queue(Kind::Hello, hello);
  while (!out.flush(*channel))
    if (!waitFor(channel->fd(), POLLOUT, deadline, &cancel))
      throw blocks::IoError("the server did not take a greeting in time");
  awaitWelcome(deadline, cancel);
}

// A server that has a key hangs up on who does not use it.
bool Connection::receiveGreeting() {
  try {
    return in.advance(*channel);
  } catch (const blocks::IoError &error) {
    throw blocks::IoError(std::string(error.what()) +
                          " instead of greeting; is that a fuel-server, and "
                          "does it expect a key?");
  }
}

void Connection::awaitWelcome(Deadline deadline, const Bell &cancel) {
  while (!receiveGreeting())
    if (!channel->hasBuffered() &&
        !waitFor(channel->fd(), POLLIN, deadline, &cancel))
      throw blocks::IoError("no greeting came within " +
                            std::to_string(limit.count()) +
                            " ms; is that a fuel-server, and does it expect a "
                            "key?");
  if (kind() == Kind::Failure)
    throw failureOf(parseNotice(kind(), head()));
  if (kind() != Kind::Welcome)
    throw blocks::CorruptError("it answered " + kindName(kind()) +
                               " instead of WELCOME");
  greeting = parseWelcome(head());
}

milliseconds Connection::heartbeat() const {
  return milliseconds(std::max(greeting.heartbeat / 3, 10u));
}

void Connection::send() {
  auto now = Clock::now();
  if (in.heard())
    lastHeard = now;
  if (now - lastHeard > limit)
    throw blocks::IoError("no sign of life came for " +
                          std::to_string(limit.count()) + " ms");
  if (now - lastSent >= heartbeat() && out.betweenFrames() && out.idle())
    out.queue(Kind::Heartbeat);
  flush();
  if (out.wrote())
    lastSent = now;
}

// A server that ends may close before it has read everything, but it has said
// why: what it sent is received first.
void Connection::flush() {
  if (sendFailure)
    return;
  try {
    allSent = out.flush(*channel);
  } catch (const blocks::IoError &) {
    sendFailure = std::current_exception();
    allSent = true;
  }
}

void Connection::await(const Bell &bell) {
  Deadline next =
      std::min(lastSent + heartbeat(), lastHeard + limit) + milliseconds(1);
  if (channel->hasBuffered())
    next = Clock::now();
  pollfd both[] = {{channel->fd(), short(POLLIN | (allSent ? 0 : POLLOUT)), 0},
                   {bell.fd(), POLLIN, 0}};
  ::poll(both, 2, millisecondsUntil(next));
}

bool Connection::receive() {
  if (in.advance(*channel))
    return true;
  if (sendFailure)
    std::rethrow_exception(sendFailure);
  return false;
}

void Connection::close() noexcept {
  try {
    Deadline deadline = Clock::now() + goodbyeTime;
    while (!out.flush(*channel))
      if (!waitFor(channel->fd(), POLLOUT, deadline))
        return;
    channel->close();
  } catch (const blocks::Error &) {
    // The other side was faster.
  }
}

} // namespace fuel
