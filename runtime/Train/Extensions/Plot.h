// Plot: keeps a page with the curves of the log up to date.
#pragma once

#include "blocks/MainLoop.h"
#include "blocks/Training.h"
#include "runtime/Train/TrainingLog.h"

namespace blocks {

class Plot : public Extension {
public:
  Plot(const TrainingLog &log, const std::string &path)
      : log(log), path(path) {}
  std::string name() const override { return "plot"; }

  void afterEpoch(MainLoop &) override { plotLog(log.path(), path); }
  void afterTraining(MainLoop &) override { plotLog(log.path(), path); }

private:
  const TrainingLog &log;
  std::string path;
};

} // namespace blocks
