// Prefetch: a thread that prepares the next items of a stream into a fixed ring
// of buffers. Delivery swaps buffers with the caller's batch, so nothing is
// copied, and once all of them have grown nothing is allocated.
//
// Who touches what: the worker alone uses `stream` while it runs; the caller's
// thread uses it only between `halt` and `resume`, when the worker is parked.
// All else is guarded by `lock`, but for a slot's contents, which belong to the
// worker until `ready` counts the slot, and to the caller's thread from then
// until it is delivered.
#pragma once

#include "fuel/Streams.h"
#include "fuel/Streams/StreamState.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace fuel {

class Prefetch : public DataStream {
public:
  Prefetch(std::unique_ptr<DataStream> stream, int64_t depth);
  ~Prefetch() override;

  const std::vector<SourceInfo> &sources() const override { return infos; }
  bool producesExamples() const override { return examples; }
  std::optional<int64_t> batchesPerEpoch() const override { return batchCount; }
  std::optional<int64_t> examplesPerEpoch() const override {
    return exampleCount;
  }
  void startEpoch() override;
  bool next(Batch &batch) override;
  std::string state() const override { return delivered.text(); }
  void restore(const std::string &state) override;
  std::string fingerprint() const override { return identity; }

private:
  /// What the worker put into a slot.
  enum class Content { Item, EndOfEpoch, Failure };
  struct Slot {
    Batch batch;
    Content content = Content::Item;
    std::exception_ptr failure;
  };

  void work();
  bool waitForRoom(std::unique_lock<std::mutex> &guard);
  void fill(Slot &slot);
  void halt();
  void resume();

  std::unique_ptr<DataStream> stream;
  // Asked of `stream` once, before the thread exists.
  std::vector<SourceInfo> infos;
  bool examples;
  std::optional<int64_t> batchCount, exampleCount;
  std::string identity;
  StreamState delivered;

  std::mutex lock;
  std::condition_variable workerWakes, callerWakes;
  std::vector<Slot> slots;
  size_t first = 0; ///< The slot to deliver next.
  size_t ready = 0; ///< Slots filled, from `first` on.
  bool running = false, parked = true, stopping = false;
  std::thread worker;
};

} // namespace fuel
