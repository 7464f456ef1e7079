// RemoteStream's thread: talks to the server, fills the ring, and connects
// again when the connection is lost.
#include "fuel/Server/RemoteStream.h"

#include <algorithm>
#include <poll.h>

namespace fuel {

using namespace wire;
using std::chrono::milliseconds;

static constexpr milliseconds pause(50); ///< Between attempts to connect.

/// Throws blocks::Error that names host and port.
std::unique_ptr<Connection> RemoteStream::connect(Deadline deadline) {
  auto where = [this](const FrameHeader &header, ByteSpan head,
                      FrameReader::Parts &parts) {
    Slot &slot = slots[tail];
    slot.place = parseBatch(head, header.payload, schema.sources,
                            schema.examples, slot.batch, slot.state, scratch);
    for (blocks::Array &array : slot.batch.sources)
      if (array.bytes() > 0)
        parts.push_back({array.data(), array.bytes()});
  };
  Hello hello;
  hello.identity = identity;
  hello.attempt = ++attempts;
  try {
    return std::make_unique<Connection>(options, key ? &*key : nullptr, hello,
                                        where, deadline, stopBell);
  } catch (const blocks::Error &error) {
    std::string text = error.what();
    if (text.find(place()) == std::string::npos)
      text = "the server at " + place() + ": " + text;
    throw blocks::Error(error.kind(), text);
  }
}

void RemoteStream::work() {
  for (;;) {
    if (!connection && !waitUntilWanted())
      return;
    try {
      if (!connection)
        reconnect();
      if (connection)
        converse();
    } catch (const std::exception &error) {
      connection.reset();
      lose(error.what());
    }
    std::lock_guard guard(lock);
    if (stopping)
      break;
  }
  sayGoodbye();
}

//===-- While connected ---------------------------------------------------===//

void RemoteStream::converse() {
  bell.silence();
  sendRequests();
  connection->send();
  {
    std::lock_guard guard(lock);
    if (stopping || commandWaits || creditIsDue())
      return; // It came after the last look.
    sleeping = true;
  }
  connection->await(bell);
  {
    std::lock_guard guard(lock);
    sleeping = false;
  }
  receiveFrames();
}

void RemoteStream::sendRequests() {
  std::lock_guard guard(lock);
  FrameWriter &writer = connection->writer();
  if (commandWaits) {
    if (abandoned)
      writer.queue(Kind::Credit, Credit{abandoned->command.generation, 0,
                                        abandoned->consumed});
    now.command.allowance = allowance();
    writer.queue(now.command.kind, now.command);
  } else if (creditWaits && now.answered) {
    writer.queue(Kind::Credit,
                 Credit{now.command.generation, allowance(), now.consumed});
  }
  abandoned.reset();
  commandWaits = creditWaits = false;
}

void RemoteStream::receiveFrames() {
  while (connection->receive()) {
    switch (connection->kind()) {
    case Kind::Batch:
      acceptBatch();
      break;
    case Kind::Started:
    case Kind::End:
    case Kind::Failure:
      acceptNotice(parseNotice(connection->kind(), connection->head()));
      break;
    case Kind::Heartbeat:
      break;
    case Kind::Shutdown:
      throw blocks::IoError(parseText(connection->head()));
    default:
      throw blocks::CorruptError("it sent " + kindName(connection->kind()) +
                                 ", which only a client sends");
    }
    std::lock_guard guard(lock);
    if (commandWaits || creditWaits)
      return; // The server may wait for it.
  }
}

[[noreturn]] static void outOfOrder(uint64_t found, uint64_t expected) {
  throw blocks::CorruptError("batch " + std::to_string(found) +
                             " came instead of batch " +
                             std::to_string(expected));
}

void RemoteStream::acceptBatch() {
  const BatchPlace &place = slots[tail].place;
  std::lock_guard guard(lock);
  if (place.generation != now.command.generation)
    return; // Of an epoch that the caller has left.
  if (!now.answered || !now.flowing || place.number != now.received ||
      ready == size_t(options.depth))
    outOfOrder(place.number, now.received);
  received = slots[tail].state;
  ++now.received;
  giveUp.reset();
  publish(Content::Batch);
}

void RemoteStream::acceptNotice(const Notice &notice) {
  std::lock_guard guard(lock);
  if (notice.generation != now.command.generation)
    return;
  giveUp.reset();
  if (notice.kind == Kind::Started) {
    if (!now.answered)
      now.start = received = notice.text; // On a new connection it is known.
    now.answered = true;
    return callerWakes.notify_one();
  }
  if (notice.number != now.received || !now.flowing)
    outOfOrder(notice.number, now.received);
  Slot &slot = slots[tail];
  now.flowing = false;
  if (notice.kind == Kind::End) {
    slot.state = received = notice.text;
    return publish(Content::EndOfEpoch);
  }
  slot.failure = std::make_exception_ptr(failureOf(notice));
  if (!now.answered)
    return fail(slot.failure);
  publish(Content::Failure);
}

/// The slot at the tail is the caller's now.
void RemoteStream::publish(Content content) {
  slots[tail].content = content;
  tail = (tail + 1) % slots.size();
  ++ready;
  callerWakes.notify_one();
}

//===-- While not connected -----------------------------------------------===//

void RemoteStream::fail(std::exception_ptr why) {
  failure = why;
  now.flowing = commandWaits = false;
  callerWakes.notify_one();
}

void RemoteStream::lose(const std::string &why) {
  std::lock_guard guard(lock);
  if (!now.flowing)
    return; // Nobody waits for anything; connected again when one does.
  if (!giveUp) {
    atOnce = true;
    giveUp = Clock::now() + milliseconds(int64_t(options.reconnect * 1000));
  }
  if (Clock::now() < *giveUp)
    return;
  std::string text = why;
  if (text.find(place()) == std::string::npos)
    text = "the connection to the server at " + place() + " was lost: " + text;
  giveUp.reset();
  fail(std::make_exception_ptr(blocks::IoError(text)));
}

/// False to end the thread.
bool RemoteStream::waitUntilWanted() {
  std::unique_lock guard(lock);
  workerWakes.wait(guard, [this] { return stopping || now.flowing; });
  return !stopping;
}

void RemoteStream::reconnect() {
  if (giveUp && !std::exchange(atOnce, false))
    waitFor(stopBell.fd(), POLLIN, Clock::now() + pause);
  connection = connect(Clock::now() + timeout());
  try {
    checkSame(connection->welcome());
  } catch (...) {
    connection.reset();
    std::lock_guard guard(lock);
    return fail(std::current_exception());
  }
  std::lock_guard guard(lock);
  continueOn(connection->welcome());
}

static bool sameSchema(const Welcome &a, const Welcome &b) {
  return a.shared == b.shared && a.examples == b.examples &&
         std::equal(a.sources.begin(), a.sources.end(), b.sources.begin(),
                    b.sources.end(),
                    [](const SourceInfo &x, const SourceInfo &y) {
                      return x.name == y.name && x.dtype == y.dtype &&
                             x.shape == y.shape && x.ragged == y.ragged;
                    });
}

void RemoteStream::checkSame(const Welcome &welcome) const {
  if (welcome.fingerprint != schema.fingerprint || !sameSchema(welcome, schema))
    throw blocks::InputError(
        "the server at " + place() + " now has another stream: '" +
        welcome.fingerprint + "' instead of '" + schema.fingerprint + "'");
  if (schema.shared && welcome.instance != schema.instance)
    throw blocks::IoError(
        "the server at " + place() +
        " was started anew; which batches of its "
        "shared stream were used is lost (with --mode each it would not be)");
}

/// What must be said first on a new connection.
void RemoteStream::continueOn(const Welcome &welcome) {
  FrameWriter &writer = connection->writer();
  auto resume = [&](const Progress &progress) {
    Command command = progress.command;
    command.kind = Kind::Resume;
    command.received = progress.received;
    command.consumed = progress.consumed;
    writer.queue(Kind::Resume, command);
  };
  if (!now.answered) { // It is not known what became of the command.
    if (abandoned && schema.shared)
      resume(*abandoned);
    abandoned.reset();
    Command &command = now.command;
    if (command.kind == Kind::Start && !schema.shared &&
        delivered != welcome.state)
      command.state = delivered;
    commandWaits = true;
  } else if (schema.shared) {
    now.command.allowance = allowance();
    resume(now);
  } else { // After what is in the ring.
    ++now.command.generation;
    now.command.kind = Kind::Restore;
    now.command.state = received;
    now.received = now.consumed = 0;
    now.command.allowance = allowance();
    commandWaits = true;
  }
}

void RemoteStream::sayGoodbye() {
  if (!connection)
    return;
  sendRequests();
  connection->writer().queue(Kind::Bye);
  connection->close();
}

} // namespace fuel
