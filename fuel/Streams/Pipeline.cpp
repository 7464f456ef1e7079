// Pipeline: see Pipeline.h.
#include "fuel/Streams/Pipeline.h"

#include "blocks/Error.h"
#include "fuel/Streams/DatasetLayer.h"
#include "runtime/Base/SignalsBlocked.h"

#include <algorithm>

namespace fuel {

Pipeline::Pipeline(std::unique_ptr<Layer> chain)
    : top(std::move(chain)), identity(top->fingerprint()) {
  makeSlots(1);
  top->savePosition(delivered);
}

Pipeline::~Pipeline() { stopWorkers(); }

void Pipeline::makeSlots(size_t count) {
  slots = std::vector<Slot>(count);
  for (Slot &slot : slots)
    slot.work = top->makeWork();
  first = taken = 0;
}

void Pipeline::startWorkers(int64_t count, int64_t depth) {
  if (depth < 1 || depth > 65536)
    throw blocks::UsageError("the prefetch depth is " + std::to_string(depth) +
                             "; expected 1 or more, at most 65536");
  if (count < 1 || count > 1024)
    throw blocks::UsageError("the number of workers is " +
                             std::to_string(count) + "; expected 1 to 1024");
  stopWorkers();
  makeSlots(size_t(std::max(count, depth)));
  running = epoch > 0;
  times.workers = count;
  busy = size_t(count);
  blocks::SignalsBlocked inherited;
  for (int64_t i = 0; i < count; ++i)
    threads.emplace_back([this] { work(); });
}

void Pipeline::stopWorkers() {
  {
    std::lock_guard guard(lock);
    stopping = true;
  }
  workersWake.notify_all();
  for (std::thread &thread : threads)
    thread.join();
  threads.clear();
  stopping = false;
}

std::unique_ptr<Layer> Pipeline::release() {
  stopWorkers();
  return std::move(top);
}

//===-- The workers -------------------------------------------------------===//

void Pipeline::prepare(Slot &slot) {
  slot.failure = nullptr;
  slot.content = Content::Item;
  try {
    if (!top->prepare(*slot.work))
      slot.content = Content::EndOfEpoch;
    slot.after.clear();
    top->savePosition(slot.after);
  } catch (...) {
    slot.content = Content::Failure;
    slot.failure = std::current_exception();
  }
}

static void finishInto(Layer &top, Layer::Work &work, Batch &batch,
                       std::exception_ptr &failure) {
  try {
    top.finish(work, batch);
  } catch (...) {
    failure = std::current_exception();
  }
}

void Pipeline::work() {
  std::unique_lock guard(lock);
  while (true) {
    while (!stopping && !hasRoom()) {
      if (--busy == 0)
        callerWakes.notify_one();
      workersWake.wait(guard);
      ++busy;
    }
    if (stopping)
      break;
    Slot &slot = slots[(first + taken++) % slots.size()];
    slot.done = false;
    fill(slot, &guard);
    slot.done = true;
    if (&slot == &slots[first])
      callerWakes.notify_one();
  }
  --busy;
}

void Pipeline::fill(Slot &slot, std::unique_lock<std::mutex> *guard) {
  preparing = true;
  guard->unlock();
  prepare(slot);
  guard->lock();
  preparing = false;
  if (slot.content != Content::Item)
    running = false; // Nothing follows until a new epoch or a restore.
  if (threads.size() > 1 && busy < threads.size() && hasRoom())
    workersWake.notify_one();
  if (slot.content != Content::Item)
    return;
  guard->unlock();
  finishInto(*top, *slot.work, slot.batch, slot.failure);
  guard->lock();
  if (slot.failure) {
    slot.content = Content::Failure;
    running = false;
  }
}

//===-- The caller's thread -----------------------------------------------===//

/// Returns when all workers are parked and will stay so. What they prepared is
/// dropped; `ahead` says whether there was any.
void Pipeline::halt() {
  std::unique_lock guard(lock);
  running = false;
  callerWakes.wait(guard, [this] { return busy == 0; });
  ahead |= taken > 0 && !ended;
  taken = 0;
}

void Pipeline::resume() {
  ahead = ended = false;
  delivered.clear();
  top->savePosition(delivered);
  {
    std::lock_guard guard(lock);
    running = epoch > 0;
  }
  workersWake.notify_all();
}

/// Puts the layers to the delivered place, or that of a saved state.
void Pipeline::goTo(const StreamState &state) {
  RandomReader random(state.random);
  top->loadRandom(random);
  random.expectEnd();
  if (state.epoch == 0)
    return;
  top->startEpoch();
  PositionReader place(state.position);
  top->loadPosition(place);
  place.expectEnd();
}

// An abandoned epoch ends where it was left, not where the workers had come,
// so that the next epoch's random numbers do not depend on them.
void Pipeline::startEpoch() {
  halt();
  if (ahead && epoch > 0)
    goTo(StreamState::parse(state()));
  top->startEpoch();
  ++epoch;
  consumed = 0;
  resume();
}

void Pipeline::restore(const std::string &text) {
  StreamState state = StreamState::parse(text);
  halt();
  ahead = true;
  epoch = consumed = 0;
  goTo(state);
  epoch = state.epoch;
  consumed = state.consumed;
  resume();
}

std::string Pipeline::state() const {
  StreamState state{epoch, consumed, {}, delivered};
  top->saveRandom(state.random);
  return state.text();
}

bool Pipeline::next(Batch &batch) {
  Clock::time_point entered = Clock::now();
  if (times.batches > 0)
    times.between += std::chrono::duration<double>(entered - left).count();
  bool more = threads.empty() ? nextHere(batch) : nextFromWorkers(batch);
  left = Clock::now();
  times.waited += std::chrono::duration<double>(left - entered).count();
  times.batches += more;
  return more;
}

// The end of an epoch and a failure stay in their slot, so that asking again
// gives the same answer.
bool Pipeline::nextHere(Batch &batch) {
  if (!running && taken == 0)
    return false; // No epoch was started.
  Slot &slot = slots.front();
  if (taken == 0) {
    ++times.waits;
    taken = 1;
    prepare(slot);
    if (slot.content == Content::Item)
      finishInto(*top, *slot.work, slot.batch, slot.failure);
    if (slot.failure)
      slot.content = Content::Failure;
  }
  return deliver(slot, batch);
}

bool Pipeline::nextFromWorkers(Batch &batch) {
  std::unique_lock guard(lock);
  if (!running && taken == 0)
    return false;
  Slot &slot = slots[first];
  auto ready = [&] { return taken > 0 && slot.done; };
  times.waits += !ready();
  callerWakes.wait(guard, ready);
  if (!deliver(slot, batch))
    return false;
  // Waking a thread costs about as much as gathering a batch of images, so the
  // workers sleep until half of the ring is free and then fill all of it.
  bool low = 2 * taken <= slots.size() && busy < threads.size();
  guard.unlock();
  if (low)
    workersWake.notify_one();
  return true;
}

bool Pipeline::deliver(Slot &slot, Batch &batch) {
  if (slot.content == Content::Failure)
    std::rethrow_exception(slot.failure);
  std::swap(delivered, slot.after);
  if (slot.content == Content::EndOfEpoch) {
    slot.after = delivered; // Asking again finds the same.
    ended = true;
    return false;
  }
  std::swap(slot.batch, batch);
  first = (first + 1) % slots.size();
  --taken;
  ++consumed;
  return true;
}

std::optional<StreamStatistics> Pipeline::statistics() const {
  StreamStatistics result = times;
  top->addTimes(result.layers);
  // What a layer took includes those beneath it.
  for (size_t i = result.layers.size(); i-- > 1;)
    result.layers[i].seconds =
        std::max(0.0, result.layers[i].seconds - result.layers[i - 1].seconds);
  return result;
}

//===-- Composition -------------------------------------------------------===//

std::unique_ptr<Layer> takeLayers(std::unique_ptr<DataStream> stream) {
  if (auto *pipeline = dynamic_cast<Pipeline *>(stream.get()))
    return pipeline->release();
  return std::make_unique<StreamLayer>(std::move(stream));
}

std::unique_ptr<DataStream>
makeDatasetStream(std::shared_ptr<const Dataset> dataset,
                  std::unique_ptr<IterationScheme> scheme) {
  return std::make_unique<Pipeline>(
      std::make_unique<DatasetLayer>(std::move(dataset), std::move(scheme)));
}

std::unique_ptr<DataStream> addLayer(std::unique_ptr<DataStream> stream,
                                     const MakeLayer &make) {
  return std::make_unique<Pipeline>(make(takeLayers(std::move(stream))));
}

std::unique_ptr<DataStream> withWorkers(std::unique_ptr<DataStream> stream,
                                        int64_t count, int64_t depth) {
  auto pipeline = std::make_unique<Pipeline>(takeLayers(std::move(stream)));
  if (count > 0)
    pipeline->startWorkers(count, depth);
  return pipeline;
}

std::unique_ptr<DataStream> prefetch(std::unique_ptr<DataStream> stream,
                                     int64_t depth) {
  return withWorkers(std::move(stream), 1, depth);
}

} // namespace fuel
