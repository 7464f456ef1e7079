// Profile: --profile. Where the time of a whole run went, told at its end: how
// long training waited for data, how long it computed, and what the data's
// layers did meanwhile in their threads.
#pragma once

#include "blocks/EventSink.h"
#include "blocks/MainLoop.h"

#include <chrono>
#include <iosfwd>

namespace blocks {

class Profile : public Extension {
public:
  Profile(std::ostream &text, EventSink &events) : text(text), events(events) {}
  std::string name() const override { return "profile"; }

  void beforeTraining(MainLoop &loop) override;
  void afterTraining(MainLoop &loop) override;

private:
  using Clock = std::chrono::steady_clock;
  void print(const RunProfile &profile);

  std::ostream &text;
  EventSink &events;
  Clock::time_point begin;
  LoopTimes timesAtBegin;
  int64_t iterationsAtBegin = 0;
};

} // namespace blocks
