// Timing: how long an epoch took, and where. Times differ between equal runs,
// so they go to the printed lines and to a file of their own, never to the log.
#pragma once

#include "blocks/MainLoop.h"
#include "runtime/Base/FileDescriptor.h"

#include <chrono>

namespace blocks {

class Timing : public Extension {
public:
  /// One JSON line an epoch goes to `path`, if that is not empty: appended when
  /// the run continues another.
  Timing(const std::string &path, bool append);
  std::string name() const override { return "timing"; }

  void beforeEpoch(MainLoop &loop) override { begin(loop); }
  void onResumption(MainLoop &loop) override { begin(loop); }
  void afterEpoch(MainLoop &loop) override;

  /// Of the last epoch: "3.2 s, 18000 examples/s"; of a resumed one what this
  /// process did.
  const std::string &summary() const { return text; }

private:
  using Clock = std::chrono::steady_clock;
  void begin(MainLoop &loop);

  FileDescriptor file;
  Clock::time_point epochBegin = Clock::now();
  LoopTimes timesAtBegin;
  int64_t iterationsAtBegin = 0;
  std::string text;
};

} // namespace blocks
