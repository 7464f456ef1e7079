// LogRows: writes the row that the monitoring extensions before it have filled
// to the log, and reports epoch rows as events.
#pragma once

#include "blocks/Extension.h"
#include "blocks/MainLoop.h"
#include "runtime/Train/TrainingLog.h"

namespace blocks {

class LogRows : public Extension {
public:
  LogRows(TrainingLog &log, EventSink &events) : log(log), events(events) {}
  std::string name() const override { return "log"; }

  void afterBatch(MainLoop &loop) override {
    if (!loop.row.empty())
      log.append(loop.rowView());
  }
  void afterEpoch(MainLoop &loop) override {
    log.append(loop.rowView());
    events.epoch(loop.rowView());
  }
  void afterTraining(MainLoop &) override { log.sync(); }

private:
  TrainingLog &log;
  EventSink &events;
};

} // namespace blocks
