// Checkpoint: asks the main loop for checkpoints every so many epochs, batches
// or minutes. The loop writes them when every extension has run, and one more
// when training ends.
#pragma once

#include "blocks/MainLoop.h"
#include "blocks/Training.h"

#include <chrono>

namespace blocks {

class Checkpoint : public Extension {
public:
  explicit Checkpoint(const CheckpointInterval &interval)
      : interval(interval) {}
  std::string name() const override { return "checkpoint"; }

  void afterBatch(MainLoop &loop) override {
    bool due = interval.batches > 0 &&
               loop.status().iterations % interval.batches == 0;
    if (interval.minutes > 0 && Clock::now() - last >= minutes())
      due = true;
    if (due)
      request(loop);
  }
  void afterEpoch(MainLoop &loop) override {
    if (interval.epochs > 0 && loop.status().epochs % interval.epochs == 0)
      request(loop);
  }

private:
  using Clock = std::chrono::steady_clock;
  std::chrono::duration<double, std::ratio<60>> minutes() const {
    return std::chrono::duration<double, std::ratio<60>>(interval.minutes);
  }
  void request(MainLoop &loop) {
    last = Clock::now();
    loop.requestCheckpoint();
  }

  CheckpointInterval interval;
  Clock::time_point last = Clock::now();
};

} // namespace blocks
