// Pipeline: a chain of layers as a data stream, with any number of worker
// threads. Each worker carries one item at a time through the chain into one
// slot of a fixed ring; items are delivered in order by swapping buffers with
// the caller's batch, so nothing is copied, and once all buffers have grown
// nothing is allocated. Without workers the caller's thread does the same.
//
// Who touches what: `prepare` and the layers' places belong to the worker that
// has set `preparing`, one at a time; a slot belongs to its worker until it is
// `done` and then to the caller's thread. The caller's thread uses the layers
// only when all workers are parked (`halt`), but for `saveRandom`, which
// nothing changes within an epoch. All else is guarded by `lock`.
#pragma once

#include "fuel/Streams.h"
#include "fuel/Streams/StreamState.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace fuel {

class Pipeline : public DataStream {
public:
  explicit Pipeline(std::unique_ptr<Layer> top);
  ~Pipeline() override;

  /// Starts `count` threads that keep up to `depth` items ready.
  void startWorkers(int64_t count, int64_t depth);
  /// Ends the threads and gives the chain away.
  std::unique_ptr<Layer> release();

  const std::vector<SourceInfo> &sources() const override {
    return top->sources();
  }
  bool producesExamples() const override { return top->producesExamples(); }
  std::optional<int64_t> batchesPerEpoch() const override {
    return top->batchesPerEpoch();
  }
  std::optional<int64_t> examplesPerEpoch() const override {
    return top->examplesPerEpoch();
  }
  void startEpoch() override;
  bool next(Batch &batch) override;
  std::string state() const override;
  void restore(const std::string &state) override;
  std::string fingerprint() const override { return identity; }
  std::optional<StreamStatistics> statistics() const override;

private:
  enum class Content { Item, EndOfEpoch, Failure };
  struct Slot {
    std::unique_ptr<Layer::Work> work;
    Batch batch;
    Position after; ///< Where the chain stood after `prepare`.
    Content content = Content::Item;
    std::exception_ptr failure;
    bool done = false;
  };

  void makeSlots(size_t count);
  void fill(Slot &slot, std::unique_lock<std::mutex> *guard);
  void prepare(Slot &slot);
  bool deliver(Slot &slot, Batch &batch);
  void work();
  bool hasRoom() const { return running && !preparing && taken < slots.size(); }
  void stopWorkers();
  void halt();
  void resume();
  void goTo(const StreamState &state);
  bool nextHere(Batch &batch);
  bool nextFromWorkers(Batch &batch);

  std::unique_ptr<Layer> top;
  std::string identity;
  int64_t epoch = 0, consumed = 0;
  Position delivered; ///< As of the last item that `next` returned.
  bool ahead = false; ///< Items were prepared that were not delivered.
  bool ended = false; ///< `next` has told the end of the epoch.

  mutable std::mutex lock;
  std::condition_variable workersWake, callerWakes;
  std::vector<Slot> slots;
  size_t first = 0; ///< The slot to deliver next.
  size_t taken = 0; ///< Slots in work or done, from `first` on.
  size_t busy = 0;  ///< Workers that are not parked.
  bool running = false, preparing = false, stopping = false;
  std::vector<std::thread> threads;

  using Clock = std::chrono::steady_clock;
  StreamStatistics times;
  Clock::time_point left; ///< When `next` last returned.
};

/// The chain of `stream`, which is consumed: its own, or a new one over it.
std::unique_ptr<Layer> takeLayers(std::unique_ptr<DataStream> stream);

} // namespace fuel
