// Prefetch: see Prefetch.h.
#include "fuel/Streams/Prefetch.h"

#include "blocks/Error.h"
#include "runtime/Base/SignalsBlocked.h"

namespace fuel {

Prefetch::Prefetch(std::unique_ptr<DataStream> inner, int64_t depth)
    : stream(std::move(inner)), infos(stream->sources()),
      examples(stream->producesExamples()),
      batchCount(stream->batchesPerEpoch()),
      exampleCount(stream->examplesPerEpoch()), identity(stream->fingerprint()),
      delivered(StreamState::parse(stream->state())) {
  if (depth < 1)
    throw blocks::UsageError("the prefetch depth is " + std::to_string(depth) +
                             "; expected 1 or more");
  slots.resize(size_t(depth));
  blocks::SignalsBlocked inherited;
  worker = std::thread([this] { work(); });
}

Prefetch::~Prefetch() {
  {
    std::lock_guard guard(lock);
    stopping = true;
  }
  workerWakes.notify_one();
  worker.join();
}

//===-- The worker --------------------------------------------------------===//

void Prefetch::work() {
  std::unique_lock guard(lock);
  while (waitForRoom(guard)) {
    Slot &slot = slots[(first + ready) % slots.size()];
    guard.unlock();
    fill(slot);
    guard.lock();
    ++ready;
    if (slot.content != Content::Item)
      running = false; // Nothing follows until a new epoch or a restore.
    callerWakes.notify_one();
  }
}

/// Parks until there is a free slot to fill; false to end the thread.
bool Prefetch::waitForRoom(std::unique_lock<std::mutex> &guard) {
  while (!stopping && !(running && ready < slots.size())) {
    parked = true;
    callerWakes.notify_one();
    workerWakes.wait(guard);
  }
  parked = false;
  return !stopping;
}

void Prefetch::fill(Slot &slot) {
  slot.failure = nullptr;
  try {
    slot.content =
        stream->next(slot.batch) ? Content::Item : Content::EndOfEpoch;
  } catch (...) {
    slot.content = Content::Failure;
    slot.failure = std::current_exception();
  }
}

//===-- The caller's thread -----------------------------------------------===//

/// Returns when the worker is parked and will stay so; what it prepared is
/// dropped.
void Prefetch::halt() {
  std::unique_lock guard(lock);
  running = false;
  workerWakes.notify_one();
  callerWakes.wait(guard, [this] { return parked; });
  ready = 0;
}

void Prefetch::resume() {
  delivered = StreamState::parse(stream->state());
  {
    std::lock_guard guard(lock);
    running = true;
  }
  workerWakes.notify_one();
}

void Prefetch::startEpoch() {
  halt();
  stream->startEpoch();
  resume();
}

void Prefetch::restore(const std::string &state) {
  halt();
  stream->restore(state);
  resume();
}

// The end of an epoch and a failure stay in their slot, so that asking again
// gives the same answer.
bool Prefetch::next(Batch &batch) {
  std::unique_lock guard(lock);
  if (!running && ready == 0)
    return false; // No epoch was started.
  callerWakes.wait(guard, [this] { return ready > 0; });
  Slot &slot = slots[first];
  if (slot.content == Content::EndOfEpoch)
    return false;
  if (slot.content == Content::Failure)
    std::rethrow_exception(slot.failure);
  std::swap(slot.batch, batch);
  first = (first + 1) % slots.size();
  --ready;
  ++delivered.consumed;
  // Waking a thread costs about as much as gathering a batch of images, so the
  // worker sleeps until half of the ring is free and then fills all of it.
  bool low = 2 * ready <= slots.size();
  guard.unlock();
  if (low)
    workerWakes.notify_one();
  return true;
}

std::unique_ptr<DataStream> prefetch(std::unique_ptr<DataStream> stream,
                                     int64_t depth) {
  return std::make_unique<Prefetch>(std::move(stream), depth);
}

} // namespace fuel
