// RemoteStream: see RemoteStream.h. Here is the caller's side; the thread's is
// in RemoteWorker.cpp.
#include "fuel/Server/RemoteStream.h"

#include "runtime/Base/SignalsBlocked.h"

#include <random>

namespace fuel {

using namespace wire;

static std::array<uint64_t, 2> drawIdentity() {
  std::random_device random;
  std::array<uint64_t, 2> identity;
  for (uint64_t &part : identity)
    part = uint64_t(random()) << 32 | random();
  return identity;
}

RemoteStream::RemoteStream(const ConnectOptions &chosen)
    : options(chosen), identity(drawIdentity()) {
  if (options.depth < 1 || options.depth > 1024 || !(options.timeout > 0))
    throw blocks::UsageError("a connection needs a depth of 1 to 1024 batches "
                             "and a timeout above 0");
  if (!options.keyFile.empty())
    key = Key::fromFile(options.keyFile);
  slots.resize(size_t(options.depth) + 2); // One is filled, one is the end.
  connectFirst();
  schema = connection->welcome();
  delivered = received = schema.state;
  blocks::SignalsBlocked inherited;
  worker = std::thread([this] { work(); });
}

/// In a thread of its own: OpenSSL's writes to a connection that the other side
/// has closed raise a signal, which must not reach the caller's.
void RemoteStream::connectFirst() {
  std::exception_ptr failed;
  {
    blocks::SignalsBlocked inherited;
    std::thread([&] {
      try {
        connection = connect(Clock::now() + timeout());
      } catch (...) {
        failed = std::current_exception();
      }
    }).join();
  }
  if (failed)
    std::rethrow_exception(failed);
}

RemoteStream::~RemoteStream() {
  {
    std::lock_guard guard(lock);
    stopping = true;
  }
  workerWakes.notify_one();
  bell.ring();
  stopBell.ring();
  worker.join();
}

std::string RemoteStream::state() const {
  std::lock_guard guard(lock);
  return delivered;
}

void RemoteStream::startEpoch() { command(Kind::Start, ""); }
void RemoteStream::restore(const std::string &state) {
  command(Kind::Restore, state);
}

/// How many batches the server may send: those that came, and those that there
/// is room for.
uint64_t RemoteStream::allowance() const {
  return now.received + uint64_t(options.depth) - ready;
}

// Waking a thread costs about as much as a batch of images, so it sleeps until
// half of the ring is free. But who shares a stream waits for acknowledgements.
bool RemoteStream::creditIsDue() const {
  return creditWaits && (2 * ready <= size_t(options.depth) || schema.shared);
}

// What an abandoned epoch left in the ring is dropped. The server is ahead of
// the caller, so a new epoch begins there from the caller's state.
void RemoteStream::command(Kind kind, const std::string &state) {
  std::unique_lock guard(lock);
  first = (first + ready) % slots.size();
  ready = 0;
  if (now.flowing && now.answered && !commandWaits)
    abandoned = now;
  Progress next;
  next.command.kind = kind;
  next.command.generation = now.command.generation + 1;
  next.command.allowance = uint64_t(options.depth);
  next.command.state = kind == Kind::Restore        ? state
                       : midEpoch && !schema.shared ? delivered
                                                    : "";
  next.flowing = true;
  now = next;
  failure = nullptr;
  commandWaits = true;
  workerWakes.notify_one();
  bell.ring();
  callerWakes.wait(guard, [this] { return now.answered || failure; });
  if (failure)
    std::rethrow_exception(failure);
  delivered = now.start;
  midEpoch = true;
}

// The end of an epoch and a failure stay in their slot, so that asking again
// gives the same answer.
bool RemoteStream::next(Batch &batch) {
  std::unique_lock guard(lock);
  if (now.command.generation == 0)
    return false; // No epoch was started.
  callerWakes.wait(guard, [this] { return ready > 0 || failure; });
  if (ready == 0)
    std::rethrow_exception(failure);
  Slot &slot = slots[first];
  if (slot.content == Content::Failure)
    std::rethrow_exception(slot.failure);
  if (slot.content == Content::EndOfEpoch) {
    delivered = slot.state;
    midEpoch = false;
    return false;
  }
  std::swap(slot.batch, batch);
  std::swap(slot.state, delivered);
  first = (first + 1) % slots.size();
  --ready;
  ++now.consumed;
  creditWaits = true;
  bool wake = sleeping && creditIsDue();
  guard.unlock();
  if (wake)
    bell.ring();
  return true;
}

std::unique_ptr<DataStream> connectStream(const ConnectOptions &options) {
  return std::make_unique<RemoteStream>(options);
}

} // namespace fuel
