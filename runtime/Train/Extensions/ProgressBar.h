// ProgressBar: one line that is drawn anew while an epoch runs, with the
// number of batches done and to do, and the time that remains. Ten times a
// second at most, and without allocating.
#pragma once

#include "blocks/MainLoop.h"

#include <chrono>
#include <ostream>

namespace blocks {

class ProgressBar : public Extension {
public:
  ProgressBar(std::ostream &text, int64_t epochs)
      : text(text), epochs(epochs) {}
  std::string name() const override { return "progress bar"; }

  void beforeEpoch(MainLoop &loop) override { begin(loop); }
  void onResumption(MainLoop &loop) override { begin(loop); }
  void afterBatch(MainLoop &loop) override;
  void afterEpoch(MainLoop &) override { clear(); }
  void afterTraining(MainLoop &) override { clear(); }
  void onError(MainLoop &, const std::exception &) override { clear(); }

private:
  using Clock = std::chrono::steady_clock;
  void begin(MainLoop &loop);
  void draw(const LoopStatus &status, double seconds);
  void clear();

  std::ostream &text;
  int64_t epochs;
  int64_t batchesPerEpoch = 0; ///< 0: unknown.
  int64_t firstBatch = 0; ///< Batches of the epoch done by another process.
  Clock::time_point epochBegin, lastDrawn;
  bool visible = false;
};

} // namespace blocks
