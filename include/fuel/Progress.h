// Progress: how far a long piece of work has come, for whoever waits: a bar on
// a terminal, or what a host program makes of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace fuel {

/// Told from one thread.
class Progress {
public:
  virtual ~Progress() = default;
  /// Work called `what` begins. `total` steps are expected; -1 if unknown.
  virtual void start(const std::string &what, int64_t total) = 0;
  virtual void advance(int64_t steps) = 0;
  /// The work is over, done or given up.
  virtual void finish() = 0;
};

/// A bar on standard error; null where that is no terminal.
std::unique_ptr<Progress> makeProgressBar();

/// One piece of work. Nobody needs to listen: `progress` may be null.
class ProgressTask {
public:
  ProgressTask(Progress *progress, const std::string &what, int64_t total = -1)
      : progress(progress) {
    if (progress)
      progress->start(what, total);
  }
  ~ProgressTask() {
    if (progress)
      progress->finish();
  }
  ProgressTask(const ProgressTask &) = delete;
  ProgressTask &operator=(const ProgressTask &) = delete;

  void advance(int64_t steps = 1) {
    if (progress)
      progress->advance(steps);
  }

private:
  Progress *progress;
};

} // namespace fuel
